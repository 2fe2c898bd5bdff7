//! `hasami list`: all runs of a coordinator.

use clap::Args;
use serde_json::Value;

use super::client::AccessArgs;
use super::run_view;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};

/// Options of `list`.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Lists the runs, the latest last.
pub async fn run(options: &ListArgs) -> Result<(), Failure> {
    let runs = options.access.client()?.list().await?;
    let human = match runs.is_empty() {
        true => "no runs; see `hasami submit --help`".to_string(),
        false => run_view::table(&runs),
    };
    let json: Value = runs.iter().map(run_view::json).collect();
    let numbers: Vec<_> = runs.iter().map(|run| run.run.to_string()).collect();
    output::print(options.answer.output, &human, &json, &numbers.join("\n"))
}
