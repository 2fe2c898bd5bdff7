//! `hasami store`: statistics, checkpoints and restoring.

use std::fmt::Write as _;
use std::path::Path;

use hasami_store::{Counts, RocksReader, RocksStore};
use serde_json::{Value, json};

use crate::args::{StoreAction, StoreArgs};
use crate::failure::Failure;
use crate::output::{self, bytes, grouped};

/// Does what was asked.
pub fn run(options: &StoreArgs) -> Result<(), Failure> {
    let (human, json, quiet) = match &options.action {
        StoreAction::Stats { store } => stats(store)?,
        StoreAction::Checkpoint { store, checkpoint } => {
            RocksReader::open(store)?.checkpoint(checkpoint)?;
            copied("checkpoint of", store, checkpoint)
        }
        StoreAction::Restore { checkpoint, store } => {
            RocksStore::restore(checkpoint, store)?;
            copied("restored from", checkpoint, store)
        }
    };
    output::print(options.answer.output, &human, &json, &quiet)
}

fn copied(what: &str, from: &Path, to: &Path) -> (String, Value, String) {
    let (from, to) = (from.display().to_string(), to.display().to_string());
    (format!("{to}: {what} {from}"), json!({ "from": from, "to": to }), to)
}

fn stats(path: &Path) -> Result<(String, Value, String), Failure> {
    let stats = RocksReader::open(path)?.stats()?;
    let mut human = format!(
        "{}: format {}, {}, {} records, {} settled, {} notes\n",
        path.display(),
        stats.format,
        bytes(stats.bytes),
        grouped(stats.total.records()),
        grouped(stats.total.solved()),
        grouped(stats.notes),
    );
    for (problem, counts) in &stats.problems {
        let _ = writeln!(
            human,
            "  {problem}  {} proven, {} disproven, {} open, {} in conflict, work {}",
            grouped(counts.proven),
            grouped(counts.disproven),
            grouped(counts.unsolved),
            grouped(counts.conflicts),
            grouped(counts.work),
        );
    }
    let problems = stats.problems.iter().map(|(id, counts)| {
        let mut value = to_json(counts);
        value["id"] = json!(id.to_string());
        value
    });
    let json = json!({
        "path": path.display().to_string(),
        "format": stats.format,
        "bytes": stats.bytes,
        "notes": stats.notes,
        "total": to_json(&stats.total),
        "problems": problems.collect::<Vec<_>>(),
    });
    let quiet = stats.total.records().to_string();
    if stats.total.conflicts > 0 {
        output::print(output::Output::Human, &human, &json, &quiet)?;
        return Err(Failure::Failed(format!(
            "{}: {} states were told proven and disproven; do not trust this store",
            path.display(),
            stats.total.conflicts
        )));
    }
    Ok((human, json, quiet))
}

fn to_json(counts: &Counts) -> Value {
    json!({
        "records": counts.records(), "proven": counts.proven, "disproven": counts.disproven,
        "open": counts.unsolved, "conflicts": counts.conflicts,
        "work": counts.work,
    })
}
