//! The two halves of the cluster, as the commands use them.
// Stands in for the coordinator and the worker until their crates have these.
#![allow(dead_code, missing_docs, clippy::unused_async)]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hasami_proto::Access;
use tokio::sync::watch;

pub struct CoordinatorOptions {
    pub data: PathBuf,
    pub listen: SocketAddr,
    pub insecure: bool,
    pub names: Vec<String>,
    pub store: Option<String>,
    pub lease: Duration,
    pub heartbeat: Duration,
    pub progress: Duration,
}

#[derive(Debug)]
pub struct StartError(String);

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub struct Coordinator {
    address: SocketAddr,
    access: Access,
    access_file: PathBuf,
}

impl Coordinator {
    pub async fn start(_: CoordinatorOptions) -> Result<Self, StartError> {
        Err(StartError("this build has no coordinator yet".to_string()))
    }
    pub fn address(&self) -> SocketAddr {
        self.address
    }
    pub fn access(&self) -> &Access {
        &self.access
    }
    pub fn access_file(&self) -> &Path {
        &self.access_file
    }
    pub async fn failed(&self) -> String {
        std::future::pending().await
    }
    pub async fn stop(self) -> Result<(), StartError> {
        Ok(())
    }
}

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

pub type WorkerError = StartError;

pub async fn run_worker(
    _: WorkerOptions,
    _: watch::Receiver<Stop>,
) -> Result<Summary, WorkerError> {
    Err(StartError("this build has no worker yet".to_string()))
}
