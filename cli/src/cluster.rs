//! The cluster: running sweeps here or there, looking after runs, coordinator and workers. One file
//! for each command; this one starts the runtime that they need.

pub mod backend;
mod certificates;
mod client;
pub mod coordinator;
mod dry_run;
mod follow;
mod grid;
mod item_view;
mod progress;
mod resources;
pub mod run;
mod run_view;
pub mod runs;
pub mod submit;
mod sweep_file;
pub mod worker;
pub mod workers;

use std::io::IsTerminal;
use std::time::Duration;

use crate::failure::Failure;

/// How long tasks may take to let go of what they hold.
const LAST_TASKS: Duration = Duration::from_secs(10);

/// The log level of commands that show a bar: a person at a terminal has that.
fn level_beside_bar() -> &'static str {
    if std::io::stderr().is_terminal() { "warn" } else { "info" }
}

/// Runs a command on a runtime of its own.
fn block_on(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Failed(format!("the runtime cannot start: {error}")))?;
    let result = runtime.block_on(work);
    // Threads that still compute are not waited for: nobody wants what they find. Tasks may hold the
    // journal or the store and are given time to close them, which saves the next start some work.
    runtime.shutdown_timeout(LAST_TASKS);
    result
}
