//! Exact lengths: what the generator asks about a position.

use super::order::Plies;
use hasami_game::Game;
use hasami_game::random::SplitMix;

/// The nodes allowed are used up, and nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// Finds in how few plies the side that asks gets what it wants, if the other side holds out as
/// long as it can.
pub trait Analyst<G: Game> {
    /// Begins with another question, for which at most so many nodes may be spent.
    fn begin(&mut self, nodes: u64);

    /// The fewest plies from `state`, if they are at most `most`; `None` if there are more, or if
    /// it is never reached. With `u32::MAX` the answer `None` means never.
    ///
    /// # Errors
    /// When the nodes allowed are used up.
    fn shortest(&mut self, game: &G, state: &G::State, most: u32)
    -> Result<Option<u32>, Exhausted>;

    /// Positions that can follow those asked about since the beginning, in which the side to move wins in
    /// as many plies as wanted and by one move only; at most `most` of them, by chance. None, if this
    /// analyst does not keep what it has seen.
    fn gleaned(&mut self, _wanted: Plies, _most: usize, _random: &mut SplitMix) -> Vec<G::State> {
        Vec::new()
    }
}
