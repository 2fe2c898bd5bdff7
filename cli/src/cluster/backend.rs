//! The two halves of the cluster, as the commands use them.
// The worker's loop is not in its crate yet: this stands in for it.
#![allow(dead_code, missing_docs, clippy::unused_async)]

use std::path::PathBuf;

use hasami_proto::Access;
use tokio::sync::watch;

pub use hasami_coordinator::{Coordinator, Options as CoordinatorOptions};

pub struct WorkerOptions {
    pub access: Access,
    pub name: String,
    pub threads: u32,
    pub memory_mib: u64,
    pub labels: Vec<(String, String)>,
    pub directory: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    #[default]
    No,
    Polite,
    Now,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    pub units: u64,
    pub nodes: u64,
    pub seconds: f64,
    pub handed_back: u64,
}

#[derive(Debug)]
pub struct WorkerError;

impl std::fmt::Display for WorkerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this build has no worker yet")
    }
}

pub async fn run_worker(
    _: WorkerOptions,
    mut stop: watch::Receiver<Stop>,
) -> Result<Summary, WorkerError> {
    let _ = stop.wait_for(|stop| *stop != Stop::No).await;
    Ok(Summary::default())
}
