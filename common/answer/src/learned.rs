//! Moves what searches of a game learn for other questions between a job and the notes of the
//! store.

use hasami_andor::{Outcome, Verdict};
use hasami_game::Game;
use hasami_game::learned::Learned;
use hasami_values::value::shared::Notes;

use crate::settle::{Halt, Shell, Stage};

/// Loads what other searches learned.
pub(crate) fn load<G: Game>(game: &G, notes: &dyn Notes) {
    if let Some(learned) = game.learned() {
        game.merge_notes(&found(learned, notes));
    }
}

/// Stores what was learned, for other searches.
pub(crate) fn keep<G: Game>(game: &G, notes: &dyn Notes) {
    if let Some(learned) = game.learned() {
        notes.keep(learned.family(), learned.notes());
    }
}

fn found(learned: &dyn Learned, notes: &dyn Notes) -> Vec<Vec<u8>> {
    notes.find(learned.family(), &learned.keys()).into_iter().flatten().collect()
}

/// A shell that loads notes before the first stage and stores them after each stage that may have
/// added some: nothing is learned from a disproof.
pub(crate) struct WithNotes<'a> {
    notes: &'a dyn Notes,
    loaded: bool,
}

impl<'a> WithNotes<'a> {
    pub(crate) fn new(notes: &'a dyn Notes) -> Self {
        Self { notes, loaded: false }
    }
}

impl Shell for WithNotes<'_> {
    fn search(
        &mut self,
        stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Result<Outcome, Halt> {
        let Some(learned) = stage.learned() else { return Ok(work()) };
        if !std::mem::replace(&mut self.loaded, true) {
            let new = stage.merge_notes(&found(learned, self.notes));
            tracing::debug!(game = stage.game(), new, "took in what others have learned");
        }
        let outcome = work();
        if outcome.numbers.verdict() != Some(Verdict::Disproven) {
            self.notes.keep(learned.family(), learned.notes());
        }
        Ok(outcome)
    }
}
