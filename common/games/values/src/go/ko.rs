//! Ko: positions whose play can repeat have no value as short games, but they have thermographs.
//!
//! Generalized thermography (Berlekamp, *The Economist's View of Combinatorial Games*, 1996;
//! Müller, Berlekamp and Spight, ICSI TR-96-030, 1996): play takes place in an environment of
//! temperature t, where every move here costs t and a move elsewhere is free. A player may not
//! retake a ko at once. What that means depends on threats, and the assumption is part of the
//! answer:
//!
//! - [`Komaster::Neither`]: neither player has threats; a player who cannot retake plays elsewhere,
//!   or another move here.
//! - [`Komaster::Black`], [`Komaster::White`]: this player always has a threat large enough, so may take
//!   back, but must then resolve the ko with the next move here.
//!
//! A simple ko between `x` and `y` has the temperature `(x - y) / 3` under each of them, and the
//! means `(2x + y) / 3` and `(x + 2y) / 3`. Positions where play can repeat without a move
//! elsewhere (three kos, sending two to return one) are refused.

mod graph;
mod line;
mod rise;

use num_rational::BigRational;

use super::board::Board;
use super::value::{Endgames, Unvalued};

pub(super) use graph::rational as exact;
pub(super) use line::whole as whole_number;

/// The player with ko threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Komaster {
    /// Neither player.
    Neither,
    /// Black has enough.
    Black,
    /// White has enough.
    White,
}

impl Komaster {
    /// All assumptions.
    pub const ALL: [Self; 3] = [Self::Neither, Self::Black, Self::White];

    /// The assumption in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Neither => "no ko threats",
            Self::Black => "Black is komaster",
            Self::White => "White is komaster",
        }
    }
}

/// The thermograph of a position with a ko, under an assumption about threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KoThermograph {
    /// The assumption.
    pub komaster: Komaster,
    /// Corners of the left wall, temperature and value; constant after the last.
    pub left: Vec<(BigRational, BigRational)>,
    /// Corners of the right wall.
    pub right: Vec<(BigRational, BigRational)>,
    /// The value of the mast at the top.
    pub mean: BigRational,
    /// From this temperature both walls are the mast, and it is vertical.
    pub temperature: BigRational,
}

/// Why there is no thermograph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KoError {
    /// Play can repeat without a move elsewhere.
    #[error("play can repeat in more ways than by a simple ko")]
    NotSimple,
    /// The walls do not settle: none of the assumptions fits.
    #[error("the thermograph of this ko is not determined by the assumption")]
    Undetermined,
    /// A position below it has no value either.
    #[error(transparent)]
    Unvalued(#[from] Unvalued),
}

impl Endgames {
    /// The thermograph of a position in which play can repeat.
    ///
    /// # Errors
    /// If the position has more than simple kos, or is too large.
    pub fn ko_thermograph(
        &mut self,
        part: &Board,
        komaster: Komaster,
    ) -> Result<KoThermograph, KoError> {
        let graph = graph::Graph::new(self, part)?;
        if graph.repeats() {
            return Err(KoError::NotSimple);
        }
        rise::rise(&graph, komaster)
    }
}
