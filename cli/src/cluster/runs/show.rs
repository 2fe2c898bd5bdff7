//! `hasami runs show`: one run, and its items where they are wanted.

use clap::Parser;
use serde_json::Value;

use crate::cluster::block_on;
use crate::cluster::client::{AccessArgs, RunName};
use crate::cluster::{item_view, run_view};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// Show a run
#[derive(Clone, Debug, Parser)]
#[command(name = "show", after_help = "Example:\n  hasami runs show 3 --items")]
pub struct Show {
    /// The run: its number, or its name [default: the latest]
    pub run: Option<RunName>,
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

impl Verb for Show {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Shows a run.
async fn act(options: &Show) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.find(options.run.as_ref()).await?;
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
