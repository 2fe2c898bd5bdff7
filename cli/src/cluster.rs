//! The cluster commands: running sweeps locally or remotely, managing runs, coordinator and
//! workers. One file per command; this one starts the runtime that they need.

pub mod access;
mod artist;
pub mod backend;
mod certificates;
pub mod client;
pub mod coordinator;
mod dry_run;
mod follow;
pub mod grid;
mod http;
mod item_view;
mod progress;
pub mod report;
pub mod resources;
pub mod run;
mod run_view;
pub mod runs;
pub mod status;
pub mod submit;
mod sweep_file;
mod verifier;
pub mod watch;
pub mod worker;
pub mod workers;

use std::io::IsTerminal;
use std::time::Duration;

use crate::failure::Failure;

/// How long tasks may take to release their resources.
const LAST_TASKS: Duration = Duration::from_secs(10);

/// The log level of commands that show a progress bar, which is enough on a terminal.
fn level_beside_bar() -> &'static str {
    if std::io::stderr().is_terminal() { "warn" } else { "info" }
}

/// Runs a command on a runtime of its own.
pub fn block_on(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Failed(format!("the runtime cannot start: {error}")))?;
    let result = runtime.block_on(work);
    // Do not wait for compute threads: their results are no longer needed. Tasks may hold the
    // journal or the store and get time to close them, which saves the next start some work.
    runtime.shutdown_timeout(LAST_TASKS);
    result
}
