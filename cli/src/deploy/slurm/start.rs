//! `hasami deploy slurm start`: the script, and on request its submission.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde_json::json;

use super::BatchArgs;
use super::place::Place;
use super::queue;
use super::script::{Task, script};
use crate::amounts::{duration, limit, mebibytes};
use crate::cluster::access::Operator;
use crate::cluster::block_on;
use crate::deploy::ssh::binary::Binary;
use crate::deploy::tokens;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::tree::Verb;

/// Write the script of an array of workers, and submit it with --submit
#[derive(Clone, Debug, Parser)]
#[command(
    name = "start",
    after_help = "\
A minute or two before the time of a task is up (--grace) its worker hands back what is not finished,
and the task is queued again. It ends when there is no work for the time of --idle-timeout.

Examples:
  hasami deploy slurm start --workers 10 --threads 4 --memory 8GiB --time 4h --submit
  hasami deploy slurm start --workers 2 --sbatch --partition=long --sbatch --account=games"
)]
pub struct Start {
    #[command(flatten)]
    batch: BatchArgs,
    /// Workers: tasks of the array
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=4000))]
    workers: u32,
    /// Threads of each worker
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: u32,
    /// Memory of each worker; the job asks for a quarter and 256 MiB more
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = mebibytes)]
    memory: u64,
    /// Wall time of a task, after which it is queued again
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = limit)]
    time: Duration,
    /// How long before the end of that time workers begin to hand back
    #[arg(long, value_name = "TIME", default_value = "90s", value_parser = duration)]
    grace: Duration,
    /// End after this long without work
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = limit)]
    idle_timeout: Duration,
    /// Lower the priority of workers on their nodes by so much, 0 to 19
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=19))]
    nice: Option<u32>,
    /// What these workers are or have
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<String>,
    /// An option for sbatch, like --partition=long; may be given several times
    #[arg(long = "sbatch", value_name = "OPTION", allow_hyphen_values = true, value_parser = option)]
    options: Vec<String>,
    /// The program [default: this one]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Submit the script
    #[arg(long)]
    submit: bool,
}

fn label(text: &str) -> Result<String, String> {
    let sound = text.split_once('=').is_some_and(|(key, _)| !key.is_empty());
    if sound && !text.chars().any(char::is_control) {
        return Ok(text.to_string());
    }
    Err("expected KEY=VALUE".to_string())
}

/// A line of its own in the script.
fn option(text: &str) -> Result<String, String> {
    if text.starts_with("--") && !text.chars().any(char::is_control) {
        return Ok(text.to_string());
    }
    Err("expected an option in full, like --partition=long".to_string())
}

impl Verb for Start {
    fn run(self) -> Result<(), Failure> {
        if self.grace * 2 > self.time {
            return Err(Failure::Usage(format!(
                "--grace {:?}: expected at most half of --time {:?}",
                self.grace, self.time
            )));
        }
        block_on(act(&self))
    }
}

async fn act(options: &Start) -> Result<(), Failure> {
    let batch = &options.batch;
    let operator = Operator::new(&batch.access)?;
    tokens::reachable(&operator.access)?;
    let binary = Binary::find(options.binary.as_deref())?;
    let place = Place::make(&batch.directory)?;
    let job = batch.job();
    // A new token would end the connections of workers that have the old one.
    let running = if options.submit { queue::list(&job)? } else { Vec::new() };
    if !place.access().exists() || (options.submit && running.is_empty()) {
        let access = tokens::give(&operator, &tokens::name("slurm", &batch.name)).await?;
        let written = access.write(place.access());
        written.map_err(|error| Failure::Failed(error.to_string()))?;
    }
    let program = place.program(&binary.path, &binary.name)?;
    let text = script(&Task {
        job: &job,
        workers: options.workers,
        threads: options.threads,
        memory_mib: options.memory,
        time: options.time,
        grace: options.grace,
        idle: options.idle_timeout,
        nice: options.nice,
        labels: &options.labels,
        options: &options.options,
        directory: &place.directory,
        program: &program,
        access: &place.access(),
    });
    files::save(&place.script(), text.as_bytes())?;
    let file = place.script().display().to_string();
    let id =
        if options.submit { Some(queue::submit(&place.script(), options.workers)?) } else { None };
    let human = match &id {
        Some(id) => format!("{file}: submitted as job {id}, {} tasks", options.workers),
        None => format!("{file}: written; submit it with --submit, or `sbatch {file}`"),
    };
    let json = json!({ "script": file, "job": id, "name": job, "tasks": options.workers });
    output::print(batch.answer.output, &human, &json, id.as_deref().unwrap_or(&file))
}
