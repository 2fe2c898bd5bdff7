//! Long items at the tail of a sweep. If workers are idle and nothing is left for them, they search
//! the item that has taken longest together.
//!
//! Its worker is asked to hand it back. It keeps its table and publishes what it has found at some
//! cost; then it is the first to take a unit of the split search, and goes on as the runner from
//! where it was. Nothing is lost, and the others know what it knows.
//!
//! If the item asks several questions in turn, or its worker does not answer, the worker goes on
//! alone beside the others, because nobody knows how near it is: whoever answers first, answers.
//!
//! An item with a node budget stays with its worker: a search over many workers may settle in the
//! budget what one search would leave open, and the table would depend on who was idle.

use hasami_spec::Kind;
use hasami_unit::{Attempt, RunState, Task};

use super::change::{Change, Notice};
use super::ids::{ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::plan::{search_stage, splits, stage_question};
use super::run::{Active, Plan, Unit};
use super::worker::Worker;
use super::{Core, Run};

/// How often long items are looked for.
const LOOK_MS: u64 = 1_000;
/// A worker that was asked for its item hands it back within this time, or goes on alone.
const ANSWER_MS: u64 = 5_000;
/// A worker that has handed back its item takes its first unit within this time, or is not first.
const FIRST_MS: u64 = 3_000;

/// How far a worker is that shares its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joining {
    /// It was asked to hand back the item.
    Asked(Millis),
    /// It has done so, and takes the first unit.
    First(WorkerId, Millis),
}

impl Core {
    /// Lets idle workers search the longest item together, if there is one.
    pub(super) fn search_together(&mut self, idle: &[WorkerId], now: Millis) {
        // Units that others have not begun come first: they are called back.
        let unbegun = |worker: &Worker| worker.ahead() > 0 || worker.awaited > 0;
        if now < self.long_seen.plus(LOOK_MS) || self.workers.values().any(unbegun) {
            return;
        }
        self.long_seen = now;
        self.wait_no_longer(now);
        let Some((id, item)) = self.longest_item(idle, now) else { return };
        let run = self.run_mut(id);
        let active = &run.active[&item];
        if stage_question(run.sweep.spec(), &active.question, 1).is_some() {
            return self.search_beside(id, item);
        }
        run.active_mut(item).joining = Some(Joining::Asked(now));
        self.tell_unit(id, item, UnitNo::WHOLE, |commands, lease| {
            commands.recalled.insert(lease);
        });
        let text = "it takes long and workers are idle: its worker is asked to share it";
        self.history(id, item, true, text.to_string());
    }

    /// Goes on without workers that do not answer.
    fn wait_no_longer(&mut self, now: Millis) {
        let late = |active: &Active| match active.joining {
            Some(Joining::Asked(since)) => since.plus(ANSWER_MS) <= now,
            Some(Joining::First(_, since)) => since.plus(FIRST_MS) <= now,
            None => false,
        };
        let all = self.runs.values().flat_map(|run| {
            let late = run.active.iter().filter(|(_, active)| late(active));
            late.map(|(&item, _)| (run.id, item))
        });
        for (id, item) in all.collect::<Vec<_>>() {
            match self.run_mut(id).active_mut(item).joining.take() {
                Some(Joining::Asked(_)) => self.search_beside(id, item),
                _ => self.notices.push(Notice::WorkAvailable),
            }
        }
    }

    /// Begins a split search beside the worker of an item, which goes on alone.
    fn search_beside(&mut self, id: RunId, item: ItemNo) {
        let run = self.run_mut(id);
        let sweep = std::sync::Arc::clone(&run.sweep);
        let active = run.active_mut(item);
        let Some(plan) = search_stage(&sweep, &active.question, 0) else { return };
        active.plan = plan;
        let text = "it takes long and workers are idle: they search it together".to_string();
        self.history(id, item, true, text);
        self.notices.push(Notice::WorkAvailable);
    }

    /// A worker has handed back a whole item: if it was asked to share it, or others search it
    /// already, nobody computes it alone any more. Returns whether it is so.
    pub(super) fn begin_together(&mut self, lease: Lease, worker: WorkerId) -> bool {
        let now = self.worker_mut(worker).seen;
        let run = self.run_mut(lease.run);
        let active = run.active_mut(lease.item);
        let asked = matches!(active.joining, Some(Joining::Asked(_)));
        let searched = matches!(active.plan, Plan::Search { settled: None, .. });
        if lease.unit != UnitNo::WHOLE || !(asked || searched) {
            return false;
        }
        // Late messages about it are about an earlier attempt.
        let unit = active.units.get_mut(&lease.unit).expect("a unit that came back");
        unit.attempt = Attempt(unit.attempt.0 + 1);
        unit.granted = None;
        let record = unit.record();
        active.joining = asked.then_some(Joining::First(worker, now));
        run.ready.remove(&(lease.item, lease.unit));
        self.changes.push(Change::Unit(lease.run, lease.item, lease.unit, record));
        if asked {
            self.search_beside(lease.run, lease.item);
        }
        true
    }

    /// A worker has lost its item, or failed with it: another one gets it.
    pub(super) fn ask_no_more(&mut self, lease: Lease) {
        let active = self.run_mut(lease.run).active_mut(lease.item);
        if lease.unit == UnitNo::WHOLE && matches!(active.joining, Some(Joining::Asked(_))) {
            active.joining = None;
        }
    }

    /// Forgets the records of a split search, but not that of a worker that computes the whole item.
    pub(super) fn drop_search_units(&mut self, id: RunId, item: ItemNo) {
        self.changes.push(Change::DropUnits(id, item));
        let active = self.run_mut(id).active_mut(item);
        let whole = active.units.get(&UnitNo::WHOLE).filter(|unit| unit.is_durable());
        if let Some(record) = whole.map(Unit::record) {
            self.changes.push(Change::Unit(id, item, UnitNo::WHOLE, record));
        }
    }

    /// The item that has been computed longest, of those that some of these workers could search.
    fn longest_item(&self, idle: &[WorkerId], now: Millis) -> Option<(RunId, ItemNo)> {
        let for_them = |run: &&Run| {
            run.state == RunState::Running
                && run.sweep.kind() == Kind::Map
                && idle.iter().any(|&worker| self.serves(run, worker))
        };
        let items = self.runs.values().filter(for_them).flat_map(|run| {
            run.active.iter().filter_map(|(&item, active)| {
                let since = active.held_whole_since()?;
                let question = &active.question;
                let long = since.plus(self.settings.long_ms) <= now;
                let free = question.search.budget.is_none() && splits(run.sweep.spec(), question);
                (long && free).then_some((since, run.id, item))
            })
        });
        items.min().map(|(_, run, item)| (run, item))
    }
}

impl Active {
    /// Since when a worker computes the whole item, if one does and nobody helps.
    fn held_whole_since(&self) -> Option<Millis> {
        let unit = self.units.get(&UnitNo::WHOLE).filter(|unit| unit.task == Task::Answer)?;
        let asked = self.joining.is_some();
        let alone = matches!(self.plan, Plan::Whole) && unit.claim.is_none() && !asked;
        (alone && unit.holder.is_some()).then_some(unit.since)
    }
    /// Whether a worker may have a unit of the split search: the one that had the item comes first.
    pub(super) fn is_open_to(&self, worker: WorkerId, now: Millis) -> bool {
        match self.joining {
            Some(Joining::First(first, since)) => first == worker || since.plus(FIRST_MS) <= now,
            _ => true,
        }
    }
}
