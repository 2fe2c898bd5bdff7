//! Restores a core from the journal: this is all that a restart does.

use std::collections::BTreeMap;
use std::sync::Arc;

use hasami_sweep::{Measures, Sweep};
use hasami_unit::{ItemState, Part};

use super::ids::{ItemNo, Lease, Millis, RunId, UnitNo};
use super::plan::plan;
use super::record::{ItemRecord, RunRecord, UnitRecord, WorkerRecord};
use super::run::{Run, Unit};
use super::worker::{Commands, Introduction, Worker};
use super::{Core, Settings};

/// The contents of the journal.
#[derive(Default)]
pub struct Saved {
    /// Runs with their sweeps, parsed again.
    pub runs: Vec<(RunRecord, Arc<Sweep>)>,
    /// Items that have changed since they were submitted.
    pub items: Vec<(RunId, ItemNo, ItemRecord)>,
    /// Units that were handed out or are parts.
    pub units: Vec<(RunId, ItemNo, UnitNo, UnitRecord)>,
    /// Workers that may return.
    pub workers: Vec<WorkerRecord>,
    /// The highest worker number ever used.
    pub last_worker: u64,
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
    pub fn restore(settings: Settings, saved: Saved, now: Millis) -> Self {
        let mut core = Self::new(settings);
        core.next_worker = saved.last_worker + 1;
        for record in saved.workers {
            core.next_worker = core.next_worker.max(record.worker.0 + 1);
            let worker = Worker {
                about: Introduction { name: record.name, ..Introduction::default() },
                session: record.session,
                seen: now,
                present: false,
                leases: Vec::new(),
                commands: Commands::default(),
                nodes: 0,
            };
            core.workers.insert(record.worker, worker);
        }
        for (record, sweep) in saved.runs {
            let id = record.run;
            core.next_run = core.next_run.max(id.0 + 1);
            let mut run = Run::new(id, sweep, record.submitted_ms, record.force);
            run.state = record.state;
            run.finished_ms = record.finished_ms;
            run.note = record.note;
            core.runs.insert(id, run);
        }
        for (id, item, record) in saved.items {
            let Some(run) = core.runs.get_mut(&id) else { continue };
            if item.0 as usize >= run.slots.len() {
                continue;
            }
            let ItemRecord { state, reused, attempts, cost, .. } = record;
            run.set_state(item, if state.has_ended() { state } else { ItemState::Waiting });
            run.slot(item).reused = reused;
            run.slot(item).attempts = attempts;
            run.counts.reused += u64::from(reused);
            run.spend(cost);
            if !state.has_ended() {
                run.spent.insert(item, cost);
            }
        }
        core.restore_units(saved.units);
        core
    }

    fn restore_units(&mut self, units: Vec<(RunId, ItemNo, UnitNo, UnitRecord)>) {
        let mut of_items: BTreeMap<(RunId, ItemNo), BTreeMap<UnitNo, Unit>> = BTreeMap::new();
        for (run, item, unit, record) in units {
            of_items.entry((run, item)).or_default().insert(unit, Unit::restore(record));
        }
        for ((id, item), units) in of_items {
            let Some(run) = self.runs.get_mut(&id) else { continue };
            let waiting = run.slots.get(item.0 as usize).map(|slot| slot.state);
            if waiting != Some(ItemState::Waiting) || run.is_over() {
                continue;
            }
            let mut active = plan(&run.sweep, run.sweep.item(item.0 as usize));
            let attempts: u32 = units.values().map(|unit| unit.attempt.0).sum();
            active.units = units;
            for (&no, unit) in &mut active.units {
                if let Some(Part { nodes, seconds, .. }) = unit.done {
                    active.cost.add(Measures { nodes, seconds, store_hits: 0 });
                }
                let lease = Lease { run: id, item, unit: no, attempt: unit.attempt };
                match unit.holder.and_then(|holder| self.workers.get_mut(&holder)) {
                    Some(worker) => worker.leases.push(lease),
                    None => {
                        unit.holder = None;
                        if unit.done.is_none() {
                            run.ready.insert((item, no));
                        }
                    }
                }
            }
            run.spend(active.cost);
            run.active.insert(item, active);
            run.set_state(item, ItemState::Running);
            run.slot(item).attempts = attempts;
        }
    }
}
