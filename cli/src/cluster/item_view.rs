//! Items as text and JSON.

use hasami_answer::CATALOG;
use hasami_proto::v1::{self, ItemInfo, ItemsRequest, Question, RunInfo};
use hasami_report::{Row, Table};
use hasami_sweep::{Answer, Check, Sweep, Verdict};
use serde_json::{Map, Value, json};

use super::client::{Client, patient};
use super::grid::Grid;
use crate::failure::Failure;
use crate::output::grouped;
use crate::words::duration;

/// `chomp rows=3 columns=4`
pub fn question(question: &Question) -> String {
    let mut text = question.problem.clone();
    for param in &question.params {
        text.push_str(&format!(" {}={}", param.name, param.value));
    }
    text
}

/// The question of the item.
pub fn asked(item: &ItemInfo) -> String {
    item.question.as_ref().map_or_else(String::new, question)
}

fn verdict(answer: &v1::Answer) -> Option<&'static str> {
    Verdict::try_from(answer.verdict()).ok().map(Verdict::word)
}

/// The result of the item: the answer in words, or why it failed.
pub fn result(item: &ItemInfo) -> String {
    match &item.answer {
        Some(answer) => answer.claim.clone(),
        None => item.failure.lines().next().unwrap_or_default().to_string(),
    }
}

/// A line for each item.
pub fn table(items: &[ItemInfo]) -> String {
    let mut grid =
        Grid::new(&[">ITEM", "QUESTION", "STATE", ">TRIES", ">NODES", ">TIME", "RESULT"]);
    for item in items {
        let measures = item.answer.as_ref().and_then(|answer| answer.measures).unwrap_or_default();
        let known = measures.nodes > 0 || measures.seconds > 0.0;
        let state = if item.reused { "known" } else { item.state().word() };
        grid.row([
            item.item.to_string(),
            asked(item),
            state.to_string(),
            item.attempts.to_string(),
            if known { grouped(measures.nodes) } else { String::new() },
            if known { duration(measures.seconds) } else { String::new() },
            result(item),
        ]);
    }
    grid.text()
}

/// The item as JSON.
pub fn json(item: &ItemInfo) -> Value {
    let pairs = |params: &[v1::Param]| -> Value {
        let pairs = params.iter().map(|param| (param.name.clone(), param.value.clone().into()));
        Value::Object(pairs.collect::<Map<_, _>>())
    };
    let answer = item.answer.as_ref().map(|answer| {
        let certificates = answer.certificates.iter().map(|file| {
            let digest = hex(&file.digest);
            let path = format!("{digest}.cert");
            json!({ "name": file.name, "file": path, "bytes": file.bytes, "blake3": digest })
        });
        let measures = answer.measures.unwrap_or_default();
        json!({
            "verdict": verdict(answer), "claim": answer.claim, "fields": pairs(&answer.fields),
            "certificates": certificates.collect::<Vec<_>>(),
            "nodes": measures.nodes, "seconds": measures.seconds,
            "store_hits": measures.store_hits,
            "check": answer.check.as_ref().map(|check| json!({
                "basis": basis(check), "sender": check.sender, "by": check.by,
                "unproved": check.unproved, "note": check.note,
            })),
        })
    });
    let question = item.question.clone().unwrap_or_default();
    json!({
        "run": item.run, "item": item.item, "question": asked(item), "kind": item.kind,
        "problem": question.problem, "parameters": pairs(&question.params),
        "state": item.state().word(), "answer": answer, "attempts": item.attempts,
        "reused": item.reused, "stage": item.stage,
        "failure": (!item.failure.is_empty()).then_some(&item.failure),
    })
}

/// What an answer rests on, in a word.
pub fn basis(check: &v1::Check) -> &'static str {
    Check::try_from(check.clone()).map_or("unknown", |check| check.basis.word())
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All items of a run, in order.
pub async fn items(client: &mut Client, run: u64) -> Result<Vec<ItemInfo>, Failure> {
    some(client, ItemsRequest { run, ..ItemsRequest::default() }).await
}

/// Those items of a run that are asked for, in order.
pub async fn some(client: &mut Client, request: ItemsRequest) -> Result<Vec<ItemInfo>, Failure> {
    let run = request.run;
    let mut stream = match patient(async || client.runs.items(request.clone()).await).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Err(client.run_failure(Some(run), &status).await),
    };
    let mut items = Vec::new();
    while let Some(next) = stream.message().await.map_err(|status| client.failure(&status))? {
        items.extend(next.item);
    }
    Ok(items)
}

/// The items as the table of their sweep. Rules that have changed since do not matter: the items
/// have their questions.
pub fn results(run: &RunInfo, items: Vec<ItemInfo>) -> Result<Table, Failure> {
    let rows = rows(items)?;
    Ok(match Sweep::parse(CATALOG, &run.sweep, &run.name) {
        Ok(sweep) if sweep.len() as u64 == run.items => Table::new(&sweep, rows),
        _ => Table::of_rows(&run.name, rows),
    })
}

/// The items as rows of a table.
pub fn rows(items: Vec<ItemInfo>) -> Result<Vec<Row>, Failure> {
    let rows = items.into_iter().map(|item| {
        let wrong = |error: hasami_proto::ConvertError| {
            Failure::Failed(format!("item {}: the coordinator's answer: {error}", item.item))
        };
        Ok(Row {
            item: item.item as usize,
            question: item.question.clone().unwrap_or_default().try_into().map_err(wrong)?,
            state: item.state().word().to_string(),
            answer: item.answer.clone().map(Answer::try_from).transpose().map_err(wrong)?,
            failure: item.failure.clone(),
            attempts: item.attempts,
            reused: item.reused,
        })
    });
    rows.collect()
}
