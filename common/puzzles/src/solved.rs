//! A strong solution as the source of puzzles: positions are drawn by their values, and nothing is searched.

use hasami_database::DatabaseError;

use super::analyst::Analyst;
use super::order::Plies;
use hasami_game::Game;
use hasami_game::Origin;
use hasami_game::random::SplitMix;

/// An analyst that knows the value of every position.
pub trait Solved<G: Game>: Analyst<G> {
    /// Draws one position by chance, all being as likely; `None` if its side to move does not win in as
    /// many plies as wanted.
    fn drawn(&mut self, wanted: Plies, random: &mut SplitMix) -> Option<G::State>;

    /// Whether it has the values under the rules of this game.
    fn knows(&self, game: &G) -> bool;

    /// What it is.
    fn origin(&self) -> &Origin;

    /// What has gone wrong since this was last asked. Nothing that was said since then counts.
    fn trouble(&mut self) -> Option<DatabaseError>;
}
