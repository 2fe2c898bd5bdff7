//! Outcomes that workers hand in.

use hasami_andor::{SearchReport, Verdict};
use hasami_sweep::Measures;
use hasami_unit::{EnumerateTask, Failure, FailureKind, Outcome, Part, Rejection, Task};

use super::Core;
use super::change::{Change, GiveBack, Notice};
use super::ids::{ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::plan::{search_stage, stage_question};
use super::run::{Plan, Unit};

impl Core {
    /// Accepts an outcome.
    ///
    /// # Errors
    /// If it is not used: the attempt was superseded or cancelled, or the outcome does not fit.
    pub fn report(
        &mut self,
        worker: WorkerId,
        lease: Lease,
        outcome: Outcome,
        now: Millis,
        wall_ms: u64,
    ) -> Result<(), Rejection> {
        let known = self.worker_mut(worker);
        known.seen = now;
        known.leases.retain(|held| *held != lease);
        let used = self.check(worker, lease, &outcome);
        match used {
            Ok(()) => {
                self.notices.push(Notice::Accepted(lease, worker));
                self.count_nodes(worker, lease, &outcome);
                // A late outcome: the unit is queued again and must not be handed out.
                self.run_mut(lease.run).ready.remove(&(lease.item, lease.unit));
                self.take_in(worker, lease, outcome, wall_ms);
            }
            Err(why) => self.notices.push(Notice::Rejected(lease, worker, why)),
        }
        if used == Err(Rejection::WrongKind) {
            // The worker has no better outcome: the attempt has failed.
            let failure = Failure::new(FailureKind::Delivery, Rejection::WrongKind.to_string());
            self.failed(worker, lease, &failure, wall_ms);
        }
        used
    }

    fn take_in(&mut self, worker: WorkerId, lease: Lease, outcome: Outcome, wall_ms: u64) {
        match outcome {
            Outcome::HandedBack => {
                self.unit_of(lease).holder = Some(worker);
                self.give_back(lease, GiveBack::HandedBack);
            }
            Outcome::Failure(failure) => self.failed(worker, lease, &failure, wall_ms),
            Outcome::Answer(answer) => self.claimed(worker, lease, answer, wall_ms),
            Outcome::Search(report) if self.is_doubted(worker, lease) => {
                self.ignored(lease, &report)
            }
            Outcome::Search(report) => self.searched(worker, lease, &report),
            Outcome::Part(part) => self.counted(lease, part, wall_ms),
        }
    }

    /// Whether an outcome is wanted: the only check between a worker's message and the state of a
    /// run.
    fn check(&self, worker: WorkerId, lease: Lease, outcome: &Outcome) -> Result<(), Rejection> {
        let run = self.runs.get(&lease.run).ok_or(Rejection::UnknownRun)?;
        if run.is_over() {
            return Err(Rejection::RunOver);
        }
        let active = run.active.get(&lease.item).ok_or(Rejection::ItemEnded)?;
        let unit = active.units.get(&lease.unit).ok_or(Rejection::UnitCancelled)?;
        if unit.attempt != lease.attempt {
            return Err(Rejection::Superseded);
        }
        if unit.done.is_some() || unit.claim.is_some() {
            return Err(Rejection::AlreadyCounted);
        }
        if unit.granted != Some(worker) || unit.holder.is_some_and(|holder| holder != worker) {
            return Err(Rejection::HeldByAnother);
        }
        let fits = match (outcome, &unit.task) {
            (Outcome::Failure(_) | Outcome::HandedBack, _) => true,
            (Outcome::Answer(_), Task::Answer | Task::Certify(_)) => true,
            (Outcome::Search(_), Task::Search(_)) => true,
            (Outcome::Part(_), Task::Enumerate(_)) => true,
            (Outcome::Answer(_) | Outcome::Search(_) | Outcome::Part(_), _) => false,
        };
        if fits { Ok(()) } else { Err(Rejection::WrongKind) }
    }

    /// Nodes of an outcome not yet reported by a heartbeat, for the speed of its worker.
    fn count_nodes(&mut self, worker: WorkerId, lease: Lease, outcome: &Outcome) {
        let nodes = match outcome {
            Outcome::Answer(answer) => answer.measures.nodes,
            Outcome::Search(report) => report.nodes,
            Outcome::Part(part) => part.nodes,
            Outcome::Failure(_) | Outcome::HandedBack => 0,
        };
        let reported = self.unit_of(lease).progress;
        let known = self.worker_mut(worker);
        known.nodes = known.nodes.saturating_add(nodes.saturating_sub(reported));
    }

    fn failed(&mut self, worker: WorkerId, lease: Lease, failure: &Failure, wall_ms: u64) {
        let limit = self.run_mut(lease.run).sweep.crash_limit();
        let (name, sender) = (self.name_of(worker), self.sender(worker));
        let message = &failure.message;
        let permanent = failure.kind.is_permanent();
        let unit = self.unit_of(lease);
        unit.crashes += 1;
        unit.denied_by.extend(permanent.then(|| sender.clone()));
        unit.failed_by.insert(sender);
        let enough = unit.crashes >= limit;
        if failure.kind == FailureKind::Contradiction && self.search_again(lease, message) {
            return;
        }
        if enough && self.is_confirmed(lease) || permanent && self.is_denied(lease) {
            self.fail_item(lease.run, lease.item, format!("{name}: {message}"));
            self.finish_run_if_over(lease.run, wall_ms);
        } else {
            self.unit_of(lease).holder = Some(worker);
            let text = format!("{name} failed with attempt {lease}: {message}");
            self.history(lease.run, lease.item, true, text);
            self.give_back(lease, GiveBack::Failed);
        }
    }

    fn searched(&mut self, worker: WorkerId, lease: Lease, report: &SearchReport) {
        let &SearchReport { nodes, seconds, store_hits, .. } = report;
        let cost = Measures { nodes, seconds, store_hits };
        let run = self.run_mut(lease.run);
        run.spend(cost);
        let active = run.active_mut(lease.item);
        active.cost.add(cost);
        active.units.remove(&lease.unit);
        let directives = active.partition_mut().finished(lease.unit, report);
        // The spent part of the budget stays spent.
        let record = run.item_record(lease.item);
        self.changes.push(Change::Item(lease.run, lease.item, record));
        self.follow(lease.run, lease.item, directives);
        self.remember_claimant(worker, lease);
        self.check_budget(lease.run, lease.item);
        self.tell_others(lease.run, lease.item);
        self.notices.push(Notice::WorkAvailable);
    }

    /// The root of a split search is settled: continue with the next stage, or the certificate.
    pub(super) fn search_settled(&mut self, id: RunId, item: ItemNo, verdict: Verdict) {
        // A worker that computes the whole item beside the search may still be first.
        let units = self.run_mut(id).active_mut(item).units.keys();
        let units: Vec<UnitNo> = units.copied().filter(|unit| *unit != UnitNo::WHOLE).collect();
        for unit in units {
            self.cancel_unit(id, item, unit);
        }
        let run = self.run_mut(id);
        let sweep = std::sync::Arc::clone(&run.sweep);
        let active = run.active_mut(item);
        let Plan::Search { stage, settled, .. } = &mut active.plan else {
            unreachable!("a verdict on the root of an item that is not split")
        };
        let next = *stage + 1;
        *settled = Some(verdict);
        if verdict == Verdict::Disproven
            && stage_question(sweep.spec(), &active.question, next).is_some()
            && let Some(plan) = search_stage(&sweep, &active.question, next)
        {
            active.plan = plan;
            self.history(id, item, true, format!("stage {next} is disproven; on to the next"));
        } else {
            let unit = UnitNo::CERTIFY;
            active.units.insert(unit, Unit::new(Task::Certify(verdict)));
            run.requeue(item, unit);
            self.history(id, item, true, format!("{}; now the certificate", verdict.word()));
        }
        self.notices.push(Notice::WorkAvailable);
    }

    fn counted(&mut self, lease: Lease, mut part: Part, wall_ms: u64) {
        let cost = Measures { nodes: part.nodes, seconds: part.seconds, store_hits: 0 };
        let rest = std::mem::take(&mut part.rest);
        let run = self.run_mut(lease.run);
        run.spend(cost);
        let active = run.active_mut(lease.item);
        active.cost.add(cost);
        let unit = active.units.get_mut(&lease.unit).expect("a unit whose outcome was checked");
        unit.holder = None;
        unit.done = Some(part);
        let mut changes = vec![(lease.unit, unit.record())];
        let next = active.units.keys().last().map_or(0, |last| last.0 + 1);
        let mut ready = Vec::with_capacity(rest.len());
        for (no, prefix) in (next..).map(UnitNo).zip(rest) {
            let unit = Unit::new(Task::Enumerate(EnumerateTask::part(prefix)));
            changes.push((no, unit.record()));
            active.units.insert(no, unit);
            ready.push((lease.item, no));
        }
        let whole = active.units.values().all(|unit| unit.done.is_some());
        let answer = whole.then(|| super::finish::add_up(active));
        run.ready.extend(ready);
        let record = |(no, record)| Change::Unit(lease.run, lease.item, no, record);
        self.changes.extend(changes.into_iter().map(record));
        match answer {
            Some(answer) => {
                self.settle_item(lease.run, lease.item, answer);
                self.finish_run_if_over(lease.run, wall_ms);
            }
            None => self.notices.push(Notice::WorkAvailable),
        }
    }
}
