//! The worker: takes leases, runs kernels, and publishes what it has learned.

pub mod jobs;
pub mod search;
