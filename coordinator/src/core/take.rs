//! Hands out work: returned units first, then new items, then help for searches that can use
//! another worker.

use hasami_unit::{Assignment, ItemState, RunState, Task};

use super::change::{Change, Notice};
use super::ids::{Attempt, ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::plan::plan;
use super::run::{Plan, Unit};
use super::{Core, Run, Worker};

impl Core {
    /// Up to `want` units for a worker that is [known](Core::knows).
    pub fn take(&mut self, worker: WorkerId, want: u32, now: Millis) -> Vec<Assignment> {
        let known = self.worker_mut(worker);
        known.seen = now;
        let known = &self.workers[&worker];
        let mut given = Vec::new();
        let about = &known.about;
        let fits = |run: &&Run| run.state == RunState::Running && about.has(run.sweep.labels());
        let mut runs: Vec<RunId> = self.runs.values().filter(fits).map(|run| run.id).collect();
        runs.sort_by_key(|run| (-i64::from(self.runs[run].sweep.priority()), *run));
        for &run in &runs {
            let most = given.len().saturating_add(self.share(run)).min(want as usize);
            while given.len() < most {
                // A unit that has cost a worker is handed out alone, so that no other unit is
                // blamed.
                let risky = |core: &Self, (item, unit)| core.crashes(run, item, unit) > 0;
                let next = match self.next_ready(run, worker) {
                    Some(ready) if given.is_empty() || !risky(self, ready) => Some(ready),
                    Some(_) => break,
                    None => self.begin_item(run),
                };
                let Some((item, unit)) = next else { break };
                given.push(self.grant(run, item, unit, worker, now));
                if risky(self, (item, unit)) {
                    return given;
                }
            }
        }
        for &run in &runs {
            while given.len() < want as usize {
                let Some((item, unit)) = self.split(run) else { break };
                given.push(self.grant(run, item, unit, worker, now));
            }
        }
        given
    }

    /// The first queued unit. A unit that failed at this worker, perhaps for its disk or memory, is
    /// left to other workers if there are any.
    fn next_ready(&self, id: RunId, worker: WorkerId) -> Option<(ItemNo, UnitNo)> {
        let run = &self.runs[&id];
        let failed_here = |(item, unit): &(ItemNo, UnitNo)| {
            let unit = run.active.get(item).and_then(|active| active.units.get(unit));
            unit.is_some_and(|unit| unit.failed_at == Some(worker))
        };
        let first = run.ready.first().copied()?;
        if !failed_here(&first) {
            return Some(first);
        }
        let fits = |other: &Worker| other.present && other.about.has(run.sweep.labels());
        let alone = !self.workers.iter().any(|(&id, other)| id != worker && fits(other));
        if alone {
            Some(first)
        } else {
            run.ready.iter().find(|ready| !failed_here(ready)).copied()
        }
    }

    /// How many units of a run one worker may take at a time. If the next stage waits for this one,
    /// no worker hoards units that others could compute.
    fn share(&self, id: RunId) -> usize {
        let run = &self.runs[&id];
        if run.stage().is_none() {
            return usize::MAX;
        }
        let fits = |worker: &&Worker| worker.present && worker.about.has(run.sweep.labels());
        let workers = self.workers.values().filter(fits).count().max(1);
        let unbegun = run.stages.may_begin(run.slots.len()).saturating_sub(run.cursor) as usize;
        (run.ready.len() + unbegun).div_ceil(workers)
    }

    fn crashes(&self, run: RunId, item: ItemNo, unit: UnitNo) -> u32 {
        let active = self.runs.get(&run).and_then(|run| run.active.get(&item));
        active.and_then(|active| active.units.get(&unit)).map_or(0, |unit| unit.crashes)
    }

    /// Starts the next new item; returns its first unit.
    fn begin_item(&mut self, id: RunId) -> Option<(ItemNo, UnitNo)> {
        let run = self.run_mut(id);
        let end = run.stages.may_begin(run.slots.len());
        let item_at = |place: u32| run.stages.item(place);
        let waits = |place: &u32| run.slots[item_at(*place).0 as usize].state == ItemState::Waiting;
        let found = (run.cursor..end).find(waits);
        let item = found.map(item_at);
        run.cursor = found.unwrap_or(end).max(run.cursor);
        let item = item?;
        let mut active = plan(&run.sweep, run.sweep.item(item.0 as usize));
        active.cost = run.spent.remove(&item).unwrap_or_default();
        let first = active.units.keys().next().map(|&unit| (item, unit));
        run.ready.extend(active.units.keys().map(|&unit| (item, unit)));
        run.active.insert(item, active);
        run.set_state(item, ItemState::Running);
        run.cursor += 1;
        self.notices.push(Notice::Started(id, item));
        first.or_else(|| self.split_item(id, item))
    }

    /// A new unit of the search that has the fewest workers and can use one more.
    fn split(&mut self, id: RunId) -> Option<(ItemNo, UnitNo)> {
        let run = &self.runs[&id];
        let searches = run.active.iter().filter(|(_, active)| active.can_split());
        let mut items: Vec<(usize, ItemNo)> =
            searches.map(|(&item, active)| (active.units.len(), item)).collect();
        items.sort_unstable();
        items.into_iter().find_map(|(_, item)| self.split_item(id, item))
    }

    fn split_item(&mut self, id: RunId, item: ItemNo) -> Option<(ItemNo, UnitNo)> {
        let active = self.run_mut(id).active_mut(item);
        let Plan::Search { partition, settled: None, .. } = &mut active.plan else { return None };
        let task = partition.next()?;
        let unit = task.unit;
        active.units.insert(unit, Unit::new(Task::Search(task.search)));
        self.tell_others(id, item);
        Some((item, unit))
    }

    /// Hands out a queued unit. Looks everything up before it changes anything: a recorded change
    /// belongs to a lease that a worker holds.
    fn grant(
        &mut self,
        id: RunId,
        item: ItemNo,
        unit: UnitNo,
        worker: WorkerId,
        now: Millis,
    ) -> Assignment {
        let name = self.name_of(worker);
        let split_ms = self.settings.split_ms;
        let run = self.run_mut(id);
        run.ready.remove(&(item, unit));
        run.slot(item).attempts += 1;
        let attempts = run.slot(item).attempts;
        let active = run.active_mut(item);
        let held = active.units.get_mut(&unit).expect("a unit that is ready");
        let again = held.attempt.0 > 0;
        // Units created anew after a restart must never have the name of an earlier one, which a
        // worker may still hold. So their attempts are counted over the whole item, whose record is
        // kept.
        held.attempt = Attempt(if held.is_durable() { held.attempt.0 + 1 } else { attempts });
        held.holder = Some(worker);
        held.since = now;
        held.unnamed = 0;
        held.progress = 0;
        let lease = Lease { run: id, item, unit, attempt: held.attempt };
        let mut task = held.task.clone();
        if let Task::Enumerate(part) = &mut task {
            part.split_ms = split_ms;
        }
        let durable = held.is_durable().then(|| held.record());
        let question = match &active.plan {
            Plan::Search { asked, .. } => asked.clone(),
            Plan::Whole | Plan::Parts => active.question.clone(),
        };
        let change = match durable {
            Some(record) => Change::Unit(id, item, unit, record),
            None => Change::Item(id, item, run.item_record(item)),
        };
        self.changes.push(change);
        self.granted += 1;
        // A split search has thousands of units; the log has them.
        if !matches!(task, Task::Search(_)) || again {
            self.history(id, item, again, format!("attempt {lease} given to {name}"));
        }
        self.worker_mut(worker).leases.push(lease);
        self.notices.push(Notice::Granted(lease, worker));
        Assignment { lease, question, task }
    }
}

impl super::run::Active {
    fn can_split(&self) -> bool {
        matches!(self.plan, Plan::Search { settled: None, .. })
    }
}

impl Run {
    pub(super) fn requeue(&mut self, item: ItemNo, unit: UnitNo) {
        self.ready.insert((item, unit));
    }
}
