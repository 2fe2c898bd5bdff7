//! The two halves of the cluster, as the commands use them.

pub use hasami_coordinator::{Coordinator, Elsewhere, Options as CoordinatorOptions, StartError};
pub use hasami_worker::{Options as WorkerOptions, Stop, Summary, WorkerError, run as run_worker};
