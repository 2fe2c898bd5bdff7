//! What other searches know: asked before a position is looked into, told after it was valued.

use crate::budget::Exhausted;
use crate::games::{Games, Value};

/// Values of positions beyond the search at hand: of earlier ones, or of other machines.
///
/// A memory must be right: what it hands over is taken as the value of the position.
pub trait Memory<P> {
    /// Those of these positions that are known, with their values. `work` tells how many positions the
    /// search has valued so far, for a memory that is slow to ask.
    ///
    /// # Errors
    /// When the limit of the arena is reached.
    fn recall(
        &mut self,
        games: &mut Games,
        positions: Vec<P>,
        work: u64,
    ) -> Result<Vec<(P, Value)>, Exhausted>;

    /// The search has valued a position; it took `cost` positions, this one included.
    ///
    /// # Errors
    /// When the limit of the arena is reached.
    fn learn(
        &mut self,
        games: &mut Games,
        position: &P,
        value: Value,
        cost: u64,
    ) -> Result<(), Exhausted>;
}

/// Knows nothing, and keeps nothing.
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
