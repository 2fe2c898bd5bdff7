//! Workers: registration, heartbeats, leaving, and loss.

use std::collections::BTreeSet;

use hasami_sweep::Measures;
use hasami_unit::{OtherWorkers, Progress, Task};

use super::Core;
use super::change::{Change, GiveBack, Notice};
use super::ids::{ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::record::WorkerRecord;
use super::run::{Plan, Unit};
use super::worker::{Commands, Introduction, Worker};
use crate::partition::{Directive, Partition};

/// A lease that this many heartbeats in a row do not name, over as many intervals, never arrived.
const UNNAMED: u32 = 3;
/// A worker that has been away for this long is removed.
const FORGET_MS: u64 = 24 * 3_600_000;

/// The reply to a registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Its number.
    pub worker: WorkerId,
    /// Its secret.
    pub session: u64,
    /// The leases it holds that are no longer wanted.
    pub revoked: Vec<Lease>,
}

impl Core {
    /// Registers a worker, new or returning with its leases. `session` is a fresh secret for a new
    /// one.
    pub fn register(
        &mut self,
        known: Option<(WorkerId, u64)>,
        about: Introduction,
        held: &[Lease],
        session: u64,
        now: Millis,
    ) -> Registered {
        let same = |&(id, secret): &(WorkerId, u64)| {
            self.workers.get(&id).is_some_and(|worker| worker.session == secret)
        };
        let known = known.filter(same);
        let id = known.map_or_else(
            || {
                self.next_worker += 1;
                WorkerId(self.next_worker - 1)
            },
            |(id, _)| id,
        );
        let session = known.map_or(session, |(_, secret)| secret);
        let fresh = || Worker::new(Introduction::default(), session, now, true);
        let worker = self.workers.entry(id).or_insert_with(fresh);
        worker.about = about;
        worker.seen = now;
        worker.present = true;
        worker.may_return = false;
        worker.waits = false;
        worker.asked.clear();
        worker.awaited = 0;
        let name = worker.about.name.clone();
        self.changes.push(Change::Worker(WorkerRecord { worker: id, session, name }));
        let revoked: Vec<Lease> = held.iter().filter(|&&l| !self.adopt(l, id)).copied().collect();
        self.notices.push(match known {
            Some(_) => Notice::Returned { worker: id, held: held.len(), revoked: revoked.len() },
            None => Notice::Joined(id),
        });
        // Leases that it no longer knows (it restarted, or the grant was lost in transit) go back.
        let leases = self.worker_mut(id).leases.clone();
        for lease in leases.into_iter().filter(|lease| !held.contains(lease)) {
            self.give_back(lease, GiveBack::WorkerForgot);
        }
        Registered { worker: id, session, revoked }
    }

    /// Lets a worker keep a lease if the attempt is still the latest; returns whether it may.
    fn adopt(&mut self, lease: Lease, worker: WorkerId) -> bool {
        let sender = self.sender(worker);
        let Some(run) = self.runs.get_mut(&lease.run) else { return false };
        let over = run.is_over();
        let Some(active) = run.active.get_mut(&lease.item) else { return false };
        let Some(unit) = active.units.get_mut(&lease.unit) else { return false };
        let free = unit.holder.is_none_or(|holder| holder == worker);
        let its_own = unit.granted == Some(worker);
        let answered = unit.done.is_some() || unit.claim.is_some();
        if over || unit.attempt != lease.attempt || !free || !its_own || answered {
            return false;
        }
        if unit.blamed == Some(worker) {
            // The worker was disconnected or suspended, not killed.
            unit.crashes = unit.crashes.saturating_sub(1);
            unit.blamed = None;
            unit.failed_by.remove(&sender);
        }
        unit.holder = Some(worker);
        unit.unnamed = 0;
        let record = unit.is_durable().then(|| unit.record());
        run.ready.remove(&(lease.item, lease.unit));
        let changes = record.map(|r| Change::Unit(lease.run, lease.item, lease.unit, r));
        self.changes.extend(changes);
        let leases = &mut self.worker_mut(worker).leases;
        if !leases.contains(&lease) {
            leases.push(lease);
        }
        true
    }

    /// Whether a call comes from a worker that is known.
    #[must_use]
    pub fn knows(&self, worker: WorkerId, session: u64) -> bool {
        self.workers.get(&worker).is_some_and(|known| known.present && known.session == session)
    }

    /// Whether a worker holds a lease.
    #[must_use]
    pub fn holds(&self, worker: WorkerId, lease: Lease) -> bool {
        self.workers.get(&worker).is_some_and(|known| known.leases.contains(&lease))
    }

    /// Handles the report of a [known](Core::knows) worker: its leases and their progress.
    pub fn heartbeat(&mut self, worker: WorkerId, progress: &[Progress], now: Millis) {
        let patience = u64::from(UNNAMED) * self.settings.heartbeat_ms;
        let known = self.worker_mut(worker);
        known.seen = now;
        known.has_obeyed();
        let leases = known.leases.clone();
        let named: BTreeSet<Lease> = progress.iter().map(|progress| progress.lease).collect();
        for lease in leases {
            let unit = self.unit_of(lease);
            unit.unnamed = if named.contains(&lease) { 0 } else { unit.unnamed + 1 };
            if unit.unnamed >= UNNAMED && unit.since.plus(patience) <= now {
                self.give_back(lease, GiveBack::NeverArrived);
            }
        }
        for Progress { lease, search } in progress {
            // A worker may name any lease; only those it holds count.
            let Some(unit) = self.unit_mut(*lease).filter(|unit| unit.holder == Some(worker))
            else {
                continue;
            };
            let fresh = search.nodes.saturating_sub(unit.progress);
            unit.progress = search.nodes;
            if fresh > 0 {
                unit.moved = now;
            }
            let searches = matches!(unit.task, Task::Search(_));
            let known = self.worker_mut(worker);
            known.nodes = known.nodes.saturating_add(fresh);
            if searches {
                let active = self.run_mut(lease.run).active_mut(lease.item);
                let directives = active.partition_mut().progress(lease.unit, search);
                self.follow(lease.run, lease.item, directives);
                self.check_budget(lease.run, lease.item);
            }
        }
    }

    /// Commands for a worker, each returned once. A worker that has left gets none.
    pub fn commands(&mut self, worker: WorkerId) -> Commands {
        self.workers
            .get_mut(&worker)
            .map_or_else(Commands::default, |known| std::mem::take(&mut known.commands))
    }

    /// Removes a worker that leaves: its leases go back.
    pub fn leave(&mut self, worker: WorkerId) {
        let leases = self.workers.get(&worker).map_or_else(Vec::new, |known| known.leases.clone());
        for lease in leases {
            self.give_back(lease, GiveBack::WorkerLeft);
        }
        if let Some(gone) = self.workers.remove(&worker) {
            self.changes.push(Change::DropWorker(worker));
            self.notices.push(Notice::Left(worker, gone.about.name));
        }
    }

    /// Advances the time: workers that were silent for too long lose their leases.
    pub fn tick(&mut self, now: Millis, wall_ms: u64) {
        let lease_ms = self.settings.lease_ms;
        let silent = |worker: &Worker| worker.seen.plus(lease_ms) <= now;
        let lost: Vec<WorkerId> = self
            .workers
            .iter()
            .filter(|(_, worker)| silent(worker) && (worker.present || worker.leases() > 0))
            .map(|(&id, _)| id)
            .collect();
        for id in lost {
            self.lose(id, wall_ms);
        }
        for worker in self.workers.values_mut().filter(|worker| worker.may_return) {
            if silent(worker) {
                worker.may_return = false;
                // What was left to it is for others.
                self.notices.push(Notice::WorkAvailable);
            }
        }
        let away = |worker: &Worker| !worker.present && worker.leases() == 0;
        let gone = |worker: &Worker| away(worker) && worker.seen.plus(FORGET_MS) <= now;
        let gone: Vec<WorkerId> =
            self.workers.iter().filter(|(_, worker)| gone(worker)).map(|(&id, _)| id).collect();
        for id in gone {
            self.workers.remove(&id);
            self.changes.push(Change::DropWorker(id));
        }
        self.enforce_limits(now, wall_ms);
        self.balance(now);
        // A heartbeat may use up a budget, but does not know the wall clock.
        let ended = self.runs.values().filter(|run| run.all_ended() && !run.is_over());
        for id in ended.map(|run| run.id).collect::<Vec<_>>() {
            self.finish_run_if_over(id, wall_ms);
        }
    }

    /// Handles the loss of a worker: the units it was computing may be the cause.
    fn lose(&mut self, id: WorkerId, wall_ms: u64) {
        let worker = self.worker_mut(id);
        worker.present = false;
        worker.commands = Commands::default();
        worker.waits = false;
        let computing: BTreeSet<Lease> = worker.computing().copied().collect();
        let leases = std::mem::take(&mut worker.leases);
        self.notices.push(Notice::Lost(id, leases.len()));
        for lease in leases {
            if computing.contains(&lease) {
                self.blame(lease, id, wall_ms);
            } else {
                self.give_back(lease, GiveBack::LostInQueue);
            }
        }
    }

    /// Counts a worker lost with a unit; after too many the item fails.
    fn blame(&mut self, lease: Lease, worker: WorkerId, wall_ms: u64) {
        let limit = self.run_mut(lease.run).sweep.crash_limit();
        let (name, sender) = (self.name_of(worker), self.sender(worker));
        // An earlier lease of the worker may have failed the item.
        let Some(unit) = self.unit_mut(lease) else { return };
        unit.crashes += 1;
        unit.blamed = Some(worker);
        unit.failed_by.insert(sender);
        let crashes = unit.crashes;
        if crashes >= limit && self.is_confirmed(lease) {
            let what = format!(
                "{crashes} workers were lost while they computed unit {} of it, the last one {name}",
                lease.unit.0
            );
            self.fail_item(lease.run, lease.item, what);
            self.finish_run_if_over(lease.run, wall_ms);
        } else {
            self.history(
                lease.run,
                lease.item,
                true,
                format!("{name} was lost with attempt {lease} ({crashes} of {limit})"),
            );
            self.give_back(lease, GiveBack::WorkerLost);
        }
    }

    /// Puts a unit back into the queue.
    pub(super) fn give_back(&mut self, lease: Lease, why: GiveBack) {
        // Another lease may have ended the item, and this one with it.
        let Some(unit) = self.unit_mut(lease) else { return };
        let holder = unit.holder.take();
        unit.progress = 0;
        let (durable, record) = (unit.is_durable(), unit.record());
        let searching = matches!(unit.task, Task::Search(_));
        let mut why = why;
        if let Some(holder) = holder {
            let known = self.worker_mut(holder);
            known.leases.retain(|held| *held != lease);
            if known.asked.remove(&lease) {
                known.awaited = known.awaited.saturating_sub(1);
                if why == GiveBack::HandedBack {
                    why = GiveBack::Unbegun;
                }
            }
        }
        let run = self.run_mut(lease.run);
        if searching {
            // The partitioner decides what happens to it.
            let active = run.active_mut(lease.item);
            active.units.remove(&lease.unit);
            active.partition_mut().lost(lease.unit);
        } else {
            run.requeue(lease.item, lease.unit);
        }
        if durable {
            self.changes.push(Change::Unit(lease.run, lease.item, lease.unit, record));
        }
        let shares = holder.filter(|_| why == GiveBack::HandedBack);
        if shares.is_none_or(|holder| !self.begin_together(lease, holder)) {
            self.ask_no_more(lease);
        }
        let unusual = why != GiveBack::Unbegun;
        self.history(lease.run, lease.item, unusual, format!("attempt {lease} came back: {why}"));
        self.notices.push(Notice::Requeued(lease, holder, why));
        self.notices.push(Notice::WorkAvailable);
    }

    /// The unit of a lease, if this is its latest attempt.
    pub(super) fn unit_mut(&mut self, lease: Lease) -> Option<&mut Unit> {
        let active = self.runs.get_mut(&lease.run)?.active.get_mut(&lease.item)?;
        active.units.get_mut(&lease.unit).filter(|unit| unit.attempt == lease.attempt)
    }

    /// As [`Core::unit_mut`], to read it.
    pub(super) fn unit(&self, lease: Lease) -> Option<&Unit> {
        let active = self.runs.get(&lease.run)?.active.get(&lease.item)?;
        active.units.get(&lease.unit).filter(|unit| unit.attempt == lease.attempt)
    }

    /// The unit of a lease that a worker holds, or that was checked.
    pub(super) fn unit_of(&mut self, lease: Lease) -> &mut Unit {
        self.unit_mut(lease).expect("the unit of a lease that is held")
    }

    pub(super) fn partition_mut(&mut self, run: RunId, item: ItemNo) -> Option<&mut dyn Partition> {
        match &mut self.runs.get_mut(&run)?.active.get_mut(&item)?.plan {
            Plan::Search { partition, .. } => Some(&mut **partition),
            Plan::Whole | Plan::Parts => None,
        }
    }

    /// States that other workers on the search of this lease are searching.
    #[must_use]
    pub fn others(&mut self, lease: Lease) -> OtherWorkers {
        let partition = self.partition_mut(lease.run, lease.item);
        partition.map_or_else(OtherWorkers::default, |partition| partition.others())
    }

    /// Units of a search have started or ended: notify the unit that avoids them.
    pub(super) fn tell_others(&mut self, run: RunId, item: ItemNo) {
        if let Some(unit) = self.partition_mut(run, item).and_then(|partition| partition.moved()) {
            self.tell_unit(run, item, unit, |commands, lease| {
                commands.others.insert(lease);
            });
        }
    }

    /// Carries out the directives of a partitioner.
    pub(super) fn follow(&mut self, run: RunId, item: ItemNo, directives: Vec<Directive>) {
        for directive in directives {
            match directive {
                Directive::Cancel(unit) => self.cancel_unit(run, item, unit),
                Directive::Look(unit) => {
                    self.tell_unit(run, item, unit, |commands, lease| {
                        commands.look.insert(lease);
                    });
                }
                Directive::Settled(verdict) => self.search_settled(run, item, verdict),
            }
        }
    }

    /// Cancels a unit, if it still exists, and tells its worker to stop.
    pub(super) fn cancel_unit(&mut self, run: RunId, item: ItemNo, unit: UnitNo) {
        self.tell_unit(run, item, unit, |commands, lease| {
            commands.cancelled.insert(lease);
        });
        let known = self.run_mut(run);
        known.ready.remove(&(item, unit));
        // A directive may follow the verdict that cancelled everything.
        let Some(active) = known.active.get_mut(&item) else { return };
        let Some(gone) = active.units.remove(&unit) else { return };
        self.claims -= usize::from(gone.claim.is_some());
        let active = self.run_mut(run).active_mut(item);
        let lease = Lease { run, item, unit, attempt: gone.attempt };
        let cost = Measures { nodes: gone.progress, ..Measures::default() };
        active.cost.add(cost);
        self.run_mut(run).spend(cost);
        if let Some(holder) = gone.holder {
            self.worker_mut(holder).leases.retain(|held| *held != lease);
        }
    }

    pub(super) fn tell_unit(
        &mut self,
        run: RunId,
        item: ItemNo,
        unit: UnitNo,
        tell: impl FnOnce(&mut Commands, Lease),
    ) {
        let Some(known) = self.runs.get(&run).and_then(|run| run.active.get(&item)) else { return };
        let Some(held) = known.units.get(&unit) else { return };
        let lease = Lease { run, item, unit, attempt: held.attempt };
        if let Some(holder) = held.holder {
            tell(&mut self.worker_mut(holder).commands, lease);
            self.notices.push(Notice::Wake(holder));
        }
    }
}
