//! Operations on runs by clients.

use std::sync::Arc;

use hasami_spec::ContentKey;
use hasami_sweep::Sweep;
use hasami_unit::{ItemState, RunState};

use super::change::{Change, Notice};
use super::ids::{ItemNo, RunId};
use super::order::Weight;
use super::record::ItemRecord;
use super::{Core, Run};

impl Core {
    /// Submits a sweep. `known` are the items that already have answers: index, key, and whether
    /// the answer is settled.
    pub fn submit(
        &mut self,
        sweep: Arc<Sweep>,
        known: &[(ItemNo, ContentKey, bool)],
        force: bool,
        wall_ms: u64,
    ) -> RunId {
        let id = RunId(self.next_run);
        self.next_run += 1;
        let mut run = Run::new(id, sweep, wall_ms, force);
        for &(item, key, settled) in known {
            let state = if settled { ItemState::Settled } else { ItemState::Open };
            run.set_state(item, state);
            run.slot(item).reused = true;
            run.counts.reused += 1;
            let record = ItemRecord { answer: Some(key), ..run.item_record(item) };
            self.changes.push(Change::Item(id, item, record));
        }
        self.changes.push(Change::Run(run.record()));
        self.runs.insert(id, run);
        self.notices.push(Notice::Run(id));
        self.finish_run_if_over(id, wall_ms);
        self.notices.push(Notice::WorkAvailable);
        id
    }

    /// Takes what is known of the cost of a new run's items.
    pub fn weigh(&mut self, id: RunId, weights: &[(ItemNo, Weight)]) {
        if let Some(run) = self.runs.get_mut(&id) {
            run.weigh(weights);
        }
    }

    /// Hands out nothing more of a run; units being computed are still accepted.
    ///
    /// # Errors
    /// If the run cannot be paused; returns its state.
    pub fn pause(&mut self, id: RunId) -> Result<(), String> {
        self.change_state(id, RunState::Running, RunState::Paused, "paused")?;
        let held: Vec<_> = self
            .run_mut(id)
            .active
            .iter()
            .flat_map(|(&item, active)| active.units.keys().map(move |&unit| (item, unit)))
            .collect();
        for (item, unit) in held {
            self.tell_unit(id, item, unit, |commands, lease| {
                commands.recalled.insert(lease);
            });
        }
        Ok(())
    }

    /// Resumes a paused run.
    ///
    /// # Errors
    /// If it is not paused; returns its state.
    pub fn resume(&mut self, id: RunId) -> Result<(), String> {
        if let Some(problem) = self.runs.get(&id).and_then(|run| run.fault) {
            return Err(format!(
                "run {} waits until the contradiction in problem {problem} is cleared: \
                 hasami store clear-fault {problem}",
                id.0
            ));
        }
        if let Some(run) = self.runs.get_mut(&id).filter(|run| run.state == RunState::Paused) {
            run.note.clear();
        }
        self.change_state(id, RunState::Paused, RunState::Running, "resumed")?;
        self.notices.push(Notice::WorkAvailable);
        Ok(())
    }

    fn change_state(
        &mut self,
        id: RunId,
        from: RunState,
        to: RunState,
        done: &str,
    ) -> Result<(), String> {
        let run = self.runs.get_mut(&id).ok_or_else(|| no_run(id))?;
        if run.state != from {
            return Err(format!("run {} is {} and cannot be {done}", id.0, run.state.word()));
        }
        run.state = to;
        self.changes.push(Change::Run(run.record()));
        self.notices.push(Notice::Run(id));
        Ok(())
    }

    /// Stops a run for good: unfinished items are cancelled.
    ///
    /// # Errors
    /// If it has ended; returns its state.
    pub fn cancel(&mut self, id: RunId, note: &str, wall_ms: u64) -> Result<(), String> {
        let run = self.runs.get_mut(&id).ok_or_else(|| no_run(id))?;
        if run.is_over() {
            return Err(format!("run {} is {} already", id.0, run.state.word()));
        }
        // The record of the run says it for all items that were not begun.
        let begun: Vec<ItemNo> = run.active.keys().copied().collect();
        for item in begun {
            self.end_item(id, item, ItemState::Cancelled, None, String::new());
        }
        let run = self.run_mut(id);
        run.cancel_rest();
        run.state = RunState::Cancelled;
        run.finished_ms = wall_ms;
        run.note = note.to_string();
        run.fault = None;
        let record = run.record();
        self.changes.push(Change::Run(record));
        self.notices.push(Notice::Run(id));
        Ok(())
    }
}

fn no_run(id: RunId) -> String {
    format!("there is no run {}", id.0)
}
