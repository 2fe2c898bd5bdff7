//! `hasami status`: how a coordinator is doing, and what is wrong.

use clap::Parser;
use hasami_proto::pack::unpack_problem;
use hasami_proto::v1::{FaultInfo, StatusRequest, StatusResponse};
use serde_json::{Value, json};

use super::client::{AccessArgs, patient};
use super::grid::facts;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::output::{self, OutputArgs, grouped};
use crate::tree::Verb;
use crate::words::duration;

/// Show how a coordinator is doing, and what is wrong
#[derive(Clone, Debug, Parser)]
#[command(name = "status", after_help = "Example:\n  hasami status")]
pub struct Status {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Status {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Shows the status.
async fn act(options: &Status) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let status = match patient(async || client.runs.status(StatusRequest {}).await).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Err(client.failure(&status)),
    };
    let sound = status.damaged == 0 && status.unreadable_runs == 0 && status.faults.is_empty();
    let quiet = if sound { "sound" } else { "faults" };
    output::print(options.answer.output, &human(client.url(), &status), &to_json(&status), quiet)
}

fn human(url: &str, status: &StatusResponse) -> String {
    let mut lines = vec![
        ("version", format!("{} (protocol {})", status.version, status.protocol)),
        ("running for", duration(status.uptime_ms as f64 / 1000.0)),
        ("start", format!("number {}", status.epoch)),
        ("runs", grouped(status.runs)),
        ("workers", format!("{}, with {} leases", status.workers, status.leases)),
        ("leases", format!("{} granted", grouped(status.leases_granted))),
        ("store", status.store.clone()),
    ];
    if status.unreadable_runs > 0 {
        let runs = format!("{} runs; see `hasami runs list`", grouped(status.unreadable_runs));
        lines.push(("unreadable", runs));
    }
    if status.damaged > 0 {
        let told = format!("{} records\n{}", grouped(status.damaged), status.damage.join("\n"));
        lines.push(("damaged", told));
    }
    lines.extend(status.faults.iter().map(|fault| ("contradiction", fault.text.clone())));
    format!("{url}\n{}", facts(&lines))
}

/// A fault as JSON.
pub fn fault(fault: &FaultInfo) -> Value {
    let problem = unpack_problem(&fault.problem).map(|problem| problem.to_string()).ok();
    json!({ "problem": problem, "text": fault.text, "runs": fault.runs })
}

fn to_json(status: &StatusResponse) -> Value {
    json!({
        "version": status.version, "protocol": status.protocol, "epoch": status.epoch,
        "uptime_seconds": status.uptime_ms as f64 / 1000.0, "runs": status.runs,
        "workers": status.workers, "leases": status.leases,
        "leases_granted": status.leases_granted, "store": status.store,
        "unreadable_runs": status.unreadable_runs, "damaged": status.damaged,
        "damage": status.damage,
        "faults": status.faults.iter().map(fault).collect::<Value>(),
    })
}
