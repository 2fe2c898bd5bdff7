//! `hasami runs explain`: explains the state of an item.

use clap::Parser;
use hasami_proto::v1::{ExplainRequest, ExplainResponse};
use serde_json::{Value, json};

use crate::cluster::block_on;
use crate::cluster::client::{AccessArgs, RunName, patient};
use crate::cluster::grid::facts;
use crate::cluster::item_view;
use crate::failure::Failure;
use crate::output::{self, OutputArgs, bytes, grouped};
use crate::tree::Verb;
use crate::words::{duration, utc};

/// Say why an item is where it is
#[derive(Clone, Debug, Parser)]
#[command(name = "explain", after_help = "Example:\n  hasami runs explain 3 17")]
pub struct Explain {
    /// The run: its number, or its name
    pub run: RunName,
    /// The item by number, from 0
    pub item: u32,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Explain {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Prints the history of an item and what it waits for.
async fn act(options: &Explain) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.find(Some(&options.run)).await?;
    if u64::from(options.item) >= run.items {
        return Err(Failure::Usage(format!(
            "run {} has no item {}; expected one from 0 to {}",
            run.run,
            options.item,
            run.items.saturating_sub(1)
        )));
    }
    let request = ExplainRequest { run: run.run, item: options.item };
    let told = match patient(async || client.runs.explain(request).await).await {
        Ok(told) => told.into_inner(),
        Err(status) => return Err(client.failure(&status)),
    };
    let history =
        told.history.iter().map(|entry| json!({ "time": utc(entry.time_ms), "text": entry.text }));
    let item = told.item.clone().unwrap_or_default();
    let json = json!({
        "item": item_view::json(&item), "now": told.now,
        "history": history.collect::<Value>(),
    });
    output::print(options.answer.output, &human(&told), &json, item.state().word())
}

fn human(told: &ExplainResponse) -> String {
    let item = told.item.clone().unwrap_or_default();
    let mut lines = vec![("state", item.state().word().to_string())];
    if !told.now.is_empty() {
        lines.push(("now", told.now.clone()));
    }
    lines.push(("kind", item.kind.clone()));
    if let Some(stage) = item.stage {
        lines.push(("stage", stage.to_string()));
    }
    lines.push(("tries", item.attempts.to_string()));
    if item.reused {
        lines.push(("reused", "the answer was known before".to_string()));
    }
    if !item.failure.is_empty() {
        lines.push(("failure", item.failure.clone()));
    }
    if let Some(answer) = &item.answer {
        lines.push(("answer", answer.claim.clone()));
        lines.extend(answer.fields.iter().map(|field| (field.name.as_str(), field.value.clone())));
        for file in &answer.certificates {
            lines.push(("certificate", format!("{} ({})", file.name, bytes(file.bytes))));
        }
        if let Some(check) = &answer.check {
            let basis = item_view::basis(check);
            lines.push(("basis", format!("{basis}, checked by {}", check.by)));
            lines.push(("sender", check.sender.clone()));
            if !check.unproved.is_empty() {
                lines.push(("unproved", check.unproved.join(", ")));
            }
        }
        if let Some(cost) = answer.measures {
            lines.push((
                "cost",
                format!("{} nodes, {}", grouped(cost.nodes), duration(cost.seconds)),
            ));
        }
    }
    let mut text = format!(
        "run {}, item {}: {}\n{}",
        item.run,
        item.item,
        item_view::asked(&item),
        facts(&lines)
    );
    for entry in &told.history {
        text.push_str(&format!("  {}  {}\n", utc(entry.time_ms), entry.text));
    }
    text
}
