//! What the rules decide about a position, and its moves with initial numbers.
//!
//! Bounds settle positions early; each is exact on a board, and sound for proofs on the infinite
//! one. Placements that need more stones than Black has left are dead. If the potential Σ
//! 2^(−missing cells) of the others is below 1/2 with Black to move, or below 1 with White to move,
//! White stops them all by always taking the cell of greatest potential (Erdős & Selfridge 1973).
//! With three stones left or fewer, see [`super::endgame`]. A set of shapes that a paving blocks is
//! lost from the start.

use hasami_andor::{Expansion, Moves, Numbers, Turn, Verdict};

use super::Polyomino;
use super::endgame::Endgame;
use super::grid::{bits, each_bit};
use super::position::{Position, Reply, Stone};
use super::scan::{Chances, WHOLE, Weight, Weights};
use super::tally::Tally;
use super::zone::Zone;

const HALF: u64 = WHOLE / 2;
const PROVEN: Expansion = Expansion::Settled(Verdict::Proven);
const DISPROVEN: Expansion = Expansion::Settled(Verdict::Disproven);

/// Penalty of a Black move for each move that looks better.
const RANK: u32 = 10;

impl Polyomino {
    /// Black's chances. Forks count if Black is to move and has no threat.
    pub(super) fn chances(&self, state: &Position) -> Chances {
        let left = self.left(state);
        match state.tally() {
            Some(tally) => {
                tally.chances(&self.placements, state.black, left, state.turn == Turn::Or)
            }
            None => self.placements.chances(state.black, state.white, left),
        }
    }

    /// The weights of each cell.
    fn weights<'a>(&self, state: &'a Position) -> Scales<'a> {
        let left = self.left(state);
        match state.tally() {
            Some(tally) => Scales::Kept(tally, left),
            None => Scales::New(self.placements.weights(state.black, state.white, left)),
        }
    }

    /// The placements that Black completes with two stones, or with three if `deep`.
    pub(super) fn endgame(&self, state: &Position, deep: bool) -> Endgame {
        match state.tally() {
            Some(tally) => tally.endgame(&self.placements, state.black, deep),
            None => self.placements.endgame(state.black, state.white, deep),
        }
    }

    pub(super) fn expand_or(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        if state.black == 0 && self.paving.is_some() {
            return DISPROVEN;
        }
        let left = self.left(state);
        let chances = self.chances(state);
        if chances.won || left >= 1 && chances.threats != 0 {
            return PROVEN;
        }
        if left < 2 || chances.potential < HALF {
            return DISPROVEN;
        }
        let Some(may) = self.unforced(state) else {
            return DISPROVEN;
        };
        if self.sound_fork(state, chances.forks & may).is_some() {
            return PROVEN;
        }
        if left == 2 {
            return DISPROVEN;
        }
        if left == 3 && chances.forks == 0 {
            if self.last_three(state).is_none() {
                return DISPROVEN;
            }
            if self.is_safe(state) {
                return PROVEN;
            }
        }
        if state.black == 0 && self.infinite {
            // All first moves are equivalent.
            moves.push(Stone::Cell(self.grid.cell((self.grid.height / 2, self.grid.width / 2))));
            return Expansion::Open;
        }
        self.push_stones(state, &chances, may, moves);
        if moves.is_empty() { DISPROVEN } else { Expansion::Open }
    }

    /// Black's moves: those that are useful and leave enough potential. A cell that is useless to
    /// Black may still have to be denied to White.
    fn push_stones(
        &self,
        state: &Position,
        chances: &Chances,
        may: u128,
        moves: &mut Moves<Stone>,
    ) {
        let weights = self.weights(state);
        // Placements that need all stones left die if the move is not in them.
        let others = chances.potential - chances.tight;
        let mut good = weights.at_least(WHOLE.saturating_sub(others).max(1));
        if others >= WHOLE {
            good |= self.white_needs(state);
        }
        let mut ranks = Ranks::default();
        each_bit(good & may, |cell| ranks.add(weights.of(cell).peaked));
        each_bit(good & may, |cell| {
            let weight = weights.of(cell);
            let mut first = rate((others + weight.potential + weight.tight) / 2);
            first.proof += RANK * ranks.of(weight.peaked);
            moves.push_rated(Stone::Cell(cell), first);
        });
    }

    pub(super) fn expand_and(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        let left = self.left(state);
        let chances = self.chances(state);
        if chances.won {
            return PROVEN;
        }
        let threats = chances.threats.count_ones();
        let hopeless = left == 0 || left == 1 && threats < 2 || chances.potential < WHOLE;
        if hopeless || self.white_may_win(state.black, state.white, state.elsewhere()) {
            return DISPROVEN;
        }
        match threats {
            0 => self.expand_quiet(state, &chances, moves),
            1 => {
                let cell = chances.threats.trailing_zeros() as u8;
                moves.push_rated(Stone::Cell(cell), rate(chances.potential / 2));
                Expansion::Open
            }
            _ => PROVEN,
        }
    }

    /// White is free to move: tries the heaviest cell, which hides all others until it is answered.
    fn expand_quiet(
        &self,
        state: &Position,
        chances: &Chances,
        moves: &mut Moves<Stone>,
    ) -> Expansion {
        let left = self.left(state);
        if left == 2 {
            let endgame = self.endgame(state, false);
            if endgame.survives_any_reply(0).is_none() {
                return DISPROVEN;
            }
            if self.is_safe(state) {
                return PROVEN;
            }
        }
        let Some((cell, weight)) = self.weights(state).heaviest(self.empty(state)) else {
            return DISPROVEN;
        };
        let after = chances.potential - weight;
        if after < HALF {
            return DISPROVEN;
        }
        let first = Reply::new(Some(cell), true, self.empty(state) & !(1 << cell));
        moves.push_opening(Stone::Reply(first), rate(after));
        Expansion::Open
    }

    /// After a reply of White's is answered, along with those that the answer covers, offers the
    /// heaviest of the others; all of them if the answer is not known.
    pub(super) fn push_next(
        &self,
        state: &Position,
        reply: Reply,
        answer: Option<Zone>,
        moves: &mut Moves<Stone>,
    ) {
        let Some(answer) = answer else {
            let cells = bits(reply.rest()).map(Some).chain(reply.far.then_some(None));
            return cells.for_each(|cell| moves.push(Stone::Reply(Reply::new(cell, false, 0))));
        };
        let elsewhere = reply.cell.is_none() || answer.stands_for_others();
        let (far, rest) = if elsewhere {
            (false, reply.rest() & answer.cells)
        } else {
            (reply.far, reply.rest())
        };
        let potential = self.chances(state).potential;
        if far {
            let next = Reply::new(None, false, rest);
            return moves.push_opening(Stone::Reply(next), rate(potential));
        }
        if let Some((cell, weight)) = self.weights(state).heaviest(rest) {
            let next = Reply::new(Some(cell), false, rest & !(1 << cell));
            moves.push_opening(Stone::Reply(next), rate(potential.saturating_sub(weight)));
        }
    }

    /// The cells that White's threats leave to Black: all, or the one of White's threat. `None` if
    /// White has two threats.
    pub(super) fn unforced(&self, state: &Position) -> Option<u128> {
        if self.weak || state.white.count_ones() + 1 < self.placements.smallest {
            return Some(self.empty(state));
        }
        let threats = self.placements.threats(state.white, state.black);
        match threats.count_ones() {
            0 => Some(self.empty(state)),
            1 => Some(threats),
            _ => None,
        }
    }

    /// Black to move: the cells of placements that White could complete before Black's last stone.
    fn white_needs(&self, state: &Position) -> u128 {
        let moves = self.left(state).saturating_sub(1);
        if self.weak || state.white.count_ones() + moves < self.placements.smallest {
            0
        } else {
            self.placements.lacking(state.white, state.black, moves)
        }
    }

    /// Whether White, to move against the stones `black`, may be able to complete something at
    /// once.
    pub(super) fn white_may_win(&self, black: u128, white: u128, elsewhere: u32) -> bool {
        !self.weak
            && self.white_has_enough(black)
            && (self.infinite && elsewhere + 1 >= self.placements.smallest
                || self.placements.one_is_enough(white, black, elsewhere))
    }

    /// Whether White, to move against the stones `black`, has enough stones to complete a shape
    /// with the next one.
    pub(super) fn white_has_enough(&self, black: u128) -> bool {
        black.count_ones() >= self.placements.smallest
    }

    /// Whether White cannot complete anything before Black has used up the stones left: then the
    /// strong game equals the weak one from here on.
    pub(super) fn is_safe(&self, state: &Position) -> bool {
        self.is_safe_for(state, self.left(state) - u32::from(state.turn == Turn::Or), 0)
    }

    /// Whether White cannot complete anything with this many moves, even with `slack` more stones
    /// than the position lacks.
    pub(super) fn is_safe_for(&self, state: &Position, moves: u32, slack: u32) -> bool {
        let reach = state.elsewhere() + slack + moves;
        self.weak || !self.placements.within_reach(state.white, state.black, reach, self.infinite)
    }

    /// The cells that Black's win with three stones needs in the weak game, if there is one.
    pub(super) fn last_three(&self, state: &Position) -> Option<u128> {
        let mut endgame = self.endgame(state, true);
        endgame.wins_with_three(self.empty(state))
    }
}

/// Initial numbers of a position with this potential and Black to move.
fn rate(potential: u64) -> Numbers {
    let halves = potential / HALF;
    Numbers::open(1 + (20 * HALF / potential.max(HALF)) as u32, 1 + halves.min(1 << 20) as u32)
}

/// The weights of cells: from the tally, or computed for this position.
#[expect(clippy::large_enum_variant, reason = "it lives on the stack, within one call")]
enum Scales<'a> {
    Kept(&'a Tally, u32),
    New(Weights),
}

impl Scales<'_> {
    /// The cells whose potential plus tight part is at least `bound`.
    fn at_least(&self, bound: u64) -> u128 {
        match self {
            Self::Kept(tally, left) => tally.at_least(bound, *left),
            Self::New(weights) => weights.at_least(bound),
        }
    }

    /// The heaviest cell within a set, the last of equals, and its potential.
    fn heaviest(&self, within: u128) -> Option<(u8, u64)> {
        match self {
            Self::Kept(tally, left) => tally.heaviest(within, *left),
            Self::New(weights) => weights.heaviest(within),
        }
    }

    fn of(&self, cell: u8) -> Weight {
        match self {
            Self::Kept(tally, left) => tally.weight(cell, *left),
            Self::New(weights) => weights.of(cell),
        }
    }
}

/// Weights, to count how many are greater than another. There are few, so they are not sorted.
struct Ranks {
    weights: [u64; 128],
    len: usize,
}

impl Default for Ranks {
    fn default() -> Self {
        Self { weights: [0; 128], len: 0 }
    }
}

impl Ranks {
    fn add(&mut self, weight: u64) {
        self.weights[self.len & 127] = weight;
        self.len += 1;
    }

    fn of(&self, weight: u64) -> u32 {
        self.weights[..self.len].iter().map(|&other| u32::from(other > weight)).sum()
    }
}
