//! Outcomes that workers hand in.

use hasami_andor::{SearchReport, Verdict};
use hasami_proto::v1::Answer;

use super::Core;
use super::change::{Change, Notice};
use super::finish::Failing;
use super::ids::{Lease, Millis, UnitNo, WorkerId};
use super::plan::{search_stage, stage_question};
use super::run::{Cost, Part, Plan, Unit, Work};

/// What a lease came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The whole question is answered.
    Answer(Answer),
    /// A search unit ended.
    Search(SearchReport),
    /// A part was counted.
    Part(Part),
    /// It went wrong.
    Failed {
        /// How.
        message: String,
        /// Trying again cannot help.
        permanent: bool,
    },
    /// Not finished, not wrong.
    HandedBack,
}

/// What becomes of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// It was used.
    Accepted,
    /// It came too late, and why.
    Refused(&'static str),
}

impl Core {
    /// Takes an outcome. An attempt that was superseded or called off is refused.
    pub fn report(
        &mut self,
        worker: WorkerId,
        lease: Lease,
        outcome: Outcome,
        now: Millis,
        wall_ms: u64,
    ) -> Receipt {
        if let Some(known) = self.workers.get_mut(&worker) {
            known.seen = now;
            known.leases.retain(|held| *held != lease);
        }
        if let Err(why) = self.check(worker, lease) {
            self.notices.push(Notice::Refused(lease, worker, why));
            return Receipt::Refused(why);
        }
        self.notices.push(Notice::Accepted(lease, worker));
        match outcome {
            Outcome::HandedBack => {
                self.restore_lease(worker, lease);
                self.give_back(lease, "its worker handed it back");
            }
            Outcome::Failed { message, permanent } => {
                self.failed(worker, lease, message, permanent, wall_ms);
            }
            Outcome::Answer(answer) => self.answered(worker, lease, answer, wall_ms),
            Outcome::Search(report) => self.searched(lease, &report),
            Outcome::Part(part) => self.counted(lease, part, wall_ms),
        }
        Receipt::Accepted
    }

    fn check(&mut self, worker: WorkerId, lease: Lease) -> Result<(), &'static str> {
        let run = self.runs.get(&lease.run).ok_or("there is no such run")?;
        if run.is_over() {
            return Err("the run is over");
        }
        let active = run.active.get(&lease.item).ok_or("the item is settled")?;
        let unit = active.units.get(&lease.unit).ok_or("the unit was called off")?;
        if unit.attempt != lease.attempt {
            return Err("a later attempt was given out");
        }
        match unit.holder {
            _ if unit.done.is_some() => Err("the part is counted"),
            Some(holder) if holder != worker => Err("another worker has it"),
            _ => Ok(()),
        }
    }

    /// A unit whose holder reports it goes through the same door as one that is lost.
    fn restore_lease(&mut self, worker: WorkerId, lease: Lease) {
        if let Some(unit) = self.unit_mut(lease) {
            unit.holder = Some(worker);
        }
    }

    fn failed(
        &mut self,
        worker: WorkerId,
        lease: Lease,
        message: String,
        permanent: bool,
        wall_ms: u64,
    ) {
        let limit = self.runs.get(&lease.run).map_or(1, |run| run.sweep.crash_limit());
        let name = self.name_of(worker);
        let Some(unit) = self.unit_mut(lease) else { return };
        unit.crashes += 1;
        unit.failed_at = Some(worker);
        if permanent || unit.crashes >= limit {
            self.fail_item(lease.run, lease.item, Failing::Told(format!("{name}: {message}")));
            self.finish_run_if_over(lease.run, wall_ms);
        } else {
            let text = format!("{name} failed with attempt {lease}: {message}");
            self.history(lease.run, lease.item, true, text);
            self.restore_lease(worker, lease);
            self.give_back(lease, "it failed and may be tried again");
        }
    }

    fn answered(&mut self, worker: WorkerId, lease: Lease, mut answer: Answer, wall_ms: u64) {
        let Some(run) = self.runs.get_mut(&lease.run) else { return };
        let Some(active) = run.active.get_mut(&lease.item) else { return };
        let cost = Cost::from(answer.measures.unwrap_or_default());
        run.nodes += cost.nodes;
        run.store_hits += cost.store_hits;
        // What earlier units have cost is part of the price of this answer.
        active.cost.add(cost);
        answer.measures = Some(active.cost.measures());
        active.units.remove(&lease.unit);
        let name = self.name_of(worker);
        let text = format!("attempt {lease} answered by {name}: {}", answer.claim);
        self.history(lease.run, lease.item, false, text);
        self.settle_item(lease.run, lease.item, answer);
        self.finish_run_if_over(lease.run, wall_ms);
    }

    fn searched(&mut self, lease: Lease, report: &SearchReport) {
        let Some(run) = self.runs.get_mut(&lease.run) else { return };
        run.nodes += report.nodes;
        run.store_hits += report.store_hits;
        let Some(active) = run.active.get_mut(&lease.item) else { return };
        let (nodes, seconds) = (report.nodes, report.seconds);
        active.cost.add(Cost { nodes, seconds, store_hits: report.store_hits });
        active.units.remove(&lease.unit);
        let directives = match &mut active.plan {
            Plan::Search { partition, .. } => partition.finished(lease.unit, report),
            _ => Vec::new(),
        };
        // What was spent of the budget stays spent.
        self.changes.push(Change::Item(lease.run, lease.item, run.item_record(lease.item)));
        self.follow(lease.run, lease.item, directives);
        self.check_budget(lease.run, lease.item);
        self.tell_others(lease.run, lease.item);
        self.notices.push(Notice::WorkAvailable);
    }

    /// The root of a split search is settled: the next stage, or the certificate.
    pub(super) fn search_settled(
        &mut self,
        run: super::RunId,
        item: super::ItemNo,
        verdict: Verdict,
    ) {
        let Some(active) = self.runs.get(&run).and_then(|run| run.active.get(&item)) else {
            return;
        };
        let units: Vec<UnitNo> = active.units.keys().copied().collect();
        for unit in units {
            self.cancel_unit(run, item, unit);
        }
        let Some(known) = self.runs.get_mut(&run) else { return };
        let Some(active) = known.active.get_mut(&item) else { return };
        let Plan::Search { stage, settled, .. } = &mut active.plan else { return };
        let next = *stage + 1;
        *settled = Some(verdict);
        if verdict == Verdict::Disproven
            && stage_question(known.sweep.spec(), &active.question, next).is_some()
            && let Some(plan) = search_stage(&known.sweep, &active.question, next)
        {
            active.plan = plan;
            self.history(run, item, true, format!("stage {} is disproven; on to the next", next));
        } else {
            // After all numbers that the partitioner may have used.
            let unit = UnitNo(u32::MAX);
            active.units.insert(unit, Unit::new(Work::Certify(verdict)));
            known.requeue(item, unit);
            self.history(run, item, true, format!("{}; now the certificate", verdict.word()));
        }
        self.notices.push(Notice::WorkAvailable);
    }

    fn counted(&mut self, lease: Lease, mut part: Part, wall_ms: u64) {
        let Some(run) = self.runs.get_mut(&lease.run) else { return };
        run.nodes += part.nodes;
        let Some(active) = run.active.get_mut(&lease.item) else { return };
        active.cost.add(Cost { nodes: part.nodes, seconds: part.seconds, store_hits: 0 });
        let rest = std::mem::take(&mut part.rest);
        let Some(unit) = active.units.get_mut(&lease.unit) else { return };
        unit.holder = None;
        unit.done = Some(part);
        self.changes.push(Change::Unit(lease.run, lease.item, lease.unit, unit.record()));
        let next = active.units.keys().last().map_or(0, |last| last.0 + 1);
        for (no, prefix) in (next..).zip(rest) {
            let unit = Unit::new(Work::Enumerate(prefix));
            self.changes.push(Change::Unit(lease.run, lease.item, UnitNo(no), unit.record()));
            active.units.insert(UnitNo(no), unit);
            run.ready.insert((lease.item, UnitNo(no)));
        }
        if active.units.values().all(|unit| unit.done.is_some()) {
            let answer = super::finish::add_up(active);
            self.settle_item(lease.run, lease.item, answer);
            self.finish_run_if_over(lease.run, wall_ms);
        } else {
            self.notices.push(Notice::WorkAvailable);
        }
    }
}
