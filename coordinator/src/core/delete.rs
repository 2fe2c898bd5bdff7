//! Deleting runs that have ended, and answers that no other run refers to.
//!
//! Which answers those are takes a while to find out, on another thread. Answers that are given
//! meanwhile are noted here and kept.

use std::collections::HashSet;

use hasami_spec::ContentKey;

use super::Core;
use super::change::{Change, Notice};
use super::ids::RunId;

impl Core {
    /// Begins a deletion: from here on the keys of new answers are noted.
    ///
    /// # Errors
    /// If a run does not exist or has not ended.
    pub fn begin_delete(&mut self, runs: &[RunId]) -> Result<(), String> {
        for id in runs {
            let run = self.runs.get(id).ok_or_else(|| format!("there is no run {}", id.0))?;
            if !run.is_over() {
                let state = run.state.word();
                return Err(format!("run {} is {state}: cancel it before it is deleted", id.0));
            }
        }
        self.answered = Some(HashSet::new());
        Ok(())
    }

    /// Ends a deletion that was begun: removes the runs, and those of the answers that were not
    /// given again meanwhile. Returns how many answers go.
    pub fn delete(&mut self, runs: &[RunId], mut answers: Vec<ContentKey>) -> usize {
        self.note_answers();
        let fresh = self.answered.take().unwrap_or_default();
        for id in runs {
            // A run that has ended stays so.
            if self.runs.remove(id).is_some() {
                self.changes.push(Change::DropRun(*id));
                self.notices.push(Notice::Deleted(*id));
            }
        }
        answers.retain(|key| !fresh.contains(key));
        let gone = answers.len();
        if gone > 0 {
            self.changes.push(Change::DropAnswers(answers));
        }
        gone
    }

    /// Gives up a deletion that was begun.
    pub fn stop_delete(&mut self) {
        self.answered = None;
    }

    /// Notes the keys of answers among the changes.
    pub(super) fn note_answers(&mut self) {
        let Some(answered) = &mut self.answered else { return };
        answered.extend(self.changes.iter().filter_map(|change| match change {
            Change::Answer(key, _) => Some(*key),
            Change::Item(_, _, record) => record.answer,
            _ => None,
        }));
    }
}
