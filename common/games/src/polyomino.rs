//! Achievement games for polyominoes (Harary): who first owns all cells of a target shape, turned
//! and mirrored as you like, wins. Can Black, who begins, force that with at most so many stones?
//!
//! *Strong*: whoever completes a target first wins. *Weak*: White only blocks. On a board n×m the
//! answer is exact both ways. On the infinite board play is searched in a window; a proof holds on
//! the whole plane, by zones: see `docs/polyomino.md`. A disproof there says only that this search
//! found no win.

mod endgame;
pub mod grid;
mod judge;
mod play;
mod position;
pub mod scan;
pub mod shape;
mod zone;

use hasami_andor::certificate::Strategy;
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Options, Problem, ProblemId, SumRule, Turn, Verdict};

use crate::params::{Param, ParamError, Params};
use crate::play::{Duel, Stones};
use crate::registry::{Game, Meaning};
use grid::{Grid, MAX_BOARD};
pub use position::{Position, Stone};
use scan::Placements;
use shape::{Shape, parse_set, spell_set};

const VERSION: u32 = 1;

/// Can Black complete one of the shapes with so many stones?
#[derive(Clone, Debug)]
pub struct Polyomino {
    shapes: Vec<Shape>,
    grid: Grid,
    placements: Placements,
    /// The grid is a window on the infinite board.
    infinite: bool,
    /// White only blocks.
    weak: bool,
    /// How many stones Black may use.
    stones: u32,
    id: ProblemId,
}

static PARAMS: &[Param] = &[
    Param::text("shapes", "the targets, names or pictures with commas between: Square,W or ##/##"),
    Param::text("board", "infinite, or rows x columns as in 7x7").or("infinite"),
    Param::choice("game", "strong: first to complete wins; weak: White only blocks", GAMES)
        .or("strong"),
    Param::text("stones", "how many stones Black may use; fewest: as few as it takes; any")
        .or(FEWEST),
    Param::text("window", "where the infinite board is searched, rows x columns").or("11x11"),
];
const GAMES: &[&str] = &["strong", "weak"];
const FEWEST: &str = "fewest";
const ANY: &str = "any";

impl Game for Polyomino {
    const NAME: &'static str = "polyomino";
    const ABOUT: &'static str = "Polyomino achievement: can Black complete one of the shapes?";
    const EXAMPLE: &'static str = "polyomino Square W";
    const WORDS: Option<&'static str> = Some("shapes");
    /// Lines of play meet all the time: the weak rule, and a child is left late.
    const ADVICE: Options = Options { sum: SumRule::Weak, epsilon: 256, ..Options::DEFAULT };

    fn params() -> &'static [Param] {
        PARAMS
    }

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let given = params.text("shapes")?;
        let shapes = parse_set(given)
            .map_err(|error| ParamError::bad("shapes", given, error.to_string()))?;
        let infinite = params.text("board")? == "infinite";
        let place = if infinite { "window" } else { "board" };
        let (height, width) = parse_size(place, params.text(place)?)?;
        let grid = Grid::new(height, width);
        let placements = Placements::new(&grid, &shapes, infinite);
        let most = grid.all.count_ones().div_ceil(2);
        let stones = match params.text("stones")? {
            FEWEST => placements.smallest.min(most),
            ANY => most,
            _ => params.number("stones", 1..=MAX_BOARD)?.min(most),
        };
        // The one spelling of the question: what does not matter is left out.
        let spelled = format!(
            "{} {} {}x{} {} {stones}",
            spell_set(&shapes),
            if infinite { "infinite" } else { "board" },
            grid.height,
            grid.width,
            params.text("game")?
        );
        Ok(Self {
            placements,
            shapes,
            grid,
            infinite,
            weak: params.text("game")? == "weak",
            stones,
            id: ProblemId::new(Self::NAME, VERSION, &spelled),
        })
    }

    /// Asked for the fewest stones, tries one more each time, up to half the board.
    fn stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
        let all = Self::from_params(&params.with("stones", ANY)?)?;
        let fewest = params.text("stones")? == FEWEST;
        let stones = match params.text("stones")? {
            FEWEST => all.placements.smallest.min(all.stones) + stage,
            _ => Self::from_params(params)?.stones,
        };
        match stage == 0 || fewest && stones <= all.stones {
            true => Ok(Some(params.with("stones", &stones.to_string())?)),
            false => Ok(None),
        }
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        let shapes = self.shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" & ");
        let game = if self.weak { "weak game (White only blocks)" } else { "strong game" };
        let Self { stones, grid: Grid { height, width, .. }, .. } = self;
        let whole_board = !self.infinite && *stones == self.grid.all.count_ones().div_ceil(2);
        match (verdict, self.infinite) {
            (Verdict::Proven, true) => Meaning::Claim(format!(
                "winner: {shapes}, infinite board, {game}: Black wins with at most {stones} stones"
            )),
            (Verdict::Proven, false) => Meaning::Claim(format!(
                "winner: {shapes}, board {height}x{width}, {game}: Black wins with at most {stones} stones"
            )),
            (Verdict::Disproven, false) if whole_board => Meaning::Claim(format!(
                "loser: {shapes}, board {height}x{width}, {game}: Black cannot win"
            )),
            (Verdict::Disproven, false) => Meaning::Claim(format!(
                "{shapes}, board {height}x{width}, {game}: Black cannot win with {stones} stones"
            )),
            (Verdict::Disproven, true) => Meaning::Nothing(format!(
                "open: {shapes}, infinite board, {game}: no win within {stones} stones found in a \
                 window of {height}x{width}"
            )),
        }
    }

    fn duel<'a>(&'a self, strategy: &'a Strategy<u128>) -> Box<dyn Duel + 'a> {
        Box::new(Stones::new(self, strategy))
    }
}

/// Rows and columns of a board written as `7x7`.
///
/// # Errors
/// When it is none, or too large.
pub fn parse_size(name: &'static str, text: &str) -> Result<(u8, u8), ParamError> {
    let expected = || format!("rows x columns as in 7x7, at most {MAX_BOARD} cells");
    let sides = text
        .split_once('x')
        .and_then(|(height, width)| Some((height.parse::<u8>().ok()?, width.parse::<u8>().ok()?)));
    sides
        .filter(|&(h, w)| (1..=MAX_BOARD).contains(&(u32::from(h) * u32::from(w))))
        .ok_or_else(|| ParamError::bad(name, text, expected()))
}

impl Polyomino {
    /// The grid that is played on: the board, or the window.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many stones Black may use.
    #[must_use]
    pub fn stones(&self) -> u32 {
        self.stones
    }

    /// How many stones Black has left.
    fn left(&self, state: &Position) -> u32 {
        self.stones.saturating_sub(state.black.count_ones())
    }

    fn empty(&self, state: &Position) -> u128 {
        self.grid.all & !(state.black | state.white)
    }
}

impl Problem for Polyomino {
    type State = Position;
    type Move = Stone;
    /// The zone of a proof.
    type Reason = u128;

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        Position::START
    }

    fn turn(&self, state: &Position) -> Turn {
        state.turn
    }

    fn expand(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        match state.turn {
            Turn::Or => self.expand_or(state, moves),
            Turn::And => self.expand_and(state, moves),
        }
    }

    fn play(&self, state: &Position, mv: Stone) -> Position {
        state.after(mv, &self.grid)
    }

    fn key(&self, state: &Position) -> Key {
        state.key()
    }

    fn key_after(&self, state: &Position, mv: Stone) -> Key {
        state.key_after(mv, &self.grid)
    }

    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        state.encode(out);
    }

    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        Position::decode(bytes, &self.grid)
    }

    fn open(&self, state: &Position, mv: Stone, reason: Option<u128>, moves: &mut Moves<Stone>) {
        if mv == Stone::Elsewhere {
            let zone = reason.map(|zone| self.on_grid(&self.play(state, mv), zone));
            self.push_replies(state, zone, moves);
        }
    }

    fn reason(&self, state: &Position, verdict: Verdict, basis: &[(Stone, u128)]) -> u128 {
        match verdict {
            Verdict::Proven => self.grid.turned(self.zone(state, basis), state.symmetry()),
            Verdict::Disproven => 0,
        }
    }

    /// Black's stones count.
    fn length(&self, state: &Position, _: Stone) -> Option<u32> {
        Some(u32::from(state.turn == Turn::Or))
    }

    fn rest(&self, state: &Position) -> u32 {
        let chances = self.chances(state);
        match state.turn {
            _ if chances.won => 0,
            _ if chances.threats != 0 => 1,
            Turn::Or if chances.forks == 0 => 3,
            _ => 2,
        }
    }

    fn show(&self, state: &Position) -> String {
        self.grid.show(|cell| match 1 << cell {
            bit if state.black & bit != 0 => 'X',
            bit if state.white & bit != 0 => 'O',
            _ => '.',
        })
    }

    fn show_move(&self, _: &Position, mv: Stone) -> String {
        match mv {
            Stone::Cell(cell) => self.grid.cell_name(cell),
            Stone::Elsewhere => "elsewhere".to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
