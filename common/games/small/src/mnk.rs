//! Maker–Breaker k in a row on a board of at most 64 cells: Maker (OR, first) wins with k own cells
//! in a row, Breaker only blocks. Small enough to check everything, realistic enough for zones and
//! symmetry.
//!
//! A *zone* of a proof is a set of cells such that the proof still holds after Breaker gets any
//! empty cells outside it. With `zones=on`, Breaker first plays elsewhere (a pass); once that is
//! proven, only replies inside its zone can matter, and only they are opened.

mod board;
mod play;

use hasami_andor::certificate::{
    Checked, Dag, Fault, Header, Listener, Refusal, Sink, Source, Strategy,
};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Numbers, Problem, ProblemId, Turn, Verdict};

use board::Board;
use hasami_game::achieve;
use hasami_game::play::{Duel, Stones};
use hasami_game::{BuildError, Game, Resources};
use hasami_spec::{Param, ParamError, Params, Spec};

const VERSION: u32 = 1;

/// Whether Maker can get k in a row.
#[derive(Clone, Debug)]
pub struct Mnk {
    board: Board,
    zones: bool,
    id: ProblemId,
}

/// The cells of each side as bits, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    maker: u64,
    breaker: u64,
    turn: Turn,
}

/// A move of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// An own stone on this cell.
    Cell(u8),
    /// Breaker plays where it does not matter.
    Elsewhere,
}

/// Facts about the lines of a position.
struct Scan {
    /// Whether Maker has a whole line.
    won: bool,
    /// Whether a line without Breaker's stones is left.
    alive: bool,
    /// Cells that complete a line of Maker's.
    threats: u64,
}

static PARAMS: &[Param] = &[
    Param::number("width", "columns of the board, at most 64 cells in all").or("4"),
    Param::number("height", "rows of the board").or("4"),
    Param::number("line", "how many in a row Maker needs").or("3"),
    Param::switch("zones", "let proofs say which replies matter").or("on"),
    Param::switch("sym", "treat mirrored and turned positions as one").or("on"),
];

impl Game for Mnk {
    const SPEC: Spec = Spec::game(
        "mnk",
        "Maker–Breaker k in a row: can Maker, who begins, get a line?",
        "mnk width=5 height=5 line=3",
        PARAMS,
    )
    .checks(|params| read_size(params).map(drop));

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        let (width, height, line) = read_size(params)?;
        Ok(Self {
            board: Board::new(width, height, line, params.switch("sym")?),
            zones: params.switch("zones")?,
            id: ProblemId::new(Self::NAME, VERSION, &params.canonical()),
        })
    }

    const RULES: u32 = 2;

    /// How it is searched does not matter.
    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        let matters = |key: &str| ["width", "height", "line"].contains(&key);
        let lines = params.iter().filter(|(key, _)| matters(key));
        lines.map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    fn picture(&self, strategy: &Strategy) -> Option<String> {
        let Board { width, height, .. } = self.board;
        let title = format!("Maker gets a line on {height} rows and {width} columns");
        achieve::picture(self, &title, strategy)
    }

    fn duel<'a>(&'a self, strategy: &'a Strategy) -> Box<dyn Duel + 'a> {
        Box::new(Stones::new(self, strategy))
    }
}

/// Width, height and length of a line.
fn read_size(params: &Params) -> Result<(u8, u8, u8), ParamError> {
    let width: u8 = params.number("width", 1..=64)?;
    let height: u8 = params.number("height", 1..=64)?;
    if u32::from(width) * u32::from(height) > 64 {
        let expected = format!("at most 64 cells, so at most {} rows", 64 / width);
        return Err(ParamError::bad("height", height, expected));
    }
    Ok((width, height, params.number("line", 1..=64)?))
}

impl Position {
    /// A unique number for the position. Only AND positions have a cell in both halves: Maker has
    /// moved before.
    fn name(self) -> u128 {
        let low = match self.turn {
            Turn::Or => self.breaker,
            Turn::And => self.breaker | self.maker,
        };
        u128::from(self.maker) << 64 | u128::from(low)
    }
}

impl Mnk {
    fn empty(&self, state: &Position) -> u64 {
        self.board.all & !(state.maker | state.breaker)
    }

    fn scan(&self, state: &Position) -> Scan {
        let mut scan = Scan { won: false, alive: false, threats: 0 };
        for &line in &self.board.lines {
            if line & state.breaker != 0 {
                continue;
            }
            scan.alive = true;
            let missing = line & !state.maker;
            if missing == 0 {
                scan.won = true;
            } else if missing.is_power_of_two() {
                scan.threats |= missing;
            }
        }
        scan
    }

    /// The number of the position in the frame of its key, and the symmetry that maps there.
    fn canonical(&self, state: &Position) -> (u128, usize) {
        let mut best = (state.name(), 0);
        for symmetry in 1..self.board.symmetries() {
            let turned = Position {
                maker: self.board.turned(state.maker, symmetry),
                breaker: self.board.turned(state.breaker, symmetry),
                turn: state.turn,
            };
            best = best.min((turned.name(), symmetry));
        }
        best
    }

    /// A zone on the board of `state`, converted from the frame of its key.
    fn on_board(&self, state: &Position, zone: u64) -> u64 {
        self.board.turned_back(zone, self.canonical(state).1)
    }

    /// The zone of a position that is won by the rules: the cells Maker still has to take.
    fn zone_of_end(&self, state: &Position) -> u64 {
        let scan = self.scan(state);
        let first = scan.threats & scan.threats.wrapping_neg();
        let rest = scan.threats & !first;
        match state.turn {
            _ if scan.won => 0,
            Turn::Or => first,
            // Breaker takes one of two, Maker the other.
            Turn::And => first | rest & rest.wrapping_neg(),
        }
    }
}

fn push_cells(cells: u64, moves: &mut Moves<Placement>) {
    board::bits(cells).for_each(|cell| moves.push(Placement::Cell(cell)));
}

impl Problem for Mnk {
    type State = Position;
    type Move = Placement;
    type Reason = u64;

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        Position { maker: 0, breaker: 0, turn: Turn::Or }
    }

    fn turn(&self, state: &Position) -> Turn {
        state.turn
    }

    fn expand(&self, state: &Position, moves: &mut Moves<Placement>) -> Expansion {
        let scan = self.scan(state);
        let needed = match state.turn {
            Turn::Or => 1,
            Turn::And => 2,
        };
        if scan.won || scan.threats.count_ones() >= needed {
            return Expansion::Settled(Verdict::Proven);
        }
        if !scan.alive {
            return Expansion::Settled(Verdict::Disproven);
        }
        match state.turn {
            Turn::And if scan.threats != 0 => push_cells(scan.threats, moves),
            Turn::And if self.zones => moves.push_opening(Placement::Elsewhere, Numbers::UNKNOWN),
            _ => push_cells(self.empty(state), moves),
        }
        Expansion::Open
    }

    fn play(&self, state: &Position, mv: Placement) -> Position {
        let stone = match mv {
            Placement::Cell(cell) => 1 << cell,
            Placement::Elsewhere => 0,
        };
        match state.turn {
            Turn::Or => Position { maker: state.maker | stone, turn: Turn::And, ..*state },
            Turn::And => Position { breaker: state.breaker | stone, turn: Turn::Or, ..*state },
        }
    }

    fn key(&self, state: &Position) -> Key {
        Key::mixed(self.canonical(state).0)
    }

    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        out.push(u8::from(state.turn == Turn::And));
        out.extend_from_slice(&state.maker.to_le_bytes());
        out.extend_from_slice(&state.breaker.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        let bad = |expected: &str| {
            BadState(format!("mnk: found bytes {bytes:02x?}; expected {expected}"))
        };
        let Ok(&[turn, ref cells @ ..]) = <&[u8; 17]>::try_from(bytes) else {
            return Err(bad("17 of them"));
        };
        let cells = u128::from_le_bytes(*cells);
        let (maker, breaker) = (cells as u64, (cells >> 64) as u64);
        if (maker | breaker) & !self.board.all != 0 {
            return Err(bad("stones on the board"));
        }
        if maker & breaker != 0 {
            return Err(bad("one stone on a cell"));
        }
        let (turn, ahead) = match turn {
            0 => (Turn::Or, 0),
            1 => (Turn::And, 1),
            _ => return Err(bad("0 or 1 for the turn")),
        };
        let (made, answered) = (maker.count_ones(), breaker.count_ones() + ahead);
        // Breaker has fewer stones if it has played elsewhere.
        if made < answered || made > answered && !self.zones {
            return Err(bad("as many stones as the turn asks for"));
        }
        Ok(Position { maker, breaker, turn })
    }

    fn open(
        &self,
        state: &Position,
        mv: Placement,
        reason: Option<u64>,
        moves: &mut Moves<Placement>,
    ) {
        if mv == Placement::Elsewhere {
            let zone = reason.map_or(u64::MAX, |zone| self.on_board(&self.play(state, mv), zone));
            push_cells(self.empty(state) & zone, moves);
        }
    }

    fn reason(&self, state: &Position, verdict: Verdict, basis: &[(Placement, u64)]) -> u64 {
        if !self.zones || verdict == Verdict::Disproven {
            return 0;
        }
        let mut zone = match basis {
            [] => self.zone_of_end(state),
            _ => 0,
        };
        for &(mv, child) in basis {
            zone |= self.on_board(&self.play(state, mv), child);
            // Maker's stone must be possible; and if Breaker's only reply is forced, the threat
            // must be.
            if let Placement::Cell(cell) = mv {
                zone |= 1 << cell;
            }
        }
        self.board.turned(zone, self.canonical(state).1)
    }

    /// Counts Maker's stones.
    fn length(&self, state: &Position, _: Placement) -> Option<u32> {
        Some(u32::from(state.turn == Turn::Or))
    }

    /// A line with one missing cell takes one more stone.
    fn rest(&self, state: &Position) -> Option<u32> {
        let scan = self.scan(state);
        scan.alive.then_some(u32::from(!scan.won))
    }

    /// Maker's cell; for Breaker 0 if elsewhere, and else one more than the cell.
    fn put_move(&self, state: &Position, mv: Placement, out: &mut Vec<u8>) {
        out.push(match (state.turn, mv) {
            (Turn::Or, Placement::Cell(cell)) => cell,
            (Turn::And, Placement::Cell(cell)) => cell + 1,
            (_, Placement::Elsewhere) => 0,
        });
    }

    fn take_move(&self, state: &Position, from: &mut Source<'_>) -> Result<Placement, Fault> {
        let byte = from.byte()?;
        let cell = if state.turn == Turn::Or { Some(byte) } else { byte.checked_sub(1) };
        if cell.is_some_and(|cell| u32::from(cell) >= self.board.all.count_ones()) {
            return Err(format!("move {byte}; there are {} cells", self.board.all.count_ones()));
        }
        Ok(cell.map_or(Placement::Elsewhere, Placement::Cell))
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
        self.board.show(|cell| match 1 << cell {
            bit if state.maker & bit != 0 => 'X',
            bit if state.breaker & bit != 0 => 'O',
            _ => '.',
        })
    }

    fn show_move(&self, _: &Position, mv: Placement) -> String {
        match mv {
            Placement::Cell(cell) => self.board.cell_name(cell),
            Placement::Elsewhere => "elsewhere".to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
