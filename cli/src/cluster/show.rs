//! `hasami show`: one run, and its items where they are wanted.

use clap::Args;
use serde_json::Value;

use super::client::AccessArgs;
use super::{item_view, run_view};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};

/// Options of `show`.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// The run by number [default: the latest]
    pub run: Option<u64>,
    /// List the items too
    #[arg(long)]
    pub items: bool,
    /// Print the sweep file too
    #[arg(long)]
    pub sweep: bool,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Shows a run.
pub async fn run(options: &ShowArgs) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.show(options.run).await?;
    let mut human = run_view::details(&run);
    let mut json = run_view::json(&run);
    if options.sweep {
        human.push_str(&format!("\n{}\n", run.sweep.trim_end()));
        json["sweep"] = run.sweep.clone().into();
    }
    if options.items {
        let items = item_view::items(&mut client, run.run).await?;
        human.push_str(&format!("\n{}", item_view::table(&items)));
        json["list"] = items.iter().map(item_view::json).collect::<Value>();
    }
    output::print(options.answer.output, &human, &json, run.state().word())
}
