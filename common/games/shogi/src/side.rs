//! The two sides. Black (先手) moves first from the usual start and plays up the board.

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// 先手, `b` in SFEN, `+` in CSA.
    Black = 0,
    /// 後手, `w` in SFEN, `-` in CSA.
    White = 1,
}

impl Side {
    /// Both sides, Black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 0 for Black, 1 for White.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word in sentences.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Black => "Black",
            Self::White => "White",
        }
    }

    /// A rank as this side counts it: 0 is the far end, where its pieces promote.
    #[must_use]
    pub const fn rank(self, rank: u8) -> u8 {
        match self {
            Self::Black => rank,
            Self::White => 8 - rank,
        }
    }
}
