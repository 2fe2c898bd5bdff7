//! Restores a core from the journal: this is all that a restart does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hasami_sweep::{Measures, Sweep};
use hasami_unit::{ItemState, Part, RunState};

use super::change::{Change, Notice};
use super::ids::{ItemNo, Lease, Millis, RunId, UnitNo};
use super::order::Weight;
use super::plan::plan;
use super::record::{ItemRecord, RunRecord, UnitRecord, WorkerRecord};
use super::run::{Run, Unit};
use super::worker::{Introduction, Worker};
use super::{Core, Settings};

/// The contents of the journal.
#[derive(Default)]
pub struct Saved {
    /// Runs with their sweeps.
    pub runs: Vec<(RunRecord, Arc<Sweep>)>,
    /// Items that have changed since they were submitted.
    pub items: Vec<(RunId, ItemNo, ItemRecord)>,
    /// Units that were handed out or are parts.
    pub units: Vec<(RunId, ItemNo, UnitNo, UnitRecord)>,
    /// Workers that may return.
    pub workers: Vec<WorkerRecord>,
    /// The highest worker number ever used.
    pub last_worker: u64,
    /// The highest run number ever used.
    pub last_run: u64,
}

impl Saved {
    /// Drops all workers; their numbers are not reused.
    pub fn forget_workers(&mut self) {
        let last = self.workers.iter().map(|worker| worker.worker.0).max();
        self.last_worker = self.last_worker.max(last.unwrap_or(0));
        self.workers.clear();
    }
}

impl Core {
    /// Continues from the saved state. Workers have the length of a lease, from `now`, to return.
    #[must_use]
    pub fn restore(settings: Settings, mut saved: Saved, now: Millis) -> Self {
        let (items, units) = (std::mem::take(&mut saved.items), std::mem::take(&mut saved.units));
        let mut restoring = Restoring::new(settings, saved, now);
        for (run, item, record) in items {
            restoring.item(run, item, &record);
        }
        for (run, item, unit, record) in units {
            restoring.unit(run, item, unit, record);
        }
        restoring.finish()
    }
}

/// A core that is being restored, record by record: first the items, then the units.
pub struct Restoring {
    core: Core,
    units: BTreeMap<(RunId, ItemNo), BTreeMap<UnitNo, Unit>>,
    /// Items with a unit that cannot be read.
    broken: BTreeSet<(RunId, ItemNo)>,
}

impl Restoring {
    /// Begins with the workers and runs of `saved`; its items and units are not looked at.
    #[must_use]
    pub fn new(settings: Settings, saved: Saved, now: Millis) -> Self {
        let mut core = Core::new(settings);
        core.next_worker = saved.last_worker + 1;
        core.next_run = saved.last_run + 1;
        for record in saved.workers {
            core.next_worker = core.next_worker.max(record.worker.0 + 1);
            let about = Introduction { name: record.name, ..Introduction::default() };
            let mut worker = Worker::new(about, record.session, now, false);
            worker.may_return = true;
            core.workers.insert(record.worker, worker);
        }
        for (record, sweep) in saved.runs {
            let id = record.run;
            core.next_run = core.next_run.max(id.0 + 1);
            let mut run = Run::new(id, sweep, record.submitted_ms, record.force);
            run.state = record.state;
            run.finished_ms = record.finished_ms;
            run.note = record.note;
            run.fault = record.fault;
            if run.state == RunState::Cancelled {
                run.cancel_rest();
            }
            // A run that has ended needs its questions and answers alone.
            let lost = run.sweep.unreadable().map(str::to_string);
            if let Some(why) = lost.filter(|_| !run.is_over() || !run.sweep.has_questions()) {
                run.state = RunState::Unreadable;
                run.note = why;
            }
            core.runs.insert(id, run);
        }
        Self { core, units: BTreeMap::new(), broken: BTreeSet::new() }
    }

    /// Adds an item.
    pub fn item(&mut self, id: RunId, item: ItemNo, record: &ItemRecord) {
        let Some(run) = self.run_with(id, item) else { return };
        let &ItemRecord { state, reused, attempts, cost, .. } = record;
        let cancelled = run.state == RunState::Cancelled;
        let unfinished = if cancelled { ItemState::Cancelled } else { ItemState::Waiting };
        if state.has_ended() && cost != Measures::default() {
            // Items of the next stage are expected to cost as much.
            run.slot(item).weight = Weight::of(cost);
        }
        run.set_state(item, if state.has_ended() { state } else { unfinished });
        run.slot(item).reused = reused;
        // Those of a split search are in the item's own record.
        let slot = run.slot(item);
        slot.attempts = slot.attempts.max(attempts);
        run.counts.reused += u64::from(reused);
        run.spend(cost);
        if !state.has_ended() && !run.is_over() {
            run.spent.insert(item, cost);
        }
    }

    /// Adds an item whose record cannot be read. It counts as failed here, and its record is left
    /// as it is.
    pub fn unreadable_item(&mut self, id: RunId, item: ItemNo) {
        if let Some(run) = self.run_with(id, item) {
            run.set_state(item, ItemState::Failed);
        }
    }

    /// Adds a unit.
    pub fn unit(&mut self, id: RunId, item: ItemNo, unit: UnitNo, record: UnitRecord) {
        self.units.entry((id, item)).or_default().insert(unit, Unit::restore(record));
    }

    /// Adds a unit whose record cannot be read: its item fails, if it has not ended, because the
    /// next attempt would overwrite the record.
    pub fn unreadable_unit(&mut self, id: RunId, item: ItemNo, why: &str) {
        let Some(run) = self.run_with(id, item) else { return };
        if run.is_over() || run.slots[item.0 as usize].state.has_ended() {
            return;
        }
        run.set_state(item, ItemState::Failed);
        let failure = format!("the record of a unit of it cannot be read: {why}");
        let record = ItemRecord { failure, ..run.item_record(item) };
        self.core.changes.push(Change::Item(id, item, record));
        self.broken.insert((id, item));
    }

    fn run_with(&mut self, id: RunId, item: ItemNo) -> Option<&mut Run> {
        self.core.runs.get_mut(&id).filter(|run| (item.0 as usize) < run.slots.len())
    }

    /// The core.
    #[must_use]
    pub fn finish(self) -> Core {
        let Self { mut core, units, broken } = self;
        for ((id, item), units) in units {
            let Some(run) = core.runs.get_mut(&id) else { continue };
            let waiting = run.slots.get(item.0 as usize).map(|slot| slot.state);
            let known = waiting == Some(ItemState::Waiting) && !broken.contains(&(id, item));
            if !known || run.is_over() {
                continue;
            }
            let mut active = plan(&run.sweep, run.sweep.item(item.0 as usize));
            // Those of a split search are in the item's own record.
            let own = units.iter().filter(|(no, _)| **no != UnitNo::CERTIFY);
            let attempts: u32 = own.map(|(_, unit)| unit.attempt.0).sum();
            active.units = units;
            if let Some(cost) = run.spent.remove(&item) {
                active.cost = cost;
            }
            active.resume_claim(&run.sweep);
            let mut parts = Measures::default();
            for (&no, unit) in &mut active.units {
                let lease = Lease { run: id, item, unit: no, attempt: unit.attempt };
                if unit.claim.is_some() {
                    core.claims += 1;
                    core.notices.push(Notice::Claimed(lease));
                    unit.holder = None;
                    continue;
                }
                if let Some(Part { nodes, seconds, .. }) = unit.done {
                    parts.add(Measures { nodes, seconds, store_hits: 0 });
                }
                match unit.holder.and_then(|holder| core.workers.get_mut(&holder)) {
                    Some(worker) => worker.leases.push(lease),
                    None => {
                        unit.holder = None;
                        if unit.done.is_none() {
                            run.ready.insert((item, no));
                        }
                    }
                }
            }
            // What the item's own record says is counted already.
            run.spend(parts);
            active.cost.add(parts);
            run.active.insert(item, active);
            run.set_state(item, ItemState::Running);
            let slot = run.slot(item);
            slot.attempts = slot.attempts.max(attempts);
        }
        core
    }
}
