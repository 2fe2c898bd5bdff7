//! Hands out work: by priority and share of the runs ([`fair`](super::fair)); of each run returned
//! units first, then new items, then help for searches that can use another worker.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use hasami_unit::{Assignment, ItemState, Task};

use super::change::{Change, Notice};
use super::claim::Sender;
use super::ids::{Attempt, ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::plan::plan;
use super::run::{Active, Plan, Unit};
use super::{Core, Run};

/// Workers beside the one that asks.
#[derive(Default)]
struct Others {
    workers: usize,
    threads: usize,
    idle: usize,
}

impl Core {
    /// Up to `want` units for a worker that is [known](Core::knows). It gets a unit for each idle
    /// thread, and more ahead only while there is enough for all.
    pub fn take(&mut self, worker: WorkerId, want: u32, now: Millis) -> Vec<Assignment> {
        let known = self.worker_mut(worker);
        known.seen = now;
        known.waits = false;
        if !self.may_take(worker) {
            return Vec::new();
        }
        let want = want as usize;
        let mut given = Vec::new();
        for (priority, runs) in self.runs_by_priority(worker) {
            if given.len() >= want
                || !self.take_from(priority, &runs, worker, want, now, &mut given)
            {
                break;
            }
        }
        let known = self.worker_mut(worker);
        known.waits = given.len() < want;
        known.had = known.leases.len();
        known.woken = false;
        given
    }

    /// The runs whose units a worker may get, the highest priority first.
    fn runs_by_priority(&self, worker: WorkerId) -> Vec<(i32, Vec<RunId>)> {
        let mut levels: BTreeMap<Reverse<i32>, Vec<RunId>> = BTreeMap::new();
        for run in self.runs.values().filter(|run| self.serves(run, worker)) {
            levels.entry(Reverse(run.sweep.priority())).or_default().push(run.id);
        }
        levels.into_iter().map(|(Reverse(priority), runs)| (priority, runs)).collect()
    }

    /// Takes units from runs of one priority: returned units and new items, then help for their
    /// searches. Returns whether runs of lower priority may follow.
    fn take_from(
        &mut self,
        priority: i32,
        runs: &[RunId],
        worker: WorkerId,
        want: usize,
        now: Millis,
        given: &mut Vec<Assignment>,
    ) -> bool {
        let mut contest = self.contest(priority, runs, now);
        let others = self.others_for(worker, runs);
        while given.len() < want && self.may_have_more(worker, runs, &others) {
            let Some(run) = contest.next() else { break };
            let next = self.next_ready(run, worker).or_else(|| self.begin_item(run, now));
            // A unit that has cost a worker is handed out alone, so that no other unit is blamed.
            let risky = next.is_some_and(|(item, unit)| self.crashes(run, item, unit) > 0);
            match next {
                Some((item, unit)) if given.is_empty() || !risky => {
                    given.push(self.grant(run, item, unit, worker, now));
                    contest.served(run);
                }
                _ => contest.exhausted(run),
            }
            if risky && given.len() == 1 {
                return false;
            }
        }
        self.close(&contest);
        for run in contest.in_order() {
            while given.len() < want {
                let Some((item, unit)) = self.split(run, worker, now) else { break };
                given.push(self.grant(run, item, unit, worker, now));
            }
        }
        true
    }

    /// Whether a worker may have one more unit of these runs: always if a thread is idle; beyond
    /// that at most half of its fair share of what is left when all idle threads are served. A
    /// worker that is alone may have everything: it can be called back.
    fn may_have_more(&self, worker: WorkerId, runs: &[RunId], others: &Others) -> bool {
        let known = &self.workers[&worker];
        if known.idle() > 0 || others.workers == 0 {
            return true;
        }
        let left = |run: &RunId| self.runs[run].ready.len() + self.runs[run].may_begin();
        let left: usize = runs.iter().map(left).sum();
        let own = known.threads();
        known.ahead() < left.saturating_sub(others.idle) * own / (2 * (own + others.threads))
    }

    /// The other workers that these runs may go to.
    fn others_for(&self, worker: WorkerId, runs: &[RunId]) -> Others {
        let serves = |id: WorkerId| runs.iter().any(|run| self.serves(&self.runs[run], id));
        let mut others = Others::default();
        for (&id, other) in self.workers.iter().filter(|(_, other)| other.present) {
            if id != worker && serves(id) {
                others.workers += 1;
                others.threads += other.threads();
                others.idle += other.idle();
            }
        }
        others
    }

    /// The first queued unit. A unit that failed at this worker, perhaps for its disk or memory, is
    /// left to other workers if there are any.
    pub(super) fn next_ready(&self, id: RunId, worker: WorkerId) -> Option<(ItemNo, UnitNo)> {
        let run = &self.runs[&id];
        let for_others = |(item, unit): &(ItemNo, UnitNo)| {
            let unit = run.active.get(item).and_then(|active| active.units.get(unit));
            unit.is_some_and(|unit| self.is_for_others(id, unit, worker))
        };
        run.ready.iter().find(|ready| !for_others(ready)).copied()
    }

    /// Whether a unit is left to other workers, because this one has failed with it.
    pub(super) fn is_for_others(&self, run: RunId, unit: &Unit, worker: WorkerId) -> bool {
        let sender = self.sender(worker);
        let had_turn = |by: &BTreeSet<Sender>| by.contains(&sender) && self.others_remain(run, by);
        had_turn(&unit.failed_by) || had_turn(&unit.denied_by)
    }

    fn crashes(&self, run: RunId, item: ItemNo, unit: UnitNo) -> u32 {
        let active = self.runs.get(&run).and_then(|run| run.active.get(&item));
        active.and_then(|active| active.units.get(&unit)).map_or(0, |unit| unit.crashes)
    }

    /// Starts the next new item; returns its first unit.
    fn begin_item(&mut self, id: RunId, now: Millis) -> Option<(ItemNo, UnitNo)> {
        let run = self.run_mut(id);
        let item = run.next_item(now)?;
        let mut active = plan(&run.sweep, run.sweep.item(item.0 as usize));
        active.cost = run.spent.remove(&item).unwrap_or_default();
        active.begun = now;
        let first = active.units.keys().next().map(|&unit| (item, unit));
        run.ready.extend(active.units.keys().map(|&unit| (item, unit)));
        run.active.insert(item, active);
        run.set_state(item, ItemState::Running);
        self.notices.push(Notice::Started(id, item));
        first.or_else(|| self.split_item(id, item))
    }

    /// A new unit of the search that has the fewest workers and can use one more.
    fn split(&mut self, id: RunId, worker: WorkerId, now: Millis) -> Option<(ItemNo, UnitNo)> {
        let run = &self.runs[&id];
        let believed = |active: &Active| !self.doubts(id, active, worker);
        let searches = run.active.iter().filter(|(_, active)| {
            active.can_split() && active.is_open_to(worker, now) && believed(active)
        });
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
        if active.joining.take().is_some() {
            // The first one is there; the others have waited for it.
            self.notices.push(Notice::WorkAvailable);
        }
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
        held.granted = Some(worker);
        held.since = now;
        held.unnamed = 0;
        held.progress = 0;
        held.moved = now;
        let lease = Lease { run: id, item, unit, attempt: held.attempt };
        let mut task = held.task.clone();
        if let Task::Enumerate(part) = &mut task {
            part.split_ms = split_ms;
        }
        let durable = held.is_durable().then(|| held.record());
        let question = active.question_for(&task).clone();
        // The record of a unit has its own attempts alone: those at a split search of the item are in
        // the item's.
        let whole = active.units.get(&UnitNo::WHOLE).map_or(0, |unit| unit.attempt.0);
        let split = !matches!(active.plan, Plan::Parts) && whole < attempts;
        let item_record = (durable.is_none() || split).then(|| run.item_record(item));
        self.changes.extend(item_record.map(|record| Change::Item(id, item, record)));
        self.changes.extend(durable.map(|record| Change::Unit(id, item, unit, record)));
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

impl Active {
    fn can_split(&self) -> bool {
        matches!(self.plan, Plan::Search { settled: None, .. })
    }
}

impl Run {
    pub(super) fn requeue(&mut self, item: ItemNo, unit: UnitNo) {
        self.ready.insert((item, unit));
    }
}
