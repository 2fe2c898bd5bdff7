//! A coordinator and its workers in this process.

use std::fs::DirBuilder;
use std::net::Ipv4Addr;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::time::Duration;

use hasami_proto::Access;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Run;
use crate::cluster::backend::{
    Coordinator, CoordinatorOptions, Elsewhere, Stop, Summary, WorkerError, WorkerOptions,
    run_worker,
};
use crate::cluster::verifier;
use crate::failure::Failure;

const LEASE: Duration = Duration::from_secs(30);
const HEARTBEAT: Duration = Duration::from_millis(500);
/// The waiting command shows the progress, so the coordinator need not log it.
const PROGRESS: Duration = Duration::from_secs(86_400);

/// A cluster of one process.
pub struct Embedded {
    coordinator: Coordinator,
    workers: JoinSet<Result<Summary, WorkerError>>,
    stop: watch::Sender<Stop>,
}

impl Embedded {
    /// Whether there is data to resume from.
    pub fn has_data(options: &Run) -> bool {
        options.data.join("journal").exists()
    }

    /// The coordinator alone.
    pub async fn coordinator(options: &Run) -> Result<Coordinator, Failure> {
        Coordinator::start(CoordinatorOptions {
            catalog: hasami_answer::CATALOG,
            verifier: verifier::verifier(&allowed_files(options)?)?,
            verify_threads: verifier::threads(),
            data: options.data.clone(),
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            insecure: false,
            names: Vec::new(),
            checkpoints: None,
            store: None,
            lease: LEASE,
            heartbeat: HEARTBEAT,
            progress: PROGRESS,
            elsewhere: Elsewhere::default(),
            // They were threads of a process that has ended.
            workers_return: false,
            http: options.http.options(&allowed_files(options)?)?,
        })
        .await
        .map_err(|error| Failure::Failed(error.to_string()))
    }

    /// The coordinator and its workers, which have the labels that the sweep asks for: there are no
    /// others.
    pub async fn start(options: &Run, labels: &[(String, String)]) -> Result<Self, Failure> {
        let coordinator = Self::coordinator(options).await?;
        let (stop, told) = watch::channel(Stop::No);
        let allow_files = allowed_files(options)?;
        let mut workers = JoinSet::new();
        for number in 1..=options.workers {
            let worker = WorkerOptions {
                access: coordinator.access().clone(),
                name: format!("embedded-{number}"),
                threads: options.resources.threads(),
                memory_mib: options.resources.memory_mib(options.workers.into()),
                labels: labels.to_vec(),
                directory: options.data.join("worker"),
                allow_files: allow_files.clone(),
                time_limit: None,
                idle_timeout: None,
                share_values: !options.resources.alone,
            };
            workers.spawn(run_worker(worker, told.clone()));
        }
        Ok(Self { coordinator, workers, stop })
    }

    /// Where the page is, if there is one.
    pub fn page(&self) -> Option<String> {
        self.coordinator.page()
    }

    /// How to reach the coordinator.
    pub fn access(&self) -> &Access {
        self.coordinator.access()
    }

    /// Returns only on an error.
    pub async fn trouble(&mut self) -> Failure {
        tokio::select! {
            why = self.coordinator.failed() => Failure::Failed(format!(
                "{why}\n  nothing that was acknowledged is lost: the same command goes on when the \
                 cause is gone"
            )),
            Some(ended) = self.workers.join_next() => Failure::Failed(match ended {
                Ok(Ok(_)) => "a worker has ended before the run".to_string(),
                Ok(Err(error)) => error.to_string(),
                Err(error) => format!("a worker has died: {error}"),
            }),
        }
    }

    /// Lets the workers hand back their units, then closes everything.
    pub async fn end(mut self) -> Result<(), Failure> {
        self.stop.send_replace(Stop::Polite);
        while self.workers.join_next().await.is_some() {}
        self.coordinator.stop().await.map_err(|error| Failure::Failed(error.to_string()))
    }
}

/// Whoever runs a sweep here means the files that it names.
fn allowed_files(options: &Run) -> Result<Vec<PathBuf>, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::Failed(format!("the current directory: {error}")))?;
    let data = options.data.clone();
    // A new data directory is made before anything in it is allowed.
    DirBuilder::new().recursive(true).mode(0o700).create(&data).map_err(|error| {
        Failure::Failed(format!("the data directory {}: {error}", data.display()))
    })?;
    let also = options.allow_files.iter().cloned();
    Ok([here, data].into_iter().chain(also).collect())
}
