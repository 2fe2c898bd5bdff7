//! A position: the pieces on the board and the one in hand, as sets of cells.
//!
//! A piece is a number of four bits, 0 to 15. The board is five 16-bit sets: which cells are
//! occupied, and for each bit which cells hold a piece that has it.

use super::lines::{Completing, completing, holds_line};

/// No piece in hand: the game is over.
pub(super) const NO_PIECE: u8 = 16;

/// For each bit, the pieces that have it, as a set of pieces.
const WITH_BIT: [u16; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/// A board, the piece to place next, and the pieces left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The cells with a piece; cell 0 is the lowest bit.
    pub(super) occupied: u16,
    /// For each bit from the lowest, the cells whose piece has it.
    pub(super) planes: [u16; 4],
    /// The pieces that are neither on the board nor in hand.
    pub(super) left: u16,
    /// The piece to be placed, or [`NO_PIECE`].
    pub(super) hand: u8,
}

impl Position {
    /// The empty board with piece 0 in hand; every other first piece is equivalent by symmetry.
    pub const START: Self = Self { occupied: 0, planes: [0; 4], left: 0xfffe, hand: 0 };

    /// The same board with the piece in hand returned to those left.
    pub(super) fn without_hand(&self) -> Self {
        let hand = if self.hand == NO_PIECE { 0 } else { 1 << self.hand };
        Self { left: self.left | hand, hand: NO_PIECE, ..*self }
    }

    /// The piece on a cell.
    #[must_use]
    pub fn at(&self, cell: u8) -> Option<u8> {
        let bit = |plane: u8| ((self.planes[usize::from(plane)] >> cell & 1) as u8) << plane;
        (self.occupied >> cell & 1 == 1).then(|| bit(0) | bit(1) | bit(2) | bit(3))
    }

    /// The piece in hand.
    #[must_use]
    pub fn hand(&self) -> Option<u8> {
        (self.hand != NO_PIECE).then_some(self.hand)
    }

    /// The pieces that are neither on the board nor in hand, as a set of bits.
    #[must_use]
    pub fn left(&self) -> u16 {
        self.left
    }

    /// The number of pieces on the board.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The cells without a piece, as a set of bits.
    #[must_use]
    pub fn empty(&self) -> u16 {
        !self.occupied
    }

    /// The cells whose piece has this value of this bit.
    fn sharing(&self, bit: usize, set: bool) -> u16 {
        if set { self.planes[bit] } else { self.occupied & !self.planes[bit] }
    }

    /// The empty cells on which the piece in hand completes a line.
    #[must_use]
    pub fn winning_cells(&self) -> u16 {
        let table = completing();
        let cells = (0..4).fold(0, |cells, bit| {
            cells | table[usize::from(self.sharing(bit, self.hand >> bit & 1 == 1))]
        });
        if self.hand == NO_PIECE { 0 } else { cells & self.empty() }
    }

    /// The pieces that would complete a line somewhere, on the board or not: handing one over loses
    /// at once.
    #[must_use]
    pub fn losing_gifts(&self) -> u16 {
        self.losing_gifts_by(completing())
    }

    /// [`Self::losing_gifts`] with the table passed in.
    pub(super) fn losing_gifts_by(&self, table: &Completing) -> u16 {
        let empty = self.empty();
        let mut losing = 0;
        for (bit, with) in WITH_BIT.iter().enumerate() {
            if table[usize::from(self.sharing(bit, true))] & empty != 0 {
                losing |= with;
            }
            if table[usize::from(self.sharing(bit, false))] & empty != 0 {
                losing |= !with;
            }
        }
        losing
    }

    /// Whether four pieces of a line share a bit value.
    #[must_use]
    pub fn has_line(&self) -> bool {
        (0..4)
            .any(|bit| holds_line(self.sharing(bit, true)) || holds_line(self.sharing(bit, false)))
    }

    /// Places the piece in hand on an empty cell; no piece is in hand afterwards.
    #[must_use]
    pub fn place(&self, cell: u8) -> Self {
        debug_assert!(self.hand != NO_PIECE && self.occupied >> cell & 1 == 0);
        let mut next = *self;
        next.occupied |= 1 << cell;
        for (bit, plane) in next.planes.iter_mut().enumerate() {
            *plane |= u16::from(self.hand >> bit & 1) << cell;
        }
        next.hand = NO_PIECE;
        next
    }

    /// Hands over one of the pieces left.
    #[must_use]
    pub fn give(&self, piece: u8) -> Self {
        debug_assert!(self.hand == NO_PIECE && self.left >> piece & 1 == 1);
        Self { left: self.left & !(1 << piece), hand: piece, ..*self }
    }
}

/// The numbers in a set of bits, in increasing order.
pub(super) fn members(set: u16) -> impl Iterator<Item = u8> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let lowest = rest.trailing_zeros() as u8;
        rest &= rest.wrapping_sub(1);
        (lowest < 16).then_some(lowest)
    })
}
