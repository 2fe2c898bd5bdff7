//! The seam between the loop and the work itself, so that each can be tried without the other.

use std::any::Any;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use hasami_andor::Control;
use hasami_proto::v1::{Assignment, Failure, outcome};

use crate::lease::Lease;

/// One unit, on its way to a thread.
#[derive(Clone, Debug)]
pub struct Work {
    /// Its name.
    pub lease: Lease,
    /// What is asked.
    pub assignment: Arc<Assignment>,
    /// Says when to stop; counts nodes.
    pub control: Arc<Control>,
    /// A place for files of this unit alone; not made yet.
    pub scratch: PathBuf,
}

/// What a unit came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Computed {
    /// An outcome to hand in.
    Done {
        /// The outcome.
        kind: outcome::Kind,
        /// The certificates that the answer names, in the same order.
        files: Vec<PathBuf>,
    },
    /// It was told to stop before there was an outcome.
    Stopped,
}

impl Computed {
    /// It went wrong.
    #[must_use]
    pub fn failed(message: impl Into<String>, permanent: bool) -> Self {
        let failure = Failure { message: message.into(), permanent };
        Self::Done { kind: outcome::Kind::Failure(failure), files: Vec::new() }
    }

    /// What a panic comes to. The transposition table has no other way to tell that a state was
    /// proven and disproven; that is the one panic where another try is of no use.
    #[must_use]
    pub fn panicked(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let message = text.unwrap_or_else(|| "no message".to_string());
        let permanent = message.starts_with("contradiction");
        Self::failed(format!("panicked: {message}"), permanent)
    }
}

/// Whoever does the work. Called on threads of the worker's own, several at a time.
pub trait Compute: Send + Sync + 'static {
    /// Computes one unit to its end, or until its control says stop.
    fn compute(&self, work: &Work) -> Computed;

    /// Others have found something that concerns this unit: fetch it now. Must not wait.
    fn look(&self, lease: Lease) {
        let _ = lease;
    }

    /// Tells others what the outcomes so far rest on; they are handed in after that. Does not wait for
    /// long.
    fn publish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}
