//! `hasami workers`: who computes for a coordinator.

use clap::Parser;
use hasami_proto::v1::{HeldInfo, WorkerInfo, WorkersRequest};
use serde_json::{Map, Value, json};

use super::client::{AccessArgs, patient};
use super::grid::Grid;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::output::{self, OutputArgs, bytes};
use crate::tree::Verb;
use crate::words::{counted, duration, short};

/// List the workers
#[derive(Clone, Debug, Parser)]
#[command(name = "workers", after_help = "Example:\n  hasami workers")]
pub struct Workers {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Workers {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Lists the workers.
async fn act(options: &Workers) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let workers = match patient(async || client.runs.workers(WorkersRequest {}).await).await {
        Ok(reply) => reply.into_inner().workers,
        Err(status) => return Err(client.failure(&status)),
    };
    let json: Value = workers.iter().map(to_json).collect();
    let names: Vec<_> = workers.iter().map(|worker| worker.name.as_str()).collect();
    output::print(options.answer.output, &human(&workers), &json, &names.join("\n"))
}

fn human(workers: &[WorkerInfo]) -> String {
    if workers.is_empty() {
        return "no workers; see `hasami worker --help`".to_string();
    }
    let mut grid = Grid::new(&[
        ">WORKER", "NAME", "HOST", ">PID", ">THREADS", ">MEMORY", ">HELD", ">BEGUN", ">NODES/S",
        ">SILENT", "VERSION", "TOKEN", "LABELS", "DOES",
    ]);
    for worker in workers {
        let labels: Vec<_> =
            worker.labels.iter().map(|label| format!("{}={}", label.name, label.value)).collect();
        grid.row([
            worker.worker.to_string(),
            worker.name.clone(),
            worker.host.clone(),
            worker.pid.to_string(),
            worker.threads.to_string(),
            bytes(worker.memory_mib << 20),
            worker.leases.to_string(),
            begun(worker).count().to_string(),
            short(worker.nodes_per_second),
            duration(worker.silent),
            worker.version.clone(),
            worker.token.clone(),
            labels.join(" "),
            does(worker),
        ]);
    }
    let threads = workers.iter().map(|worker| u64::from(worker.threads)).sum();
    let all = counted(workers.len() as u64, "worker");
    format!("{}{all}, {}\n", grid.text(), counted(threads, "thread"))
}

/// The units that it has begun.
fn begun(worker: &WorkerInfo) -> impl Iterator<Item = &HeldInfo> {
    worker.held.iter().filter(|held| held.begun)
}

/// `answer 3/17 for 12 s, search 4/0 for 2 s`: what it computes now.
fn does(worker: &WorkerInfo) -> String {
    let words: Vec<String> = begun(worker)
        .map(|held| {
            let lease = held.lease.unwrap_or_default();
            let time = duration(held.seconds);
            format!("{} {}/{} for {time}", held.kind, lease.run, lease.item)
        })
        .collect();
    if words.is_empty() { "nothing".to_string() } else { words.join(", ") }
}

fn to_json(worker: &WorkerInfo) -> Value {
    let labels = worker.labels.iter().map(|label| (label.name.clone(), label.value.clone().into()));
    json!({
        "worker": worker.worker, "name": worker.name, "host": worker.host, "pid": worker.pid,
        "address": worker.address, "threads": worker.threads, "memory_mib": worker.memory_mib,
        "labels": labels.collect::<Map<_, _>>(), "version": worker.version,
        "leases": worker.leases, "nodes_per_second": worker.nodes_per_second,
        "silent_seconds": worker.silent, "token": worker.token,
        "held": worker.held.iter().map(held_json).collect::<Value>(),
    })
}

fn held_json(held: &HeldInfo) -> Value {
    let lease = held.lease.unwrap_or_default();
    json!({
        "run": lease.run, "item": lease.item, "unit": lease.unit, "attempt": lease.attempt,
        "kind": held.kind, "begun": held.begun, "seconds": held.seconds, "nodes": held.nodes,
        "question": held.question,
    })
}
