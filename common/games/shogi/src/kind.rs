//! The kinds of pieces. The number of a kind has 8 set if it is promoted; the low three bits are
//! the kind that it returns to in a hand.

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    King = 0,
    Pawn = 1,
    Lance = 2,
    Knight = 3,
    Silver = 4,
    Gold = 5,
    Bishop = 6,
    Rook = 7,
    ProPawn = 9,
    ProLance = 10,
    ProKnight = 11,
    ProSilver = 12,
    Horse = 14,
    Dragon = 15,
}

/// Kinds by number. The two numbers that no piece has stand for a king and a gold.
const BY_NUMBER: [Kind; 16] = [
    Kind::King,
    Kind::Pawn,
    Kind::Lance,
    Kind::Knight,
    Kind::Silver,
    Kind::Gold,
    Kind::Bishop,
    Kind::Rook,
    Kind::King,
    Kind::ProPawn,
    Kind::ProLance,
    Kind::ProKnight,
    Kind::ProSilver,
    Kind::Gold,
    Kind::Horse,
    Kind::Dragon,
];

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::King,
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Gold,
        Self::Bishop,
        Self::Rook,
        Self::ProPawn,
        Self::ProLance,
        Self::ProKnight,
        Self::ProSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// The kinds that can be in a hand, cheapest first.
    pub const HELD: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// The number of the kind, below 16.
    #[must_use]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// The kind with this number (its low four bits).
    #[must_use]
    pub const fn from_number(number: usize) -> Self {
        BY_NUMBER[number & 15]
    }

    /// Whether the kind is promoted.
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self as u8 & 8 != 0
    }

    /// The unpromoted kind.
    #[must_use]
    pub const fn base(self) -> Self {
        Self::from_number(self as usize & 7)
    }

    /// Whether pieces of this kind can promote.
    #[must_use]
    pub const fn promotes(self) -> bool {
        !matches!(self, Self::King | Self::Gold) && !self.is_promoted()
    }

    /// The promoted kind, or the kind itself if it does not promote.
    #[must_use]
    pub const fn promoted(self) -> Self {
        if self.promotes() { Self::from_number(self as usize | 8) } else { self }
    }

    /// How many of this unpromoted kind a set of pieces has, both sides together.
    #[must_use]
    pub const fn in_a_set(self) -> u32 {
        match self.base() {
            Self::King | Self::Bishop | Self::Rook => 2,
            Self::Pawn => 18,
            _ => 4,
        }
    }

    /// Ranks at the far end, as the side counts them, from which an unpromoted piece could never
    /// move: it may neither be dropped there nor stay unpromoted there.
    #[must_use]
    pub const fn dead_ranks(self) -> u8 {
        match self {
            Self::Pawn | Self::Lance => 1,
            Self::Knight => 2,
            _ => 0,
        }
    }

    /// The English name, for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Pawn => "pawn",
            Self::Lance => "lance",
            Self::Knight => "knight",
            Self::Silver => "silver",
            Self::Gold => "gold",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::ProPawn => "promoted pawn",
            Self::ProLance => "promoted lance",
            Self::ProKnight => "promoted knight",
            Self::ProSilver => "promoted silver",
            Self::Horse => "horse",
            Self::Dragon => "dragon",
        }
    }
}
