//! What searches of a game learn for other questions, between a job and the notes of the store.

use hasami_game::Game;
use hasami_values::value::shared::Notes;

/// Takes in what others have learned.
pub(crate) fn load<G: Game>(game: &G, notes: &dyn Notes) {
    if let Some(learned) = game.learned() {
        let found = notes.find(learned.family(), &learned.keys());
        let new = game.merge_notes(&found.into_iter().flatten().collect::<Vec<_>>());
        tracing::debug!(game = G::NAME, new, "took in what others have learned");
    }
}

/// Keeps what was learned for others.
pub(crate) fn keep<G: Game>(game: &G, notes: &dyn Notes) {
    if let Some(learned) = game.learned() {
        notes.keep(learned.family(), learned.notes());
    }
}
