//! `hasami deploy slurm status`: tasks as the queue knows them, workers as the coordinator does.

use clap::Parser;
use serde_json::json;

use super::{BatchArgs, queue};
use crate::cluster::block_on;
use crate::cluster::grid::facts;
use crate::deploy::ssh::registered;
use crate::deploy::tokens;
use crate::failure::Failure;
use crate::output;
use crate::tree::Verb;
use crate::words::short;

/// Show what is queued, what runs, and what the coordinator sees of it
#[derive(Clone, Debug, Parser)]
#[command(name = "status", after_help = "Example:\n  hasami deploy slurm status")]
pub struct Status {
    #[command(flatten)]
    batch: BatchArgs,
}

impl Verb for Status {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self.batch))
    }
}

async fn act(batch: &BatchArgs) -> Result<(), Failure> {
    let tasks = queue::list(&batch.job())?;
    let client = batch.access.client()?;
    let token = tokens::name("slurm", &batch.name);
    let workers = registered::all(&client).await?;
    let workers: Vec<_> = workers.iter().filter(|worker| worker.token == token).collect();
    let busy = workers.iter().filter(|worker| worker.leases > 0).count();
    let speed = workers.iter().map(|worker| worker.nodes_per_second).sum::<f64>() + 0.0;
    let counts = queue::counts(&tasks);
    let states: Vec<String> =
        counts.iter().map(|(state, number)| format!("{number} {}", state.to_lowercase())).collect();
    let states = if states.is_empty() { "none".to_string() } else { states.join(", ") };
    let human = facts(&[
        ("tasks", states),
        ("workers", format!("{} at the coordinator, {busy} busy", workers.len())),
        ("speed", format!("{} nodes/s", short(speed))),
    ]);
    let json = json!({
        "name": batch.job(), "tasks": counts, "workers": workers.len(), "busy": busy,
        "nodes_per_second": speed,
    });
    output::print(batch.answer.output, &human, &json, &tasks.len().to_string())
}
