//! `hasami submit`: hands a sweep to a coordinator.

use std::time::Duration;

use clap::Parser;
use hasami_proto::v1::{ProtocolRange, RunInfo, SubmitRequest};
use hasami_sweep::Sweep;

use super::client::{AccessArgs, Client, patient};
use super::runs::wait;
use super::{dry_run, run_view, sweep_file};
use crate::amounts::{count, limit};
use crate::cluster::{block_on, level_beside_bar};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;
use crate::words::counted;

/// Hand a sweep to a coordinator
#[derive(Clone, Debug, Parser)]
#[command(name = "submit", after_help = "Example:\n  hasami submit losers-66 --wait")]
pub struct Submit {
    /// A sweep file, or the name of a built-in sweep
    pub sweep: String,
    /// Compute everything, also what is known
    #[arg(long)]
    pub force: bool,
    /// Nodes for each item, whatever the sweep says
    #[arg(long, value_name = "NODES", value_parser = count)]
    pub budget: Option<u64>,
    /// Computing time for each item, like 30s or 2h, whatever the sweep says
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub time_limit: Option<Duration>,
    /// Wait for the end; the exit code tells the result
    #[arg(long)]
    pub wait: bool,
    /// List the items and what is known of them, submit nothing
    #[arg(long, conflicts_with = "wait")]
    pub dry_run: bool,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Submit {
    fn level() -> &'static str {
        level_beside_bar()
    }

    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Submits a sweep.
async fn act(options: &Submit) -> Result<(), Failure> {
    let sweep = sweep_file::read(&options.sweep, options.budget, options.time_limit)?;
    let mut client = options.access.client()?;
    if options.dry_run {
        let known = dry_run::known(&mut client, &sweep).await?;
        return dry_run::print(&sweep, &known, options.answer.output);
    }
    let run = submit(&mut client, &sweep, options.force).await?;
    if options.wait {
        return wait::wait_for(&mut client, run.run, options.answer.output).await;
    }
    let human = format!(
        "run {}: {}, {}, {} known before\n  hasami runs watch {}",
        run.run,
        run.name,
        counted(run.items, "item"),
        run_view::counts(&run).reused,
        run.run
    );
    output::print(options.answer.output, &human, &run_view::json(&run), &run.run.to_string())
}

/// The call itself; the run is durable when it returns.
pub async fn submit(client: &mut Client, sweep: &Sweep, force: bool) -> Result<RunInfo, Failure> {
    let (sweep, protocol) = (sweep.text().to_string(), Some(ProtocolRange::OURS));
    let request = SubmitRequest { sweep, force, protocol };
    match patient(async || client.runs.submit(request.clone()).await).await {
        Ok(response) => Ok(response.into_inner().run.unwrap_or_default()),
        Err(status) => Err(client.failure(&status)),
    }
}
