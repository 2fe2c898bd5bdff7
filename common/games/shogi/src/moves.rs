//! A move in 16 bits.

use std::fmt;

use crate::kind::Kind;
use crate::square::Square;

/// A move of a piece, or a drop. Bits 0 to 6: the square it goes to. Bits 7 to 13: the square it
/// comes from, or 81 + the number of the dropped kind. Bit 14: it promotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

/// Where a piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The hand.
    Hand(Kind),
}

impl Move {
    const PROMOTES: u16 = 1 << 14;

    /// A move on the board.
    #[must_use]
    #[inline]
    pub const fn board(from: Square, to: Square, promotes: bool) -> Self {
        let promotes = if promotes { Self::PROMOTES } else { 0 };
        Self(to.number() as u16 | (from.number() as u16) << 7 | promotes)
    }

    /// A drop of an unpromoted kind.
    #[must_use]
    #[inline]
    pub const fn drop(kind: Kind, to: Square) -> Self {
        Self(to.number() as u16 | (81 + kind.number() as u16) << 7)
    }

    /// The square it goes to.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        Square::known((self.0 & 127) as u8)
    }

    /// Where the piece comes from.
    #[must_use]
    #[inline]
    pub const fn origin(self) -> Origin {
        let from = (self.0 >> 7 & 127) as u8;
        match Square::new(from) {
            Some(from) => Origin::Board(from),
            None => Origin::Hand(Kind::from_number(from as usize - 81)),
        }
    }

    /// Whether the piece promotes.
    #[must_use]
    #[inline]
    pub const fn promotes(self) -> bool {
        self.0 & Self::PROMOTES != 0
    }

    /// Whether it is a drop.
    #[must_use]
    #[inline]
    pub const fn is_drop(self) -> bool {
        (self.0 >> 7 & 127) >= 81
    }

    /// The same move without promotion.
    #[must_use]
    pub const fn unpromoted(self) -> Self {
        Self(self.0 & !Self::PROMOTES)
    }

    /// The 16 bits.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A move from 16 bits, if they are one: squares on the board, and no drop of a king or of a
    /// promoted kind.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (to, from) = (bits & 127, bits >> 7 & 127);
        let drop = from >= 81;
        let known = to < 81 && from <= 88 && from != 81 && bits >> 15 == 0;
        if !known || (drop && bits & Self::PROMOTES != 0) || (!drop && from == to) {
            return None;
        }
        Some(Self(bits))
    }
}

/// The USI spelling: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => {
                write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" })
            }
            Origin::Hand(kind) => write!(f, "{}*{}", crate::sfen::letter(kind), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
