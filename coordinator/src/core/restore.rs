//! A core made from what the journal kept: restart is nothing but this.

use std::collections::BTreeMap;
use std::sync::Arc;

use hasami_proto::v1::{ItemRecord, ItemState, RunRecord, RunState, UnitRecord, WorkerRecord};
use hasami_sweep::Sweep;

use super::ids::{ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::plan::plan;
use super::run::{Cost, Run, Unit};
use super::worker::{Commands, Introduction, Worker};
use super::{Core, Settings};

/// What the journal holds.
#[derive(Default)]
pub struct Saved {
    /// Runs with their sweeps, read again.
    pub runs: Vec<(RunRecord, Arc<Sweep>)>,
    /// Items that are not as they were submitted.
    pub items: Vec<(RunId, ItemNo, ItemRecord)>,
    /// Units that were given out or are parts.
    pub units: Vec<(RunId, ItemNo, UnitNo, UnitRecord)>,
    /// Workers that may come back.
    pub workers: Vec<WorkerRecord>,
    /// No worker up to this number is new.
    pub last_worker: u64,
}

impl Saved {
    /// Nobody comes back; numbers of workers are not used again all the same.
    pub fn forget_workers(&mut self) {
        let last = self.workers.iter().map(|worker| worker.worker).max();
        self.last_worker = self.last_worker.max(last.unwrap_or(0));
        self.workers.clear();
    }
}

impl Core {
    /// Goes on from what was saved. Workers have the length of a lease, from `now`, to come back.
    #[must_use]
    pub fn restore(settings: Settings, saved: Saved, now: Millis) -> Self {
        let mut core = Self::new(settings);
        core.next_worker = saved.last_worker + 1;
        for record in saved.workers {
            core.next_worker = core.next_worker.max(record.worker + 1);
            let worker = Worker {
                about: Introduction { name: record.name, ..Introduction::default() },
                session: record.session,
                seen: now,
                present: false,
                leases: Vec::new(),
                commands: Commands::default(),
                nodes: 0,
            };
            core.workers.insert(WorkerId(record.worker), worker);
        }
        for (record, sweep) in saved.runs {
            let id = RunId(record.run);
            core.next_run = core.next_run.max(record.run + 1);
            let mut run = Run::new(id, sweep, record.submitted_ms, record.force);
            run.state = record.state();
            if run.state == RunState::Unspecified {
                run.state = RunState::Paused;
            }
            run.finished_ms = record.finished_ms;
            run.note = record.note;
            core.runs.insert(id, run);
        }
        for (id, item, record) in saved.items {
            let Some(run) = core.runs.get_mut(&id) else { continue };
            if item.0 as usize >= run.slots.len() {
                continue;
            }
            let state = record.state();
            let terminal = state as i32 >= ItemState::Settled as i32;
            run.set_state(item, if terminal { state } else { ItemState::Waiting });
            run.slot(item).reused = record.reused;
            run.slot(item).attempts = record.attempts;
            run.counts.reused += u64::from(record.reused);
            let ItemRecord { nodes, seconds, store_hits, .. } = record;
            run.nodes += nodes;
            run.store_hits += store_hits;
            if !terminal {
                run.spent.insert(item, Cost { nodes, seconds, store_hits });
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
                let part = unit.done.as_ref();
                active.cost.nodes += part.map_or(0, |part| part.nodes);
                active.cost.seconds += part.map_or(0.0, |part| part.seconds);
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
            run.nodes += active.cost.nodes;
            run.active.insert(item, active);
            run.set_state(item, ItemState::Running);
            run.slot(item).attempts = attempts;
        }
    }
}
