//! Squares and sets of squares. A square is file × 9 + rank, both from 0: file 0 is file 1 of the
//! board (the right edge in a diagram), rank 0 is rank a.

use std::fmt;

/// A set of squares: bit n is square n.
pub type Squares = u128;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// All 81 squares.
pub const BOARD: Squares = (1 << 81) - 1;

impl Square {
    /// The square with this number, if it is on the board.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 81 { Some(Self(number)) } else { None }
    }

    /// The square on this file and rank, both from 0 to 8.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Self {
        Self((file % 9) * 9 + rank % 9)
    }

    /// The square with a number that is known to be on the board.
    #[inline]
    pub(crate) const fn known(number: u8) -> Self {
        debug_assert!(number < 81);
        Self(number)
    }

    /// The number, 0 to 80.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// The file from 0.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// The rank from 0.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// The set of this square alone.
    #[must_use]
    pub const fn bit(self) -> Squares {
        1 << self.0
    }

    /// Reads the USI name, as in `7g`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Some(Self::at(file - b'1', rank - b'a')),
            _ => None,
        }
    }
}

/// The USI name.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file() + 1, char::from(b'a' + self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The squares of a set, in order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Each(u64, u64);

/// Goes through a set.
#[must_use]
#[inline]
pub const fn each(set: Squares) -> Each {
    // Two words: a shift of 128 bits costs more than the branch.
    Each(set as u64, (set >> 64) as u64)
}

impl Iterator for Each {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 != 0 {
            let number = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            Some(Square(number as u8))
        } else if self.1 != 0 {
            let number = 64 + self.1.trailing_zeros();
            self.1 &= self.1 - 1;
            Some(Square(number as u8))
        } else {
            None
        }
    }
}

/// The only square of a set of one; the first of a larger set.
#[must_use]
#[inline]
pub const fn first(set: Squares) -> Option<Square> {
    if set == 0 { None } else { Some(Square(set.trailing_zeros() as u8)) }
}

/// Whether the set has two squares or more.
#[must_use]
#[inline]
pub const fn several(set: Squares) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// All squares of a file.
#[must_use]
#[inline]
pub const fn file_of(square: Square) -> Squares {
    0x1ff << (square.file() * 9)
}

/// All squares of the nearest `count` ranks at the far end of `side`.
const fn far(black: bool, count: u8) -> Squares {
    let mut set = 0;
    let mut at = 0;
    while at < 81 {
        let rank = if black { at % 9 } else { 8 - at % 9 };
        if rank < count {
            set |= 1 << at;
        }
        at += 1;
    }
    set
}

/// The farthest 0, 1, 2 and 3 ranks as Black and as White see them; three are the promotion zone.
pub const FAR: [[Squares; 4]; 2] = [
    [far(true, 0), far(true, 1), far(true, 2), far(true, 3)],
    [far(false, 0), far(false, 1), far(false, 2), far(false, 3)],
];
