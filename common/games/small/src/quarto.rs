//! QUARTO! (Blaise Müller 1985): sixteen pieces of four bits on a 4 × 4 board. A turn places the
//! given piece and hands the opponent one of the rest. The player who places the fourth piece of a
//! line whose pieces share a bit value wins at once; a full board without one is a draw.
//!
//! The parameters are a position and the question: a win, or no loss, and within how many plies.

mod lines;
pub mod notation;
mod position;
mod puzzle;
mod question;
pub mod solver;
mod symmetry;
#[cfg(test)]
mod tests;
mod turning;

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Numbers, Problem, ProblemId, Turn, Verdict};

pub use position::Position;
use position::{NO_PIECE, members};
pub use solver::{Ply, Solver, Value};

use hasami_game::Game;
use hasami_game::race::Ask;

/// Whether the side to place wins from a position, or at least does not lose.
#[derive(Clone, Debug)]
pub struct Quarto {
    position: Position,
    ask: Ask,
    /// The number of plies played; 16 means no limit.
    plies: u8,
}

/// A position, the side to move, and the number of plies left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    position: Position,
    turn: Turn,
    plies: u8,
}

impl State {
    /// The board and the piece in hand.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// How a game ended.
enum End {
    /// The last placement has completed a line.
    Line,
    /// The game is a draw.
    Draw,
}

impl Quarto {
    fn end(state: &State) -> Option<End> {
        match state.position.hand() {
            None if state.position.has_line() => Some(End::Line),
            None => Some(End::Draw),
            Some(_) if state.plies == 0 => Some(End::Draw),
            Some(_) => None,
        }
    }

    /// The verdict of a draw.
    fn of_draw(&self) -> Verdict {
        match self.ask {
            Ask::Win => Verdict::Disproven,
            Ask::NotLose => Verdict::Proven,
        }
    }

    /// The largest possible number of plies from the root.
    fn plies_from(position: &Position, within: u8) -> u8 {
        within.min(position.empty().count_ones() as u8)
    }
}

fn other(turn: Turn) -> Turn {
    match turn {
        Turn::Or => Turn::And,
        Turn::And => Turn::Or,
    }
}

impl Problem for Quarto {
    type State = State;
    type Move = Ply;
    type Reason = ();

    fn id(&self) -> ProblemId {
        let position = notation::write(&self.position);
        let parameters = format!("position={position} ask={:?} plies={}", self.ask, self.plies);
        ProblemId::new("quarto", <Self as Game>::RULES, &parameters)
    }

    fn root(&self) -> State {
        State { position: self.position, turn: Turn::Or, plies: self.plies }
    }

    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    /// If a line can be completed, only that is offered: nothing is better, and an opponent of a
    /// certificate never gets there.
    fn expand(&self, state: &State, moves: &mut Moves<Ply>) -> Expansion {
        match Self::end(state) {
            Some(End::Line) => return Expansion::Settled(state.turn.wish().opposite()),
            Some(End::Draw) => return Expansion::Settled(self.of_draw()),
            None => {}
        }
        let position = &state.position;
        let winning = position.winning_cells();
        if winning != 0 {
            members(winning).for_each(|cell| moves.push(Ply { cell, gift: None }));
            return Expansion::Open;
        }
        for cell in members(position.empty()) {
            if position.left() == 0 {
                moves.push(Ply { cell, gift: None });
                continue;
            }
            let losing = position.place(cell).losing_gifts();
            let safe = (position.left() & !losing).count_ones();
            for gift in members(position.left()) {
                let first = rated(state.turn, safe, losing >> gift & 1 == 1);
                moves.push_rated(Ply { cell, gift: Some(gift) }, first);
            }
        }
        Expansion::Open
    }

    fn play(&self, state: &State, ply: Ply) -> State {
        let placed = state.position.place(ply.cell);
        let position = match ply.gift {
            Some(gift) => placed.give(gift),
            None => placed,
        };
        State { position, turn: other(state.turn), plies: state.plies.saturating_sub(1) }
    }

    fn key(&self, state: &State) -> Key {
        let turn = u128::from(state.turn == Turn::And);
        let Some(end) = Self::end(state) else {
            let form = symmetry::symmetry().canonical(&state.position);
            let board = u128::from(form.planes) << 16 | u128::from(form.cells);
            return Key::mixed(board | turn << 80 | u128::from(state.plies) << 81);
        };
        // The key of an ended game depends only on how it ended; no board of an open game has this
        // bit.
        Key::mixed(1 << 127 | turn << 1 | u128::from(matches!(end, End::Line)))
    }

    fn encode(&self, state: &State, out: &mut Vec<u8>) {
        out.push(u8::from(state.turn == Turn::And));
        out.push(state.position.hand);
        for set in [state.position.occupied].iter().chain(&state.position.planes) {
            out.extend_from_slice(&set.to_le_bytes());
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<State, BadState> {
        self.read_state(bytes)
            .map_err(|expected| BadState(format!("quarto: found {bytes:?}; expected {expected}")))
    }

    fn length(&self, _: &State, _: Ply) -> Option<u32> {
        Some(1)
    }

    fn rest(&self, state: &State) -> Option<u32> {
        matches!(Self::end(state), Some(End::Line)).then_some(0)
    }

    fn put_move(&self, _: &State, ply: Ply, out: &mut Vec<u8>) {
        out.extend([ply.cell, ply.gift.unwrap_or(NO_PIECE)]);
    }

    fn take_move(&self, _: &State, from: &mut Source<'_>) -> Result<Ply, Fault> {
        match (from.byte()?, from.byte()?) {
            (cell @ 0..16, gift @ 0..=NO_PIECE) => {
                Ok(Ply { cell, gift: (gift != NO_PIECE).then_some(gift) })
            }
            (cell, gift) => Err(format!("cell {cell} and piece {gift}")),
        }
    }

    fn rule(&self, state: &State) -> u8 {
        match Self::end(state) {
            Some(End::Line) => 1,
            _ if state.position.hand().is_none() => 2,
            _ => 3,
        }
    }

    fn put_symmetry(&self, kept: &State, here: &State, out: &mut Vec<u8>) {
        out.extend(turning::between(&kept.position, &here.position));
    }

    fn turned(&self, kept: &State, from: &mut Source<'_>) -> Result<State, Fault> {
        let bytes = [from.byte()?, from.byte()?, from.byte()?, from.byte()?];
        let position = turning::apply(bytes, &kept.position)?;
        Ok(State { position, ..*kept })
    }

    fn show(&self, state: &State) -> String {
        let sign = |piece: Option<u8>| piece.map_or("····".to_string(), |p| format!("{p:04b}"));
        let position = &state.position;
        let row = |row: u8| {
            let cells = (4 * row..4 * row + 4).map(|cell| sign(position.at(cell)));
            cells.collect::<Vec<_>>().join(" ")
        };
        let board = (0..4).map(row).collect::<Vec<_>>().join("\n");
        let left: Vec<String> = members(position.left()).map(|p| format!("{p:04b}")).collect();
        match position.hand() {
            Some(hand) => format!("{board}\nto place: {hand:04b}; left: {}", left.join(" ")),
            None => board,
        }
    }

    fn show_move(&self, _: &State, ply: Ply) -> String {
        match ply.gift {
            Some(gift) => format!("{}:{gift:x}", ply.cell),
            None => ply.cell.to_string(),
        }
    }
}

impl Quarto {
    /// Decodes a state, or says what was expected: only states that plies can reach from the root,
    /// in number and colour of the pieces.
    fn read_state(&self, bytes: &[u8]) -> Result<State, &'static str> {
        let &[turn @ (0 | 1), hand @ 0..=NO_PIECE, ref sets @ ..] = bytes else {
            return Err("0 or 1 for the turn and a piece in hand up to 16, for none");
        };
        let sets: &[u8; 10] = sets.try_into().map_err(|_| "five sets of cells, two bytes each")?;
        let set = |i: usize| u16::from_le_bytes([sets[2 * i], sets[2 * i + 1]]);
        let (occupied, planes) = (set(0), [set(1), set(2), set(3), set(4)]);
        if planes.iter().any(|plane| plane & !occupied != 0) {
            return Err("bits on occupied cells only");
        }
        let mut position = Position { occupied, planes, left: u16::MAX, hand: NO_PIECE };
        let board = position;
        let on_board = (0..16).filter_map(|cell| board.at(cell));
        for piece in on_board.chain((hand != NO_PIECE).then_some(hand)) {
            if position.left >> piece & 1 == 0 {
                return Err("every piece once");
            }
            position.left &= !(1 << piece);
        }
        position.hand = hand;
        let root = &self.position;
        let kept = |new: u16, old: u16| new & root.occupied == old;
        if !kept(occupied, root.occupied) || (0..4).any(|b| !kept(planes[b], root.planes[b])) {
            return Err("the pieces of the root where they were");
        }
        let played = position.pieces() - root.pieces();
        if played > u32::from(self.plies) || u32::from(turn) != played % 2 {
            return Err("as many plies as the question allows, and the turn that fits them");
        }
        if played == 0 && hand != root.hand {
            return Err("the piece in hand of the root");
        }
        if hand == NO_PIECE && position.left != 0 && !position.has_line() {
            return Err("a piece in hand while the game goes on");
        }
        if hand != NO_PIECE && position.has_line() {
            return Err("no piece in hand after a line");
        }
        let turn = if turn == 0 { Turn::Or } else { Turn::And };
        Ok(State { position, turn, plies: self.plies - played as u8 })
    }
}

/// Initial numbers after a gift: one that loses at once is hopeless, and the fewer safe gifts there
/// were, the nearer the end is.
fn rated(turn: Turn, safe: u32, loses: bool) -> Numbers {
    const HOPELESS: u32 = 40;
    let (good, bad) = if loses { (HOPELESS, 1) } else { (1 + safe, 2) };
    match turn {
        Turn::Or => Numbers::open(good, bad),
        Turn::And => Numbers::open(bad, good),
    }
}
