//! Positions with values: families that sweeps go through, and certificates of what they are worth.

pub mod certificate;
mod family;
mod prove;

pub use family::{BadPosition, Family, Position};
pub use prove::{Proof, prove};

use hasami_cgt::rules::clobber::Clobber;
use hasami_cgt::rules::domineering::Domineering;
use hasami_cgt::rules::toads::Toads;
use hasami_cgt::{Games, Value, evaluate};

use crate::go::{Endgames, Suicide, Unvalued};

/// How much work a value may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions of Go.
    pub positions: usize,
    /// Steps of arithmetic on values.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { positions: 2_000_000, steps: 500_000_000 }
    }
}

/// The value of a position, in an arena of its own.
///
/// # Errors
/// When play can repeat, or a limit is reached.
pub fn value(position: &Position, limits: Limits) -> Result<(Games, Value), Unvalued> {
    let mut games = Games::with_limit(limits.steps);
    let value = match position {
        Position::Domineering(board) => evaluate(&mut games, &Domineering, board)?,
        Position::Clobber(board) => evaluate(&mut games, &Clobber, board)?,
        Position::Toads(strip) => evaluate(&mut games, &Toads, strip)?,
        Position::Expression(text) => expression(&mut games, text)?,
        Position::Go(board) => {
            let mut endgames = Endgames::new(Suicide::Forbidden, limits.positions, limits.steps);
            let value = endgames.value(board)?;
            return Ok((endgames.games, value));
        }
    };
    Ok((games, value))
}

/// Expressions are checked when they are read, so what is left is that they are too large.
fn expression(games: &mut Games, text: &str) -> Result<Value, Unvalued> {
    games.parse(text).map_err(|error| match error {
        hasami_cgt::notation::ParseError::Exhausted(limit) => Unvalued::Exhausted(limit),
        hasami_cgt::notation::ParseError::Bad { .. } => unreachable!("an expression that was read"),
    })
}
