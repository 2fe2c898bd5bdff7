//! Which problem a lease is about, and runs that wait because of a contradiction in one.
//!
//! The coordinator has no rules, so it cannot compute the problem of a question. The first exchange
//! for a lease names it, and no other is accepted for that lease: a worker can spoil the searches
//! it takes part in, and no others.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hasami_andor::ProblemId;
use hasami_unit::RunState;

use super::Core;
use super::change::{Change, Notice};
use super::ids::{Lease, RunId, WorkerId};

/// The problems of leases that are held, and of runs that have not ended.
#[derive(Default)]
pub(super) struct Problems {
    of: HashMap<Lease, ProblemId>,
    runs: BTreeMap<ProblemId, BTreeSet<RunId>>,
}

#[cfg(test)]
impl Problems {
    /// How many leases are remembered.
    pub fn leases(&self) -> usize {
        self.of.len()
    }
}

/// Why a call to the store is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It comes from nobody who is registered.
    #[error("this worker is not known here: register again")]
    UnknownWorker,
    /// It names no lease that the worker holds.
    #[error("it concerns no unit that this worker holds")]
    NoLease,
    /// The lease was about another problem before.
    #[error("unit {lease} is about problem {bound}")]
    OtherProblem {
        /// The lease.
        lease: Lease,
        /// Its problem.
        bound: ProblemId,
    },
}

impl Core {
    /// Checks that a worker may speak about a problem for one of these leases.
    ///
    /// # Errors
    /// If it is not known, holds none of them, or one is about another problem.
    pub fn bind(
        &mut self,
        worker: WorkerId,
        session: u64,
        leases: &[Lease],
        problem: ProblemId,
    ) -> Result<(), Refused> {
        if !self.knows(worker, session) {
            return Err(Refused::UnknownWorker);
        }
        let held: BTreeSet<Lease> = self.workers[&worker].leases.iter().copied().collect();
        let mut any = false;
        for lease in leases.iter().filter(|lease| held.contains(lease)) {
            match self.problems.of.get(lease) {
                Some(&bound) if bound != problem => {
                    return Err(Refused::OtherProblem { lease: *lease, bound });
                }
                Some(_) => {}
                None => {
                    self.problems.of.insert(*lease, problem);
                    self.problems.runs.entry(problem).or_default().insert(lease.run);
                }
            }
            any = true;
        }
        self.forget_problems();
        if any { Ok(()) } else { Err(Refused::NoLease) }
    }

    /// Drops leases that nobody holds and runs that have ended, once there are many.
    fn forget_problems(&mut self) {
        let held = self.workers.values().map(|worker| worker.leases.len()).sum::<usize>();
        if self.problems.of.len() <= 2 * held + 64 {
            return;
        }
        let all: BTreeSet<Lease> =
            self.workers.values().flat_map(|worker| worker.leases.iter().copied()).collect();
        self.problems.of.retain(|lease, _| all.contains(lease));
        let runs = &self.runs;
        self.problems.runs.retain(|_, of| {
            of.retain(|id| runs.get(id).is_some_and(|run| !run.is_over()));
            !of.is_empty()
        });
    }

    /// The problem of a lease, if an exchange has named it.
    #[must_use]
    pub fn problem_of(&self, lease: Lease) -> Option<ProblemId> {
        self.problems.of.get(&lease).copied()
    }

    /// A problem has a contradiction: pauses the runs that search it. Returns them.
    pub fn fault(&mut self, problem: ProblemId, note: &str) -> Vec<RunId> {
        let runs = self.problems.runs.get(&problem).cloned().unwrap_or_default();
        runs.into_iter().filter(|&id| self.pause_for(id, note, Some(problem))).collect()
    }

    /// Pauses a run with a note; returns whether it was running.
    pub fn pause_for(&mut self, id: RunId, note: &str, fault: Option<ProblemId>) -> bool {
        let Some(run) = self.runs.get_mut(&id).filter(|run| run.state == RunState::Running) else {
            return false;
        };
        run.note = note.to_string();
        run.fault = fault;
        self.pause(id).is_ok()
    }

    /// The contradiction in a problem is cleared: its runs go on. Returns them.
    pub fn clear_fault(&mut self, problem: ProblemId) -> Vec<RunId> {
        let waits = |run: &&mut super::Run| run.fault == Some(problem) && !run.is_over();
        let mut resumed = Vec::new();
        for run in self.runs.values_mut().filter(waits) {
            run.fault = None;
            run.note.clear();
            run.state = RunState::Running;
            resumed.push(run.id);
            self.changes.push(Change::Run(run.record()));
            self.notices.push(Notice::Run(run.id));
        }
        self.notices.push(Notice::WorkAvailable);
        resumed
    }
}
