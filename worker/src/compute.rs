//! The seam between the loop and the work itself, so that each can be tried without the other.

use std::any::Any;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use hasami_andor::Control;
use hasami_answer::JobError;
use hasami_unit::{Assignment, Failure, FailureKind, Lease, Outcome};

/// One unit, on its way to a thread.
#[derive(Clone, Debug)]
pub struct LeasedUnit {
    /// What is asked, under which lease.
    pub assignment: Arc<Assignment>,
    /// Says when to stop; counts nodes.
    pub control: Arc<Control>,
    /// A place for files of this unit alone; not made yet.
    pub scratch: PathBuf,
}

impl LeasedUnit {
    /// The lease of the unit.
    #[must_use]
    pub fn lease(&self) -> Lease {
        self.assignment.lease
    }
}

/// What a unit came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Computed {
    /// An outcome to hand in.
    Done {
        /// The outcome.
        outcome: Outcome,
        /// The certificates that the answer names, in the same order.
        files: Vec<PathBuf>,
    },
    /// It was told to stop before there was an outcome.
    Stopped,
}

impl Computed {
    /// An outcome without certificates.
    #[must_use]
    pub fn done(outcome: Outcome) -> Self {
        Self::Done { outcome, files: Vec::new() }
    }

    /// What a panic comes to.
    #[must_use]
    pub fn panicked(panic: &(dyn Any + Send)) -> Self {
        JobError::from_panic(panic).into()
    }
}

impl From<JobError> for Computed {
    fn from(error: JobError) -> Self {
        let kind = match error {
            JobError::Stopped => return Self::Stopped,
            JobError::Question(_) => FailureKind::Question,
            JobError::Contradiction(_) => FailureKind::Contradiction,
            JobError::Io(_) | JobError::File(_) | JobError::Memory(_) | JobError::Halted => {
                FailureKind::Machine
            }
            JobError::Panicked(_) => FailureKind::Panic,
        };
        Self::done(Outcome::Failure(Failure::new(kind, error.to_string())))
    }
}

/// Whoever does the work. Called on threads of the worker's own, several at a time.
pub trait Compute: Send + Sync + 'static {
    /// Computes one unit to its end, or until its control says stop.
    fn compute(&self, unit: &LeasedUnit) -> Computed;

    /// Others have found something that concerns this unit: fetch it now. Must not wait.
    fn look(&self, lease: Lease) {
        let _ = lease;
    }

    /// Publishes what the outcomes so far rest on; they are handed in after that. Does not wait for
    /// long.
    fn publish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}
