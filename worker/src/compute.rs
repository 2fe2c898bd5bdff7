//! The interface between the loop and the computation, so that each can be tested alone.

use std::any::Any;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use hasami_andor::Control;
use hasami_answer::JobError;
use hasami_unit::{Assignment, Failure, FailureKind, Lease, Outcome};

use crate::held::Ticket;

/// A unit for a thread to compute.
#[derive(Clone, Debug)]
pub struct LeasedUnit {
    pub(crate) ticket: Ticket,
    /// The question and its lease.
    pub assignment: Arc<Assignment>,
    /// Signals when to stop; counts nodes.
    pub control: Arc<Control>,
    /// A directory for files of this unit alone; not created yet.
    pub scratch: PathBuf,
}

impl LeasedUnit {
    /// The lease of the unit.
    #[must_use]
    pub fn lease(&self) -> Lease {
        self.ticket.lease
    }
}

/// The result of computing a unit.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one for each unit, moved once")]
pub enum Computed {
    /// An outcome to hand in.
    Done {
        /// The outcome.
        outcome: Outcome,
        /// The certificates that the answer names, in the same order.
        files: Vec<PathBuf>,
    },
    /// It was stopped before there was an outcome.
    Stopped,
}

impl Computed {
    /// An outcome without certificates.
    #[must_use]
    pub fn done(outcome: Outcome) -> Self {
        Self::Done { outcome, files: Vec::new() }
    }

    /// The outcome of a panic.
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

/// Computes units. Called on the worker's own threads, several at a time.
pub trait Compute: Send + Sync + 'static {
    /// Computes one unit to its end, or until its control stops it.
    fn compute(&self, unit: &LeasedUnit) -> Computed;

    /// Other workers have found something for this unit: fetch it now. Must not block.
    fn look(&self, lease: Lease) {
        let _ = lease;
    }

    /// Publishes the records that the outcomes so far rest on; they are handed in afterwards. Does
    /// not wait for long.
    fn publish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}
