//! No worker waits while another holds units that it has not begun: such units are called back.
//! Only the worker knows which those are, so it is asked to return them *if not begun*. The same for
//! a unit that makes no progress for very long: if another worker is idle, it gets the unit.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use hasami_spec::Kind;
use hasami_unit::{RunState, Task};

use super::change::{GiveBack, Notice};
use super::ids::{Lease, Millis, RunId, WorkerId};
use super::run::Unit;
use super::worker::Worker;
use super::{Core, Run};

/// At most this many units are called back from one worker at a time.
const MOST: usize = 64;
/// At most this many idle workers are looked after at a time: there may be a thousand of them, and
/// nothing to do.
const MOST_IDLE: usize = 16;
/// How often units without progress are looked for.
const LOOK_FOR_STALLS_MS: u64 = 1_000;

impl Worker {
    /// A heartbeat shows that the commands of the reply before were obeyed: what was not begun is on
    /// its way back, and nothing more will come.
    pub(super) fn has_obeyed(&mut self) {
        if !self.commands.unbegun.is_empty() {
            return;
        }
        if self.awaited > 0 {
            self.awaited = 0;
        } else {
            // The reply may have been lost: they may be asked for again.
            self.asked.clear();
        }
    }
}

impl Core {
    /// Finds work for idle workers: what they may have now, or at those that have too much.
    pub(super) fn balance(&mut self, now: Millis) {
        self.wake_those_who_may_have_more();
        let idle: Vec<WorkerId> = self.idle_workers();
        if idle.is_empty() {
            return;
        }
        let awaited: usize = self.workers.values().map(|worker| worker.awaited).sum();
        let threads: usize = idle.iter().map(|id| self.workers[id].idle()).sum();
        let mut wanted = threads.saturating_sub(awaited);
        for &worker in &idle {
            if wanted == 0 {
                return;
            }
            wanted = wanted.saturating_sub(self.call_back_for(worker));
        }
        if wanted == 0 {
            return;
        }
        self.search_together(&idle, now);
        if now >= self.stalls_seen.plus(LOOK_FOR_STALLS_MS) {
            self.stalls_seen = now;
            idle.into_iter().for_each(|worker| self.take_stalled_for(worker, now));
        }
    }

    /// A call that got little because its worker had enough waits for news; that its worker has
    /// less now is such news.
    fn wake_those_who_may_have_more(&mut self) {
        let has_less = |worker: &Worker| {
            let left = worker.leases.len();
            left < worker.had && left <= worker.threads().max(worker.had / 2)
        };
        let waits = |worker: &Worker| worker.present && worker.waits && !worker.woken;
        let waiting = self.workers.iter().filter(|(_, worker)| waits(worker) && has_less(worker));
        let waiting: Vec<WorkerId> = waiting.map(|(&id, _)| id).collect();
        for id in waiting {
            if self.would_find_work(id) {
                self.worker_mut(id).woken = true;
                self.notices.push(Notice::WorkAvailable);
            }
        }
    }

    /// Workers that wait with an idle thread, and would find nothing now: some of them, if there are
    /// many.
    fn idle_workers(&self) -> Vec<WorkerId> {
        let hungry = self.workers.iter().filter(|(_, worker)| worker.is_hungry());
        let idle = hungry.map(|(&id, _)| id).filter(|id| self.may_take(*id));
        idle.filter(|id| !self.would_find_work(*id)).take(MOST_IDLE).collect()
    }

    /// Whether there is a unit that a worker may have.
    fn would_find_work(&self, id: WorkerId) -> bool {
        let mut runs = self.runs.values().filter(|run| self.serves(run, id));
        runs.any(|run| run.may_begin() > 0 || self.next_ready(run.id, id).is_some())
    }

    /// Whether units of a run may go to a worker.
    pub(super) fn serves(&self, run: &Run, worker: WorkerId) -> bool {
        let about = &self.workers[&worker].about;
        // Counts have no certificate.
        let believed = !(about.stranger && run.sweep.kind() == Kind::Enumerate);
        run.state == RunState::Running && about.has(run.sweep.labels()) && believed
    }

    /// Asks the worker with the longest queue to return half of it; returns how many units that is.
    fn call_back_for(&mut self, idle: WorkerId) -> usize {
        let runs: BTreeSet<RunId> =
            self.runs.values().filter(|run| self.serves(run, idle)).map(|run| run.id).collect();
        let mut queues: Vec<(Reverse<usize>, WorkerId)> = self
            .workers
            .iter()
            .filter(|(_, worker)| worker.present && worker.ahead() > 0)
            .map(|(&id, worker)| (Reverse(worker.ahead()), id))
            .collect();
        queues.sort_unstable();
        for (_, holder) in queues {
            let leases = self.unbegun(holder, idle, &runs);
            if leases.is_empty() {
                continue;
            }
            // The last ones are begun last.
            let half = leases.len().div_ceil(2).min(MOST);
            let known = self.worker_mut(holder);
            for &lease in &leases[leases.len() - half..] {
                known.asked.insert(lease);
                known.commands.unbegun.insert(lease);
            }
            known.awaited += half;
            self.notices.push(Notice::Wake(holder));
            return half;
        }
        0
    }

    /// Units in the queue of a worker that another may compute and that it was not asked for.
    fn unbegun(&self, holder: WorkerId, idle: WorkerId, runs: &BTreeSet<RunId>) -> Vec<Lease> {
        let worker = &self.workers[&holder];
        let movable = |lease: &&Lease| {
            // Units of a split search are chosen when they are handed out: an idle worker gets one of
            // its own.
            let unit = self.unit(**lease);
            unit.is_some_and(|unit| {
                !matches!(unit.task, Task::Search(_)) && !self.is_for_others(lease.run, unit, idle)
            })
        };
        let queue = worker.leases.iter().skip(worker.threads());
        let fits = |lease: &&Lease| runs.contains(&lease.run) && !worker.asked.contains(lease);
        queue.filter(fits).filter(movable).copied().collect()
    }

    /// Whether a worker has had its turn with a unit, and others beside the holder have not.
    fn was_tried_by(&self, run: RunId, unit: &Unit, worker: WorkerId) -> bool {
        let mut tried = unit.failed_by.clone();
        tried.extend(unit.holder.map(|holder| self.sender(holder)));
        unit.failed_by.contains(&self.sender(worker)) && self.others_remain(run, &tried)
    }

    /// Gives a unit without progress to an idle worker. The thread that computes it may hang, so
    /// nobody waits for it to be handed back. Each time the patience doubles: work that reports no
    /// progress is done in the end.
    fn take_stalled_for(&mut self, idle: WorkerId, now: Millis) {
        let patience = self.settings.stall_ms;
        let stalled = |lease: &Lease| {
            self.runs.get(&lease.run).is_some_and(|run| self.serves(run, idle))
                && self.unit(*lease).is_some_and(|unit| {
                    let patience = patience.saturating_mul(1 << unit.stalls.min(16));
                    let since = unit.moved.0.max(unit.since.0);
                    !matches!(unit.task, Task::Search(_))
                        && !self.was_tried_by(lease.run, unit, idle)
                        && now.0.saturating_sub(since) >= patience
                })
        };
        let others = self.workers.iter().filter(|(id, worker)| **id != idle && worker.present);
        let found =
            others.flat_map(|(_, worker)| worker.computing()).find(|lease| stalled(lease)).copied();
        let Some(lease) = found else { return };
        self.tell_unit(lease.run, lease.item, lease.unit, |commands, lease| {
            commands.cancelled.insert(lease);
        });
        let sender = self.unit(lease).and_then(|unit| unit.holder).map(|id| self.sender(id));
        let unit = self.unit_of(lease);
        unit.stalls += 1;
        // Another worker comes first.
        unit.failed_by.extend(sender);
        self.give_back(lease, GiveBack::Stalled);
    }
}
