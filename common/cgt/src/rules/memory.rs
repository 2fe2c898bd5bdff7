//! Values from other searches: asked for before a position is expanded, stored after it is valued.

use crate::budget::Exhausted;
use crate::games::{Games, Value};

/// Values of positions from outside the current search: from earlier ones, or from other machines.
///
/// A memory must be right: its answers are taken as the values of the positions.
pub trait Memory<P> {
    /// The known ones of these positions, with their values. `work` is the number of positions that
    /// the search has valued so far, for a memory that is slow to ask.
    ///
    /// # Errors
    /// If the limit of the arena is reached.
    fn recall(
        &mut self,
        games: &mut Games,
        positions: Vec<P>,
        work: u64,
    ) -> Result<Vec<(P, Value)>, Exhausted>;

    /// Called when a position has its value; it took `cost` positions, this one included.
    ///
    /// # Errors
    /// If the limit of the arena is reached.
    fn learn(
        &mut self,
        games: &mut Games,
        position: &P,
        value: Value,
        cost: u64,
    ) -> Result<(), Exhausted>;
}

/// A memory that is always empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

impl<P> Memory<P> for NoMemory {
    fn recall(&mut self, _: &mut Games, _: Vec<P>, _: u64) -> Result<Vec<(P, Value)>, Exhausted> {
        Ok(Vec::new())
    }

    fn learn(&mut self, _: &mut Games, _: &P, _: Value, _: u64) -> Result<(), Exhausted> {
        Ok(())
    }
}
