//! `hasami worker`: computes for a coordinator until a signal comes.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde_json::json;

use super::backend::{WorkerError, WorkerOptions, run_worker};
use super::client::AccessArgs;
use super::resources::ResourceArgs;
use crate::amounts::limit;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::output::{self, OutputArgs, grouped};
use crate::stop;
use crate::tree::Verb;
use crate::words::{counted, duration};

/// Compute for a coordinator until stopped
#[derive(Clone, Debug, Parser)]
#[command(
    name = "worker",
    after_help = "Example:\n  hasami worker --access access.json --threads 8 --memory 16GiB --label rack=3\n\nExit codes: 0 stopped politely by a signal or a limit, 1 failed, 2 wrong usage or bad input"
)]
pub struct Worker {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub resources: ResourceArgs,
    /// What people call this worker [default: HOST-PID]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What this worker is or has: sweeps with `[labels]` go only to workers that have them all
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    pub labels: Vec<(String, String)>,
    /// Open files that sweeps name under this directory; may be given several times [default: none]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// End after this long, like 30min or 2h, with everything handed back before
    #[arg(long, value_name = "TIME", value_parser = limit, help_heading = "Limits")]
    pub time_limit: Option<Duration>,
    /// End after this long without work
    #[arg(long, value_name = "TIME", value_parser = limit, help_heading = "Limits")]
    pub idle_timeout: Option<Duration>,
    /// Where certificates are until they are sent [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_string(), value.to_string())),
        _ => Err("expected KEY=VALUE".to_string()),
    }
}

impl Verb for Worker {
    fn run(self) -> Result<(), Failure> {
        self.resources.restrict()?;
        block_on(act(&self))
    }
}

/// Runs a worker.
async fn act(options: &Worker) -> Result<(), Failure> {
    let access = options.access.read()?;
    let temporary = match &options.directory {
        Some(_) => None,
        None => Some(
            tempfile::Builder::new()
                .prefix("hasami-worker-")
                .tempdir()
                .map_err(|error| Failure::Failed(format!("a temporary directory: {error}")))?,
        ),
    };
    let directory = match (&options.directory, &temporary) {
        (Some(directory), _) => directory.clone(),
        (None, Some(temporary)) => temporary.path().to_owned(),
        (None, None) => PathBuf::from("."),
    };
    let stop = stop::channel("what is not finished is handed back")?;
    let name = options.name.clone().unwrap_or_else(default_name);
    tracing::info!(name, pid = std::process::id(), coordinator = access.url, "starting");
    let summary = run_worker(
        WorkerOptions {
            access,
            name: name.clone(),
            threads: options.resources.threads(),
            memory_mib: options.resources.memory_mib(1),
            labels: options.labels.clone(),
            directory,
            allow_files: options.allow_files.clone(),
            time_limit: options.time_limit,
            idle_timeout: options.idle_timeout,
            share_values: !options.resources.alone,
        },
        stop,
    )
    .await
    .map_err(|error| match error {
        // The access file is not the one for this, or the release is another.
        WorkerError::Access(_) | WorkerError::Refused { .. } | WorkerError::Allowed { .. } => {
            Failure::Usage(error.to_string())
        }
        _ => Failure::Failed(error.to_string()),
    })?;
    let human = format!(
        "{name}: {} done, {} handed back, {} nodes, {}, {} of them idle",
        counted(summary.units, "unit"),
        summary.handed_back,
        grouped(summary.nodes),
        duration(summary.seconds),
        duration(summary.idle_seconds)
    );
    let json = json!({
        "name": name, "units": summary.units, "handed_back": summary.handed_back,
        "nodes": summary.nodes, "seconds": summary.seconds,
        "idle_seconds": summary.idle_seconds,
    });
    output::print(options.answer.output, &human, &json, &summary.units.to_string())
}

/// The machine and the process.
fn default_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if host.trim().is_empty() { "worker" } else { host.trim() };
    format!("{host}-{}", std::process::id())
}
