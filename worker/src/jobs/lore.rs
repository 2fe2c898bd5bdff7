//! What searches of a game learn for other questions, between a job and the notes of the store.

use hasami_games::Game;
use hasami_games::value::shared::Notes;

/// Takes in what others have learned.
pub fn hear<G: Game>(game: &G, notes: &dyn Notes) {
    if let Some(lore) = game.lore() {
        let found = notes.find(lore.family(), &lore.keys());
        let new = game.hear(&found.into_iter().flatten().collect::<Vec<_>>());
        tracing::debug!(game = G::NAME, new, "heard what others have learned");
    }
}

/// Keeps what was learned for others.
pub fn tell<G: Game>(game: &G, notes: &dyn Notes) {
    if let Some(lore) = game.lore() {
        notes.keep(lore.family(), lore.tell());
    }
}
