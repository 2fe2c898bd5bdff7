//! Exact lengths: the generator's view of a position.

use super::order::Plies;
use hasami_game::Game;
use hasami_game::random::SplitMix;

/// The node limit is reached without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// Finds the fewest plies in which the asking side reaches its goal against the longest defence.
pub trait Analyst<G: Game> {
    /// Starts a new question with a limit of this many nodes.
    fn begin(&mut self, nodes: u64);

    /// The fewest plies from `state`, if they are at most `most`; `None` if there are more, or if
    /// the goal is never reached. With `u32::MAX`, `None` means never.
    ///
    /// # Errors
    /// If the node limit is reached.
    fn shortest(&mut self, game: &G, state: &G::State, most: u32)
    -> Result<Option<u32>, Exhausted>;

    /// Successors of the positions asked about since `begin` in which the side to move wins in the
    /// wanted number of plies and by one move only; at most `most` of them, at random. Empty if
    /// this analyst does not store the positions it has seen.
    fn gleaned(&mut self, _wanted: Plies, _most: usize, _random: &mut SplitMix) -> Vec<G::State> {
        Vec::new()
    }
}
