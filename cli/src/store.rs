//! `hasami store`: statistics, checkpoints and restoring.

mod clear_fault;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_store::{Counts, RocksReader, RocksStore};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, OutputArgs, bytes, grouped};
use crate::tree::{Entry, Verb, group as make_group, verb};

/// `hasami store`.
pub fn group() -> Entry {
    make_group(
        "store",
        "Look after a store of positions: stats, checkpoint, restore, clear-fault",
        "Example:\n  hasami store stats hasami-data/store\n\n\
         `hasami coordinator checkpoint` copies everything that a coordinator keeps, its store included.",
        vec![
            verb::<Stats>(),
            verb::<Checkpoint>(),
            verb::<Restore>(),
            verb::<clear_fault::ClearFault>(),
        ],
    )
}

/// Count what is in a store
#[derive(Clone, Debug, Parser)]
#[command(name = "stats", after_help = "Example:\n  hasami store stats hasami-data/store")]
pub struct Stats {
    /// The store
    store: PathBuf,
    #[command(flatten)]
    answer: OutputArgs,
}

impl Verb for Stats {
    fn run(self) -> Result<(), Failure> {
        let (human, json, quiet) = stats(&self.store)?;
        output::print(self.answer.output, &human, &json, &quiet)
    }
}

/// Make a consistent copy, by hard links where possible
#[derive(Clone, Debug, Parser)]
#[command(
    name = "checkpoint",
    after_help = "Example:\n  hasami store checkpoint hasami-data/store /backup/monday"
)]
pub struct Checkpoint {
    /// The store
    store: PathBuf,
    /// Where the copy goes; must not exist yet
    checkpoint: PathBuf,
    #[command(flatten)]
    answer: OutputArgs,
}

impl Verb for Checkpoint {
    fn run(self) -> Result<(), Failure> {
        RocksReader::open(&self.store)?.checkpoint(&self.checkpoint)?;
        let (human, json, quiet) = copied("checkpoint of", &self.store, &self.checkpoint);
        output::print(self.answer.output, &human, &json, &quiet)
    }
}

/// Check a checkpoint and make a store of it
#[derive(Clone, Debug, Parser)]
#[command(
    name = "restore",
    after_help = "Example:\n  hasami store restore /backup/monday hasami-data/store"
)]
pub struct Restore {
    /// The checkpoint
    checkpoint: PathBuf,
    /// Where the store goes; must not exist yet
    store: PathBuf,
    #[command(flatten)]
    answer: OutputArgs,
}

impl Verb for Restore {
    fn run(self) -> Result<(), Failure> {
        RocksStore::restore(&self.checkpoint, &self.store)?;
        let (human, json, quiet) = copied("restored from", &self.checkpoint, &self.store);
        output::print(self.answer.output, &human, &json, &quiet)
    }
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
