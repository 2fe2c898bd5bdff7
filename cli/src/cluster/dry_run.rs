//! What a sweep would do: its items, and their answers from earlier runs.

use std::collections::{BTreeSet, HashMap};

use hasami_answer::CATALOG;
use hasami_proto::v1::{ItemInfo, ItemState};
use hasami_spec::{ContentKey, Question};
use hasami_sweep::Sweep;
use serde_json::{Value, json};

use super::client::Client;
use super::grid::Grid;
use super::item_view;
use crate::failure::Failure;
use crate::output::{self, Output, grouped};
use crate::words::counted;

/// Answers by the keys under which they are reused.
pub type Known = HashMap<ContentKey, ItemInfo>;

/// Answers of a coordinator's runs to the questions of a sweep.
pub async fn known(client: &mut Client, sweep: &Sweep) -> Result<Known, Failure> {
    let mut known = Known::new();
    for run in client.list().await? {
        // The list has no sweeps.
        let run = client.show(Some(run.run)).await?;
        // Answers are stored by question: another problem does not help with this one.
        let same = Sweep::parse(CATALOG, &run.sweep, &run.name)
            .is_ok_and(|other| other.problem() == sweep.problem());
        if same {
            for item in item_view::items(client, run.run).await? {
                remember(&mut known, item);
            }
        }
    }
    Ok(known)
}

fn remember(known: &mut Known, item: ItemInfo) {
    let Some(question) = item.question.clone().and_then(|q| Question::try_from(q).ok()) else {
        return;
    };
    match item.state() {
        ItemState::Settled => known.insert(question.settled_key(), item),
        ItemState::Open => known.insert(question.open_key(), item),
        _ => None,
    };
}

fn find<'a>(known: &'a Known, question: &Question) -> Option<&'a ItemInfo> {
    known.get(&question.settled_key()).or_else(|| known.get(&question.open_key()))
}

/// Lists the items; nothing is computed.
pub fn print(sweep: &Sweep, known: &Known, form: Output) -> Result<(), Failure> {
    let staged = sweep.ordered_by().is_some();
    let mut grid = if staged {
        Grid::new(&[">ITEM", ">STAGE", "QUESTION", "KNOWN"])
    } else {
        Grid::new(&[">ITEM", "QUESTION", "KNOWN"])
    };
    let mut stages = BTreeSet::new();
    let mut list = Vec::new();
    let mut count = 0;
    for (number, question) in sweep.items().enumerate() {
        let item = find(known, &question).filter(|_| sweep.reuses_answers());
        let stage = sweep.stage(number);
        stages.extend(stage);
        count += u64::from(item.is_some());
        let result = item.map(item_view::result);
        match form {
            Output::Human => {
                let stage = stage.map(|stage| stage.to_string());
                let before = [number.to_string()].into_iter().chain(stage);
                grid.row(before.chain([question.spelled(), result.unwrap_or_default()]));
            }
            Output::Json => list.push(json!({
                "item": number, "question": question.spelled(), "known": item.is_some(),
                "claim": result, "stage": stage,
            })),
            Output::Quiet => {}
        }
    }
    let items = sweep.len() as u64;
    let human = format!(
        "{}\n{}: {} of kind {}{}, {} known, {} to compute\n",
        grid.text(),
        sweep.name(),
        counted(items, "item"),
        sweep.kind(),
        if staged {
            format!(" in {}", counted(stages.len() as u64, "stage"))
        } else {
            String::new()
        },
        grouped(count),
        grouped(items - count)
    );
    let json = json!({
        "name": sweep.name(), "kind": sweep.kind().to_string(), "items": items, "known": count,
        "list": Value::from(list), "stages": staged.then_some(stages.len()),
    });
    output::print(form, &human, &json, &(items - count).to_string())
}
