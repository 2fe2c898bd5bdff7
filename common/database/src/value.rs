//! A value as one byte: the plies to the end, odd for a win of the side to move, even for a loss.
//! Two bytes are reserved for draws and for numbers that stand for no position.

/// An exact value in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value(pub u8);

impl Value {
    /// A draw.
    pub const DRAW: Self = Self(255);
    /// The number stands for no position.
    pub const NONE: Self = Self(254);
    /// The longest game that can be represented.
    pub const MAX_PLIES: u32 = 253;

    /// A decided game: a win of the side to move if `plies` is odd, else a loss.
    ///
    /// `None` if it is too long.
    #[must_use]
    pub fn decided(plies: u32) -> Option<Self> {
        u8::try_from(plies).ok().filter(|&plies| u32::from(plies) <= Self::MAX_PLIES).map(Self)
    }

    /// The plies of a decided game.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        (u32::from(self.0) <= Self::MAX_PLIES).then_some(self.0.into())
    }

    /// Whether the side to move wins.
    #[must_use]
    pub fn is_win(self) -> bool {
        self.plies().is_some_and(|plies| plies % 2 == 1)
    }

    /// Whether the side to move loses.
    #[must_use]
    pub fn is_loss(self) -> bool {
        self.plies().is_some_and(|plies| plies % 2 == 0)
    }
}
