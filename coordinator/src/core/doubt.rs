//! The verdict of a split search is a hint until its certificate is made. If there is none, the
//! search begins again, without the sender of the hint; the store has what the others found.

use hasami_andor::SearchReport;
use hasami_sweep::Measures;
use hasami_unit::Task;

use super::Core;
use super::change::{Change, Notice};
use super::ids::{Lease, RunId, WorkerId};
use super::plan::search_stage;
use super::run::{Active, Plan};

impl Core {
    /// Whether the reports of a worker count for nothing in this search. If there is no other
    /// worker, they are better than nothing: the certificate is checked anyway.
    pub(super) fn doubts(&self, run: RunId, active: &Active, worker: WorkerId) -> bool {
        !active.doubted.is_empty()
            && active.doubted.contains(&self.sender(worker))
            && self.others_remain(run, &active.doubted)
    }

    /// The same for the search of a lease.
    pub(super) fn is_doubted(&self, worker: WorkerId, lease: Lease) -> bool {
        let active = self.runs.get(&lease.run).and_then(|run| run.active.get(&lease.item));
        active.is_some_and(|active| self.doubts(lease.run, active, worker))
    }

    /// A report that counts for nothing: its cost was spent, its state can be leased again.
    pub(super) fn ignored(&mut self, lease: Lease, report: &SearchReport) {
        let &SearchReport { nodes, seconds, store_hits, .. } = report;
        let cost = Measures { nodes, seconds, store_hits };
        let run = self.run_mut(lease.run);
        run.spend(cost);
        let active = run.active_mut(lease.item);
        active.cost.add(cost);
        active.units.remove(&lease.unit);
        active.partition_mut().lost(lease.unit);
        let record = run.item_record(lease.item);
        self.changes.push(Change::Item(lease.run, lease.item, record));
        self.check_budget(lease.run, lease.item);
        self.notices.push(Notice::WorkAvailable);
    }

    /// Notes who settled the root of a search, if this report did.
    pub(super) fn remember_claimant(&mut self, worker: WorkerId, lease: Lease) {
        let sender = self.sender(worker);
        let active = self.runs.get_mut(&lease.run).and_then(|run| run.active.get_mut(&lease.item));
        if let Some(Active { plan: Plan::Search { settled: Some(_), claimant, .. }, .. }) = active {
            claimant.get_or_insert(sender);
        }
    }

    /// A certificate of a settled root cannot be made, as somebody else than the sender of the
    /// verdict says: the search begins again. Returns false if this is no such unit, or nobody
    /// would be left to search.
    pub(super) fn search_again(&mut self, lease: Lease, why: &str) -> bool {
        let Some(active) = self.runs.get(&lease.run).and_then(|run| run.active.get(&lease.item))
        else {
            return false;
        };
        let Plan::Search { stage, claimant: Some(claimant), .. } = &active.plan else {
            return false;
        };
        let Some(unit) = active.units.get(&lease.unit) else { return false };
        let by_another = unit.failed_by.iter().any(|sender| sender != claimant);
        let mut doubted = active.doubted.clone();
        doubted.insert(claimant.clone());
        if !matches!(unit.task, Task::Certify(_))
            || !by_another
            || !self.others_remain(lease.run, &doubted)
        {
            return false;
        }
        let (stage, sender) = (*stage, claimant.0.clone());
        let run = self.run_mut(lease.run);
        let sweep = std::sync::Arc::clone(&run.sweep);
        let active = run.active_mut(lease.item);
        active.units.remove(&lease.unit);
        active.doubted = doubted;
        active.plan = search_stage(&sweep, &active.question, stage)
            .expect("a question that was asked before");
        run.ready.remove(&(lease.item, lease.unit));
        self.drop_search_units(lease.run, lease.item);
        let text = format!("the verdict of {sender} does not hold, the search goes on: {why}");
        self.history(lease.run, lease.item, true, text);
        self.notices.push(Notice::WorkAvailable);
        true
    }
}
