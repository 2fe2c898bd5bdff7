//! Moves what searches of a game learn for other questions between a job and the notes of the
//! store.

use std::path::Path;
use std::sync::{Arc, Weak};

use hasami_andor::{Outcome, ProblemId, Stopped, Verdict};
use hasami_game::Game;
use hasami_game::learned::Learned;
use hasami_values::value::shared::Notes;

use crate::JobError;
use crate::certify::Certified;
use crate::settle::{Halt, Shell, Stage};
use crate::tables::{HotTable, HotTables};

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
/// added some: nothing is learned from a disproof. The table of a search that is stopped is kept:
/// whoever goes on need not begin again.
pub(crate) struct WithNotes<'a> {
    notes: &'a dyn Notes,
    loaded: bool,
    /// Where tables are kept, and how large they are.
    tables: Option<(&'a HotTables, u32)>,
    /// The table of the last stage.
    last: Option<(ProblemId, Weak<dyn HotTable>)>,
}

impl<'a> WithNotes<'a> {
    pub(crate) fn new(notes: &'a dyn Notes, tables: Option<(&'a HotTables, u32)>) -> Self {
        Self { notes, loaded: false, tables, last: None }
    }

    /// Keeps the table of the last stage.
    fn stopped(&self) {
        if let Some((tables, mib)) = self.tables
            && let Some((problem, table)) = &self.last
            && let Some(table) = table.upgrade()
        {
            tables.adopt(*problem, table, mib);
        }
    }

    fn searched(
        &mut self,
        stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Outcome {
        self.last = Some((stage.problem(), Arc::downgrade(&stage.shared_table())));
        let outcome = work();
        if outcome.stopped == Stopped::Cancelled && !outcome.numbers.settled() {
            self.stopped();
        }
        outcome
    }
}

impl Shell for WithNotes<'_> {
    fn search(
        &mut self,
        stage: &dyn Stage,
        work: Box<dyn FnOnce() -> Outcome + Send + '_>,
    ) -> Result<Outcome, Halt> {
        let Some(learned) = stage.learned() else { return Ok(self.searched(stage, work)) };
        if !std::mem::replace(&mut self.loaded, true) {
            let new = stage.merge_notes(&found(learned, self.notes));
            tracing::debug!(game = stage.game(), new, "took in what others have learned");
        }
        let outcome = self.searched(stage, work);
        if outcome.numbers.verdict() != Some(Verdict::Disproven) {
            self.notes.keep(learned.family(), learned.notes());
        }
        Ok(outcome)
    }

    fn certify(
        &mut self,
        _question: &str,
        _file: &Path,
        work: Box<dyn FnOnce() -> Result<Option<Certified>, JobError> + Send + '_>,
    ) -> Result<Result<Option<Certified>, JobError>, Halt> {
        let made = work();
        if matches!(made, Ok(None)) {
            self.stopped();
        }
        Ok(made)
    }
}
