//! Stones on a grid: moves, keys, and bytes.

use hasami_andor::problem::BadState;
use hasami_andor::{Key, Turn};

use crate::polyomino::grid::{Grid, Hashes, bits};
use crate::polyomino::scan::Placements;
use crate::polyomino::tally::Tally;

/// The turn is part of the hashes too.
const TURN_HASH: u64 = 0x9d39_247e_3377_6d41;

/// The stones on the grid. White moves played elsewhere are not stored: they are the missing ones.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Black's stones.
    pub black: u128,
    /// White's stones on the grid.
    pub white: u128,
    /// The side to move; Black is OR.
    pub turn: Turn,
    hashes: Hashes,
    /// Whether the tally belongs to these stones: a game updates it from move to move where it can.
    tallied: bool,
    tally: Tally,
}

impl PartialEq for Position {
    /// Compares the stones only: a tally may be present or not.
    fn eq(&self, other: &Self) -> bool {
        (self.black, self.white, self.turn) == (other.black, other.white, other.turn)
    }
}

impl Eq for Position {}

/// A move of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stone {
    /// Black's move, or White's forced one.
    Cell(u8),
    /// A free move of White's.
    Reply(Reply),
}

/// A free move of White's, and what remains to be answered after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The cell, or `None` for any place where it does not matter.
    pub cell: Option<u8>,
    /// Whether moves that are elsewhere for every proof still need an answer.
    pub far: bool,
    rest: [u64; 2],
}

impl Reply {
    /// A stone on `cell`; the moves in `rest`, and far away if `far`, still need an answer.
    #[must_use]
    pub fn new(cell: Option<u8>, far: bool, rest: u128) -> Self {
        Self { cell, far, rest: [rest as u64, (rest >> 64) as u64] }
    }

    /// The cells that still need an answer, without its own.
    #[must_use]
    pub fn rest(&self) -> u128 {
        u128::from(self.rest[0]) | u128::from(self.rest[1]) << 64
    }
}

impl Stone {
    /// The cell of the move; `None` for elsewhere.
    #[must_use]
    pub fn cell(self) -> Option<u8> {
        match self {
            Self::Cell(cell) => Some(cell),
            Self::Reply(reply) => reply.cell,
        }
    }
}

impl Position {
    /// The empty grid, Black to move.
    pub const START: Self = Self {
        black: 0,
        white: 0,
        turn: Turn::Or,
        hashes: [0; 8],
        tallied: false,
        tally: Tally::NOTHING,
    };

    /// A position with these stones, if it is possible: one stone per cell, and White has no more
    /// than turns.
    ///
    /// # Errors
    /// What was expected.
    pub fn new(black: u128, white: u128, turn: Turn, grid: &Grid) -> Result<Self, &'static str> {
        let ahead = u32::from(turn == Turn::And);
        if (black | white) & !grid.all != 0 {
            return Err("stones on the board");
        }
        if black & white != 0 {
            return Err("one stone on a cell");
        }
        if black.count_ones() < white.count_ones() + ahead {
            return Err("no more stones of White's than turns");
        }
        let mut hashes = [if ahead == 1 { TURN_HASH } else { 0 }; 8];
        for (side, stones) in [black, white].into_iter().enumerate() {
            for cell in bits(stones) {
                for (hash, stone) in hashes.iter_mut().zip(grid.stone(cell, side)) {
                    *hash ^= stone;
                }
            }
        }
        Ok(Self { black, white, turn, hashes, ..Self::START })
    }

    /// The tally of what Black can still complete, if there is one.
    #[inline]
    pub(super) fn tally(&self) -> Option<&Tally> {
        self.tallied.then_some(&self.tally)
    }

    /// The same position with a tally.
    pub(super) fn with(self, tally: Tally) -> Self {
        Self { tallied: true, tally, ..self }
    }

    /// The position after a move. `left` is the number of stones that Black has left after it.
    #[inline]
    #[must_use]
    pub(super) fn after(&self, mv: Stone, grid: &Grid, placements: &Placements, left: u32) -> Self {
        let mut next = *self;
        next.hashes = self.hashes_after(mv, grid);
        if let (true, Some(cell)) = (self.tallied, mv.cell()) {
            match self.turn {
                Turn::Or => next.tally.add_black(placements, self.black, cell, left),
                Turn::And => next.tally.add_white(placements, self.black, cell),
            }
        }
        let stone = mv.cell().map_or(0, |cell| 1 << cell);
        match self.turn {
            Turn::Or => (next.black, next.turn) = (self.black | stone, Turn::And),
            Turn::And => (next.white, next.turn) = (self.white | stone, Turn::Or),
        }
        next
    }

    #[inline]
    fn hashes_after(&self, mv: Stone, grid: &Grid) -> Hashes {
        let mut hashes = self.hashes;
        match mv.cell() {
            Some(cell) => {
                let stones = grid.stone(cell, usize::from(self.turn == Turn::And));
                for (hash, stone) in hashes.iter_mut().zip(stones) {
                    *hash ^= stone ^ TURN_HASH;
                }
            }
            None => hashes.iter_mut().for_each(|hash| *hash ^= TURN_HASH),
        }
        hashes
    }

    /// The key of the position, equal for symmetric positions.
    #[must_use]
    pub fn key(&self) -> Key {
        key_of(&self.hashes)
    }

    /// The key of the position after a move.
    #[inline]
    #[must_use]
    pub fn key_after(&self, mv: Stone, grid: &Grid) -> Key {
        key_of(&self.hashes_after(mv, grid))
    }

    /// The number of White moves played elsewhere.
    #[must_use]
    pub fn elsewhere(&self) -> u32 {
        let ahead = u32::from(self.turn == Turn::And);
        self.black.count_ones() - self.white.count_ones() - ahead
    }

    /// The symmetry that maps to the frame of the key.
    #[must_use]
    pub fn symmetry(&self) -> usize {
        first_least(&self.hashes)
    }

    /// The symmetry that maps to the frame of the key after a move.
    #[must_use]
    pub fn symmetry_after(&self, mv: Stone, grid: &Grid) -> usize {
        first_least(&self.hashes_after(mv, grid))
    }

    /// All symmetries that map there: several if the position is symmetric.
    pub fn symmetries(&self) -> impl Iterator<Item = usize> + '_ {
        let least = self.hashes.iter().min();
        (0..8).filter(move |&at| Some(&self.hashes[at]) == least)
    }

    /// Appends the turn and the stones.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.turn == Turn::And));
        out.extend_from_slice(&self.black.to_le_bytes());
        out.extend_from_slice(&self.white.to_le_bytes());
    }

    /// Reads the output of [`Position::encode`].
    ///
    /// # Errors
    /// If the bytes are not a position on this grid.
    pub fn decode(bytes: &[u8], grid: &Grid) -> Result<Self, BadState> {
        let bad = |expected: &str| {
            BadState(format!("polyomino: found bytes {bytes:02x?}; expected {expected}"))
        };
        let Ok(&[turn, ref stones @ ..]) = <&[u8; 33]>::try_from(bytes) else {
            return Err(bad("33 of them"));
        };
        let turn = match turn {
            0 => Turn::Or,
            1 => Turn::And,
            _ => return Err(bad("0 or 1 for the turn")),
        };
        let side = |at: usize| {
            let mut word = [0; 16];
            word.copy_from_slice(&stones[at..at + 16]);
            u128::from_le_bytes(word)
        };
        Self::new(side(0), side(16), turn, grid).map_err(bad)
    }
}

fn first_least(hashes: &Hashes) -> usize {
    (0..8).min_by_key(|&at| hashes[at]).unwrap_or(0)
}

/// The least hash, and all of them together.
#[inline]
fn key_of(hashes: &Hashes) -> Key {
    let (mut least, mut sum) = (u64::MAX, 0u64);
    for &hash in hashes {
        least = least.min(hash);
        sum = sum.wrapping_add(hash.rotate_left(23));
    }
    Key(u128::from(least) << 64 | u128::from(sum.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}
