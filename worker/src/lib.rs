//! The worker: takes leases, runs kernels, and publishes what it has learned.
//!
//! One unit of work goes through the files in this order: `take` fetches it, `lease_queue` queues it,
//! `threads` computes it through `compute` (which is `solver`), `certificates` uploads its files, and
//! `hand_in` delivers the outcome until a receipt has come. `heartbeat` reports the progress of all
//! units, `retry` decides what follows a failed call, and `session` finds the coordinator again.
//! Messages appear in these files only; everything else uses the types of `hasami-unit`.

mod appetite;
mod call;
mod certificates;
mod compute;
mod error;
mod hand_in;
mod heartbeat;
mod held;
mod lease;
mod lease_queue;
mod limits;
mod options;
mod outage;
mod retry;
mod run;
mod scratch;
mod session;
mod share;
mod solver;
mod summary;
mod take;
#[cfg(test)]
mod tests;
mod threads;

pub use compute::{Compute, Computed, LeasedUnit};
pub use error::WorkerError;
pub use hasami_unit::Lease;
pub use options::{Options, Stop};
pub use run::{run, run_with};
pub use summary::Summary;
