//! `hasami runs list`: all runs of a coordinator.

use clap::Parser;
use serde_json::Value;

use crate::cluster::block_on;
use crate::cluster::client::AccessArgs;
use crate::cluster::run_view;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// List all runs
#[derive(Clone, Debug, Parser)]
#[command(name = "list", after_help = "Example:\n  hasami runs list --output json")]
pub struct List {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for List {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Lists the runs, the latest last.
async fn act(options: &List) -> Result<(), Failure> {
    let runs = options.access.client()?.list().await?;
    let human = if runs.is_empty() {
        "no runs; see `hasami submit --help`".to_string()
    } else {
        run_view::table(&runs)
    };
    let json: Value = runs.iter().map(run_view::json).collect();
    let numbers: Vec<_> = runs.iter().map(|run| run.run.to_string()).collect();
    output::print(options.answer.output, &human, &json, &numbers.join("\n"))
}
