//! The worker: takes leases, runs kernels, and publishes what it has learned.
//!
//! One unit of work goes through the files in this order: `take` fetches it, `held` queues it,
//! `threads` computes it through `compute`, `certificates` sends its files, and `hand_in` delivers
//! the outcome until a receipt has come. `heartbeat` tells how all of them are doing, and
//! `session` finds the coordinator again when it was away.

mod appetite;
mod by_jobs;
mod call;
mod certificates;
mod compute;
mod desk;
mod error;
mod hand_in;
mod heartbeat;
mod held;
mod lease;
mod options;
mod outage;
mod run;
mod scratch;
mod session;
mod share;
mod summary;
mod take;
#[cfg(test)]
mod tests;
mod threads;

pub use compute::{Compute, Computed, Work};
pub use error::WorkerError;
pub use lease::Lease;
pub use options::{Options, Stop};
pub use run::{run, run_with};
pub use summary::Summary;
