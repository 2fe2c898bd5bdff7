//! Achievement games for polyominoes (Harary): who first owns all cells of a target shape, turned
//! and mirrored as you like, wins. Can Black, who begins, force that with at most so many stones?
//!
//! *Strong*: whoever completes a target first wins. *Weak*: White only blocks. On a board n×m the
//! answer is exact both ways. On the infinite board play is searched in a window; a proof holds on
//! the whole plane, by zones: see `docs/polyomino.md`. A disproof there says only that this search
//! found no win.

mod blocked;
mod cards;
mod edge;
mod endgame;
pub mod grid;
mod judge;
pub mod paper;
mod planes;
mod play;
mod position;
pub mod scan;
pub mod shape;
mod tally;
mod told;
mod zone;

use std::sync::Arc;

use hasami_andor::certificate::Strategy;
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Options, Problem, ProblemId, SumRule, Turn, Verdict};

use crate::paving::Paving;
use blocked::blocking_paving;
use cards::{Deck, Library};
use grid::{Grid, MAX_BOARD};
use hasami_game::lore::Lore;
use hasami_game::play::{Duel, Stones};
use hasami_game::{Drawing, Game, Meaning, Outlook};
use hasami_spec::params::{Param, ParamError, Params};
pub use position::{Position, Reply, Stone};
use scan::Placements;
use shape::{Shape, canonical_set, parse_set, spell_set};
use tally::Tally;
pub use zone::Zone;

const VERSION: u32 = 4;
/// A proof that took fewer nodes is found again as fast as its card.
const WORTH_A_CARD: u32 = 32;

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
    /// A paving that blocks every shape on any board: White answers in the partner cell.
    paving: Option<Paving>,
    id: ProblemId,
    /// Winning patterns, on this grid.
    deck: Arc<Deck>,
}

/// Squares up to this size are tried for the smallest board.
const MAX_SQUARE: u32 = 11;

static PARAMS: &[Param] = &[
    Param::text("shapes", "the targets, names or pictures with commas between: Square,W or ##/##")
        .or("Square,W"),
    Param::text("board", "infinite, rows x columns as in 7x7, or smallest: squares in turn")
        .or(INFINITE),
    Param::choice("game", "strong: first to complete wins; weak: White only blocks", GAMES)
        .or("strong")
        .with_flags(),
    Param::text("stones", "how many stones Black may use; fewest: as few as it takes; any")
        .or(FEWEST),
    Param::text("window", "where the infinite board is searched, rows x columns").or("11x11"),
];
const GAMES: &[&str] = &["strong", "weak"];
const INFINITE: &str = "infinite";
const SMALLEST: &str = "smallest";
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
        let shapes = parse_set(given).map_err(|error| {
            ParamError::bad("shapes", given, format!("shapes with commas between; {error}"))
        })?;
        let infinite = params.text("board")? == INFINITE;
        let (height, width) = match params.text("board")? {
            INFINITE => parse_size("window", params.text("window")?)?,
            SMALLEST => (1, 1),
            board => parse_size("board", board)?,
        };
        let grid = Grid::new(height, width);
        // The order in which the shapes are given must not make another question of it.
        let set = canonical_set(&shapes);
        let placements = Placements::new(&grid, &set, infinite);
        let most = grid.all.count_ones().div_ceil(2);
        let stones = match params.text("stones")? {
            FEWEST => placements.smallest.min(most),
            ANY => most,
            _ => params.number("stones", 1..=MAX_BOARD)?.min(most),
        };
        // The one spelling of the question: what does not matter is left out.
        let spelled = format!(
            "{} {} {}x{} {} {stones}",
            spell_set(&set),
            if infinite { "infinite" } else { "board" },
            grid.height,
            grid.width,
            params.text("game")?
        );
        let paving = blocking_paving(&set);
        let deck = Arc::new(Deck::new(Library::of(&set), &grid));
        Ok(Self {
            placements,
            paving,
            shapes,
            grid,
            infinite,
            weak: params.text("game")? == "weak",
            stones,
            deck,
            id: ProblemId::new(Self::NAME, VERSION, &spelled),
        })
    }

    /// Asked for the smallest board, tries one square after the other, with any number of stones
    /// where nothing else is said. Asked for the fewest stones, tries one more each time, up to half
    /// the board.
    fn stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
        let (board, stones) = (params.text("board")?, params.text("stones")?);
        if board == SMALLEST && Self::from_params(params)?.paving.is_some() {
            // It blocks them on every board.
            return Self::stage(&params.with("board", INFINITE)?, stage);
        }
        if board == SMALLEST {
            let square = params.with("board", &format!("{0}x{0}", stage + 1))?;
            let any = if stones == FEWEST { square.with("stones", ANY)? } else { square };
            return Ok((stage < MAX_SQUARE).then_some(any));
        }
        let all = Self::from_params(&params.with("stones", ANY)?)?;
        let least = all.placements.smallest.min(all.stones);
        let stones = match stones {
            // A paving takes no search, so there is nothing to try first.
            FEWEST if all.paving.is_some() => (stage == 0).then_some(all.stones),
            FEWEST => Some(least + stage).filter(|&stones| stones <= all.stones),
            _ if stage > 0 => None,
            _ => Some(Self::from_params(params)?.stones),
        };
        stones.map(|stones| params.with("stones", &stones.to_string())).transpose()
    }

    /// The smallest board is found: now the fewest stones there.
    fn further(params: &Params, proven: &Params) -> Result<Option<Params>, ParamError> {
        let both = params.text("board")? == SMALLEST && params.text("stones")? == FEWEST;
        (both && proven.text("stones")? == ANY).then(|| proven.with("stones", FEWEST)).transpose()
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        self.told(verdict)
    }

    fn outlook(&self, reached: Option<&Params>) -> Option<Outlook> {
        self.open_so_far(reached)
    }

    const DRAWS: bool = true;

    fn drawn(&self, strategy: &Strategy<Zone>) -> Option<Drawing> {
        match strategy.verdict() {
            Verdict::Proven => self.winning_line(strategy),
            Verdict::Disproven => self.drawn_paving(),
        }
    }

    fn lore(&self) -> Option<&dyn Lore> {
        Some(self.deck.library())
    }

    fn hear(&self, notes: &[Vec<u8>]) -> usize {
        let new = self.deck.library().hear(notes);
        self.deck.refresh(&self.grid);
        new
    }

    fn duel<'a>(&'a self, strategy: &'a Strategy<Zone>) -> Box<dyn Duel + 'a> {
        Box::new(Stones::new(self, strategy))
    }
}

/// Rows and columns of a board written as `7x7`.
///
/// # Errors
/// When it is none, or too large.
pub fn parse_size(name: &'static str, text: &str) -> Result<(u8, u8), ParamError> {
    let words = if name == "board" { "infinite, smallest, or " } else { "" };
    let expected = || format!("{words}rows x columns as in 7x7, at most {MAX_BOARD} cells");
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

    /// The position with a tally, which its successors keep; without, where there is no room.
    fn tallied(&self, state: Position) -> Position {
        if !self.placements.can_be_kept() {
            return state;
        }
        let left = self.left(&state);
        state.with(Tally::of(&self.placements, state.black, state.white, left))
    }
}

impl Problem for Polyomino {
    type State = Position;
    type Move = Stone;
    type Reason = Zone;

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        self.tallied(Position::START)
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
        let used = u32::from(state.turn == Turn::Or);
        state.after(mv, &self.grid, &self.placements, self.left(state).saturating_sub(used))
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
        Ok(self.tallied(Position::decode(bytes, &self.grid)?))
    }

    fn open(&self, state: &Position, mv: Stone, reason: Option<Zone>, moves: &mut Moves<Stone>) {
        if let Stone::Reply(reply) = mv {
            let answer = reason.map(|zone| self.on_grid(state, mv, zone));
            self.push_next(state, reply, answer, moves);
        }
    }

    fn reason(&self, state: &Position, verdict: Verdict, basis: &[(Stone, Zone)]) -> Zone {
        if verdict == Verdict::Disproven {
            return Zone::default();
        }
        let zone = self.zone(state, basis);
        Zone { cells: self.grid.turned(zone.cells, state.symmetry()), ..zone }
    }

    const RECALLS: bool = true;

    /// A card that lies among the stones settles the weak game, and the strong one where White has
    /// no time to complete anything.
    fn recall(&self, state: &Position) -> Option<(Verdict, Zone)> {
        if state.turn != Turn::Or {
            return None;
        }
        let mut left = self.left(state);
        let (cells, stones) = loop {
            let found = self.deck.find(state.black, state.white, left)?;
            if self.is_safe_for(state, found.1 - 1, 0) {
                break found;
            }
            left = found.1 - 1;
        };
        let zone = self.safe(state, cells, stones);
        Some((Verdict::Proven, Zone { cells: self.grid.turned(cells, state.symmetry()), ..zone }))
    }

    fn learn(&self, state: &Position, verdict: Verdict, zone: Zone, work: u32) {
        let worth = state.turn == Turn::Or && verdict == Verdict::Proven && work >= WORTH_A_CARD;
        if worth && self.deck.find(state.black, state.white, zone.stones).is_none() {
            let cells = self.grid.turned_back(zone.cells, state.symmetry());
            self.deck.add(&self.grid, cells, state.black, zone.stones);
        }
    }

    /// Black's stones count.
    fn length(&self, state: &Position, _: Stone) -> Option<u32> {
        Some(u32::from(state.turn == Turn::Or))
    }

    fn rest(&self, state: &Position) -> Option<u32> {
        if self.expand(state, &mut Moves::new()) != Expansion::Settled(Verdict::Proven) {
            return None;
        }
        let chances = self.chances(state);
        Some(match state.turn {
            _ if chances.won => 0,
            _ if chances.threats != 0 => 1,
            Turn::Or if chances.forks == 0 => 3,
            _ => 2,
        })
    }

    fn show(&self, state: &Position) -> String {
        self.grid.show(|cell| match 1 << cell {
            bit if state.black & bit != 0 => 'X',
            bit if state.white & bit != 0 => 'O',
            _ => '.',
        })
    }

    fn show_move(&self, _: &Position, mv: Stone) -> String {
        mv.cell().map_or_else(|| "elsewhere".to_string(), |cell| self.grid.cell_name(cell))
    }
}

#[cfg(test)]
mod tally_tests;
#[cfg(test)]
mod tests;
