//! `hasami runs show`: one run, and its items where they are wanted.

use clap::Parser;
use hasami_proto::v1::{ItemState, ItemsRequest, Param};
use serde_json::Value;

use crate::cluster::block_on;
use crate::cluster::client::{AccessArgs, RunName};
use crate::cluster::{item_view, run_view};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// Show a run
#[derive(Clone, Debug, Parser)]
#[command(
    name = "show",
    after_help = "\
Examples:
  hasami runs show 3 --items
  hasami runs show 3 --state failed,open --where rows=4 --offset 100 --limit 50"
)]
pub struct Show {
    /// The run: its number, or its name [default: the latest]
    pub run: Option<RunName>,
    /// List the items too
    #[arg(long)]
    pub items: bool,
    /// Only items in these states: waiting, running, settled, open, failed or cancelled
    #[arg(long, value_name = "STATE,…", value_delimiter = ',', value_parser = state)]
    pub state: Vec<ItemState>,
    /// Only items with this value of a parameter
    #[arg(long = "where", value_name = "NAME=VALUE", value_parser = param)]
    pub params: Vec<Param>,
    /// Leave out so many of these items
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: u64,
    /// List at most so many items
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Print the sweep file too
    #[arg(long)]
    pub sweep: bool,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

fn state(text: &str) -> Result<ItemState, String> {
    let all = hasami_unit::ItemState::ALL;
    let words: Vec<_> = all.iter().map(|state| state.word()).collect();
    let found = all.iter().find(|state| state.word() == text);
    found.map(|&state| state.into()).ok_or_else(|| format!("expected {}", words.join(", ")))
}

fn param(text: &str) -> Result<Param, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => {
            Ok(Param { name: name.to_string(), value: value.to_string() })
        }
        _ => Err("expected NAME=VALUE".to_string()),
    }
}

impl Show {
    /// Whether any option asks for items.
    fn lists_items(&self) -> bool {
        self.items
            || !self.state.is_empty()
            || !self.params.is_empty()
            || self.offset > 0
            || self.limit.is_some()
    }
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
    if options.lists_items() {
        let request = ItemsRequest {
            run: run.run,
            states: options.state.iter().map(|&state| state.into()).collect(),
            params: options.params.clone(),
            offset: options.offset,
            limit: options.limit.unwrap_or(0),
        };
        let items = item_view::some(&mut client, request).await?;
        human.push_str(&format!("\n{}", item_view::table(&items)));
        json["list"] = items.iter().map(item_view::json).collect::<Value>();
    }
    output::print(options.answer.output, &human, &json, run.state().word())
}
