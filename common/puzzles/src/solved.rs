//! A strong solution as the source of puzzles: positions are drawn by their values, without search.

use hasami_database::DatabaseError;

use super::analyst::Analyst;
use super::order::Plies;
use hasami_game::Game;
use hasami_game::Origin;
use hasami_game::random::SplitMix;

/// An analyst that knows the value of every position.
pub trait Solved<G: Game>: Analyst<G> {
    /// Draws one position uniformly at random; `None` if its side to move does not win in the
    /// wanted number of plies.
    fn drawn(&mut self, wanted: Plies, random: &mut SplitMix) -> Option<G::State>;

    /// Whether its values are for the rules of this game.
    fn knows(&self, game: &G) -> bool;

    /// The database behind it.
    fn origin(&self) -> &Origin;

    /// The error since the last call, if any. It invalidates all results since then.
    fn trouble(&mut self) -> Option<DatabaseError>;
}
