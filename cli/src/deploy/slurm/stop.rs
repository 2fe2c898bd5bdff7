//! `hasami deploy slurm stop`: what waits is cancelled, what runs hands back its work and ends.

use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::json;

use super::BatchArgs;
use super::place::Place;
use super::queue::{self, Queued};
use crate::amounts::duration;
use crate::cluster::access::Operator;
use crate::cluster::block_on;
use crate::deploy::tokens;
use crate::failure::Failure;
use crate::output;
use crate::tree::Verb;
use crate::words::counted;

/// How often the queue is looked at.
const PAUSE: Duration = Duration::from_secs(1);

/// Stop all workers; they hand back what is not finished
#[derive(Clone, Debug, Parser)]
#[command(
    name = "stop",
    after_help = "Examples:\n  hasami deploy slurm stop\n  hasami deploy slurm stop --remove"
)]
pub struct Stop {
    #[command(flatten)]
    batch: BatchArgs,
    /// Also remove what was put into the directory, and revoke the token
    #[arg(long)]
    remove: bool,
    /// How long workers may take to hand back work; then their tasks are cancelled
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
}

impl Verb for Stop {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

async fn act(options: &Stop) -> Result<(), Failure> {
    let batch = &options.batch;
    let job = batch.job();
    let operator = if options.remove { Some(Operator::new(&batch.access)?) } else { None };
    let tasks = queue::list(&job)?;
    let ids = |tasks: &[Queued], waits: bool| -> Vec<String> {
        tasks.iter().filter(|task| task.waits() == waits).map(|task| task.id.clone()).collect()
    };
    queue::cancel(&ids(&tasks, true))?;
    let running = ids(&tasks, false);
    if let Err(failure) = queue::terminate(&running) {
        // A task may have ended between the two looks; what is left is cancelled below.
        tracing::info!("{}", failure.message().unwrap_or_default());
    }
    let began = Instant::now();
    let mut left = queue::list(&job)?;
    while !left.is_empty() && began.elapsed() < options.wait {
        tokio::time::sleep(PAUSE).await;
        left = queue::list(&job)?;
    }
    let late = left.len();
    queue::cancel(&left.into_iter().map(|task| task.id).collect::<Vec<_>>())?;
    if let Some(operator) = &operator {
        tokens::end(operator, &tokens::name("slurm", &batch.name)).await?;
        Place::find(&batch.directory)?.remove(&job)?;
    }
    let mut human = format!("{} stopped", counted(tasks.len() as u64, "task"));
    if late > 0 {
        human.push_str(&format!(", {late} of them cancelled after {:?}", options.wait));
    }
    if options.remove {
        human.push_str("; files and token removed");
    }
    let json = json!({ "tasks": tasks.len(), "cancelled": late, "removed": options.remove });
    output::print(batch.answer.output, &human, &json, &tasks.len().to_string())
}
