//! The commands of the cluster. One file for each; this one knows their names and starts the
//! runtime that they need.

mod backend;
mod certificates;
mod checkpoint;
mod client;
mod control;
mod coordinator;
mod dry_run;
mod explain;
mod export;
mod follow;
mod grid;
mod item_view;
mod list;
mod progress;
mod resources;
mod restore;
mod run;
mod run_view;
mod show;
mod stop;
mod submit;
mod sweep_file;
mod wait;
mod watch;
mod worker;
mod workers;

use std::io::IsTerminal;
use std::time::Duration;

use clap::Subcommand;

use crate::failure::Failure;
use control::Change;

/// The commands of the cluster.
#[derive(Clone, Debug, Subcommand)]
pub enum ClusterCommand {
    /// Run a sweep here and now: coordinator and workers in one process
    #[command(after_help = "\
Examples:
  hasami run losers-66
  hasami run my-sweep.toml --workers 2 --threads 4 --html results.html
  hasami run chomp --dry-run

Ctrl-C stops politely; the same command goes on.
Exit codes: 0 all settled, 1 some failed, 2 wrong usage or bad input, 3 some left open")]
    Run(Box<run::RunArgs>),
    /// Give out work to workers and keep what they find
    #[command(
        after_help = "Example:\n  hasami coordinator --listen 0.0.0.0:7444 --name lab1.example.org --data /var/lib/hasami"
    )]
    Coordinator(Box<coordinator::CoordinatorArgs>),
    /// Compute for a coordinator until stopped
    #[command(
        after_help = "Example:\n  hasami worker --access access.json --threads 8 --label rack=3"
    )]
    Worker(Box<worker::WorkerArgs>),
    /// Hand a sweep to a coordinator
    #[command(after_help = "Example:\n  hasami submit losers-66 --wait")]
    Submit(submit::SubmitArgs),
    /// List all runs
    #[command(after_help = "Example:\n  hasami list --output json")]
    List(list::ListArgs),
    /// Show a run
    #[command(after_help = "Example:\n  hasami show 3 --items")]
    Show(show::ShowArgs),
    /// Watch a run until it ends
    #[command(
        after_help = "Example:\n  hasami watch 3\n\nWith --output json: a JSON object a line."
    )]
    Watch(watch::WatchArgs),
    /// Wait for a run; the exit code tells the result
    #[command(
        after_help = "Example:\n  hasami wait 3 --output quiet && hasami export 3\n\nExit codes: 0 all settled, 1 some failed, 3 some left open"
    )]
    Wait(wait::WaitArgs),
    /// Give out no more work of a run for now
    #[command(after_help = "Example:\n  hasami pause 3")]
    Pause(control::ControlArgs),
    /// Go on with a run that was paused
    #[command(after_help = "Example:\n  hasami resume 3")]
    Resume(control::ControlArgs),
    /// Give up what is not finished of a run
    #[command(after_help = "Example:\n  hasami cancel 3")]
    Cancel(control::ControlArgs),
    /// Print or write the results of a run, and fetch its certificates
    #[command(
        after_help = "Example:\n  hasami export 3 --format html --certificates out/certificates -o out/results.html"
    )]
    Export(export::ExportArgs),
    /// Say why an item is where it is
    #[command(after_help = "Example:\n  hasami explain 3 17")]
    Explain(explain::ExplainArgs),
    /// List the workers
    #[command(after_help = "Example:\n  hasami workers")]
    Workers(workers::WorkersArgs),
    /// Copy everything that a coordinator keeps, while it runs
    #[command(after_help = "Example:\n  hasami checkpoint /backup/monday")]
    Checkpoint(checkpoint::CheckpointArgs),
    /// Make a data directory of a checkpoint, once it is known to be whole
    #[command(
        after_help = "Example:\n  hasami restore /backup/monday --data hasami-data\n  hasami coordinator --data hasami-data"
    )]
    Restore(restore::RestoreArgs),
}

impl ClusterCommand {
    /// What is logged where nobody says: a person at a terminal has the bar.
    pub fn level(&self) -> &'static str {
        match self {
            Self::Coordinator(_) | Self::Worker(_) => "info",
            _ if std::io::stderr().is_terminal() => "warn",
            _ => "info",
        }
    }
}

/// How long tasks may take to let go of what they hold.
const LAST_TASKS: Duration = Duration::from_secs(10);

/// Does what was asked.
pub fn run(command: &ClusterCommand) -> Result<(), Failure> {
    if let ClusterCommand::Restore(options) = command {
        return restore::run(options);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Failed(format!("the runtime cannot start: {error}")))?;
    let result = runtime.block_on(dispatch(command));
    // Threads that still compute are not waited for: nobody wants what they find. Tasks may hold the
    // journal or the store and are given time to close them, which saves the next start some work.
    runtime.shutdown_timeout(LAST_TASKS);
    result
}

async fn dispatch(command: &ClusterCommand) -> Result<(), Failure> {
    match command {
        ClusterCommand::Run(options) => run::run(options).await,
        ClusterCommand::Coordinator(options) => coordinator::run(options).await,
        ClusterCommand::Worker(options) => worker::run(options).await,
        ClusterCommand::Submit(options) => submit::run(options).await,
        ClusterCommand::List(options) => list::run(options).await,
        ClusterCommand::Show(options) => show::run(options).await,
        ClusterCommand::Watch(options) => watch::run(options).await,
        ClusterCommand::Wait(options) => wait::run(options).await,
        ClusterCommand::Pause(options) => control::run(Change::Pause, options).await,
        ClusterCommand::Resume(options) => control::run(Change::Resume, options).await,
        ClusterCommand::Cancel(options) => control::run(Change::Cancel, options).await,
        ClusterCommand::Export(options) => export::run(options).await,
        ClusterCommand::Explain(options) => explain::run(options).await,
        ClusterCommand::Workers(options) => workers::run(options).await,
        ClusterCommand::Checkpoint(options) => checkpoint::run(options).await,
        ClusterCommand::Restore(options) => restore::run(options),
    }
}
