//! Achievement games for polyominoes (Harary): the player who first owns all cells of a target
//! shape, in any orientation, wins. Can Black, who moves first, force that with at most this many
//! stones?
//!
//! *Strong*: the first to complete a target wins. *Weak*: White only blocks. On a board n×m the
//! answer is exact both ways. On the infinite board play is searched in a window; a proof holds on
//! the whole plane, by zones: see `docs/polyomino.md`. A disproof there only means that this search
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
mod question;
pub mod scan;
pub mod shape;
mod tally;
mod told;
mod zone;

use std::sync::Arc;

use hasami_andor::certificate::{
    Checked, Dag, Fault, Header, Least, Listener, Refusal, Sink, Source, Strategy,
};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Turn, Verdict};

use crate::paving::Paving;
use blocked::blocking_paving;
use cards::{Deck, Library};
use grid::Grid;
use hasami_game::achieve;
use hasami_game::learned::Learned;
use hasami_game::play::{Duel, Stones};
use hasami_game::{BuildError, Drawing, Game, KnownStage, Meaning, Outlook, Resources};
use hasami_spec::{Params, Spec};
pub use position::{Position, Reply, Stone};
use question::Asked;
pub use question::parse_size;
use scan::Placements;
use shape::{Shape, plain_set};
use tally::Tally;
pub use zone::Zone;

const VERSION: u32 = 4;
/// A proof that took fewer nodes is found again as fast as its card.
const WORTH_A_CARD: u32 = 32;

/// Whether Black can complete one of the shapes with this many stones.
#[derive(Clone, Debug)]
pub struct Polyomino {
    shapes: Vec<Shape>,
    grid: Grid,
    placements: Placements,
    /// Whether the grid is a window on the infinite board.
    infinite: bool,
    /// Whether White only blocks.
    weak: bool,
    /// How many stones Black may use.
    stones: u32,
    /// A paving that blocks every shape on any board: White answers in the partner cell.
    paving: Option<Paving>,
    id: ProblemId,
    /// Winning patterns, on this grid.
    deck: Arc<Deck>,
}

impl Game for Polyomino {
    const SPEC: Spec = question::SPEC;

    fn build(params: &Params, resources: &Resources) -> Result<Self, BuildError> {
        let asked = Asked::read(params)?;
        let grid = Grid::new(asked.height, asked.width);
        let library = Library::of(&asked.set, resources);
        Ok(Self {
            placements: Placements::new(&grid, &asked.set, asked.infinite),
            paving: blocking_paving(&asked.set, resources),
            deck: Arc::new(Deck::new(library, &grid)),
            id: ProblemId::new(Self::NAME, VERSION, &asked.spelled()),
            infinite: asked.infinite,
            weak: asked.weak,
            stones: asked.stones,
            shapes: asked.shapes,
            grid,
        })
    }

    /// A paving that blocks the shapes does so on every board, with any number of stones.
    fn known_stages(
        params: &Params,
        resources: &Resources,
    ) -> Result<Option<Vec<KnownStage>>, BuildError> {
        let blocked = Self::refuting_stage(params, resources)?;
        let known = |params| vec![KnownStage { params, expected: Some(Verdict::Disproven) }];
        Ok(blocked.map(known))
    }

    fn refuting_stage(
        params: &Params,
        resources: &Resources,
    ) -> Result<Option<Params>, BuildError> {
        let blocked = || Ok::<_, BuildError>(Asked::read(params)?.set);
        if !question::leaves_open(params)? || blocking_paving(&blocked()?, resources).is_none() {
            return Ok(None);
        }
        Ok(Some(question::blocked_stage(params)?))
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        self.told(verdict)
    }

    fn outlook(&self, reached: Option<&Params>) -> Option<Outlook> {
        self.open_so_far(reached)
    }

    fn outlook_of(&self, fields: &[(String, String)]) -> Option<Outlook> {
        self.open_with(fields)
    }

    const RULES: u32 = 5;

    /// The window matters only where the board is infinite.
    fn stated(&self, _: &Params) -> Vec<(String, String)> {
        let size = format!("{}x{}", self.grid.height, self.grid.width);
        let set = plain_set(&self.shapes);
        let pictures = set.iter().map(Shape::picture).collect::<Vec<_>>().join(",");
        let board = if self.infinite { "infinite".to_string() } else { size.clone() };
        let game = if self.weak { "weak" } else { "strong" };
        let mut lines = vec![
            ("shapes", pictures),
            ("board", board),
            ("game", game.to_string()),
            ("stones", self.stones.to_string()),
        ];
        lines.extend(self.infinite.then_some(("window", size)));
        lines.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }

    /// On a finite board fewer stones than the smallest shape has never suffice.
    fn least(&self, key: &str) -> Option<Least> {
        let known = key == "stones" && !self.infinite;
        known.then_some(Least { from: self.placements.smallest, step: 1 })
    }

    const DRAWS: bool = true;

    fn drawn(&self, strategy: &Strategy) -> Option<Drawing> {
        match strategy.verdict() {
            Verdict::Proven => self.winning_line(strategy),
            Verdict::Disproven => self.drawn_paving(),
        }
    }

    fn picture(&self, strategy: &Strategy) -> Option<String> {
        let (Meaning::Claim(title) | Meaning::Nothing(title)) = self.told(strategy.verdict());
        achieve::picture(self, &title, strategy)
    }

    fn learned(&self) -> Option<&dyn Learned> {
        Some(self.deck.library())
    }

    fn merge_notes(&self, notes: &[Vec<u8>]) -> usize {
        let new = self.deck.library().merge(notes);
        self.deck.refresh(&self.grid);
        new
    }

    fn duel<'a>(&'a self, strategy: &'a Strategy) -> Box<dyn Duel + 'a> {
        Box::new(Stones::new(self, strategy))
    }
}

impl Polyomino {
    /// The grid of the search: the board, or the window.
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

    /// The position with a tally, which its successors update; without one if it does not fit.
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

    /// A card that matches the stones settles the weak game, and the strong one if White has no
    /// time to complete anything.
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

    /// Counts Black's stones.
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

    /// Black's cell; for White 0 if elsewhere, and else one more than the cell.
    fn put_move(&self, state: &Position, mv: Stone, out: &mut Vec<u8>) {
        out.push(match (state.turn, mv.cell()) {
            (Turn::Or, Some(cell)) => cell,
            (Turn::And, Some(cell)) => cell + 1,
            (_, None) => 0,
        });
    }

    fn take_move(&self, state: &Position, from: &mut Source<'_>) -> Result<Stone, Fault> {
        let byte = from.byte()?;
        let cell = if state.turn == Turn::Or { Some(byte) } else { byte.checked_sub(1) };
        if cell.is_some_and(|cell| u32::from(cell) >= self.grid.all.count_ones()) {
            return Err(format!("move {byte}; there are {} cells", self.grid.all.count_ones()));
        }
        Ok(achieve::StoneGame::stone(self, cell))
    }

    fn prove(&self, dag: &Dag<Self>, out: &mut Sink<'_>, header: &dyn Fn(Option<u32>) -> Header) {
        achieve::write(self, dag, out, header);
    }

    fn check(
        &self,
        verdict: Verdict,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, Position>,
    ) -> Result<Checked, Refusal> {
        achieve::check(self, verdict, from, listener)
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
