//! `hasami runs delete`: removes runs that have ended, and what only they refer to.

use std::time::Duration;

use clap::Parser;
use hasami_proto::v1::{DeleteRequest, DeleteResponse};
use serde_json::{Value, json};

use crate::amounts;
use crate::cluster::block_on;
use crate::cluster::client::{AccessArgs, RunName, patient};
use crate::cluster::run_view;
use crate::failure::Failure;
use crate::output::{self, OutputArgs, bytes, grouped};
use crate::tree::Verb;
use crate::words::{counted, now_ms};

/// Remove runs that have ended
#[derive(Clone, Debug, Parser)]
#[command(
    name = "delete",
    after_help = "\
Examples:
  hasami runs delete 3 4
  hasami runs delete --older-than 30d --answers --dry-run

Only runs that are finished, cancelled or unreadable are deleted. Answers stay, for later runs to
use, unless --answers is given; an answer that another run has stays in any case."
)]
pub struct Delete {
    /// The runs: their numbers, or names
    #[arg(required_unless_present = "older_than")]
    pub runs: Vec<RunName>,
    /// All runs that ended longer ago than this
    #[arg(long, value_name = "TIME", value_parser = amounts::age)]
    pub older_than: Option<Duration>,
    /// Their answers too, where no other run has them, and certificates of no answer
    #[arg(long)]
    pub answers: bool,
    /// Say what would go, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Delete {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Deletes runs.
async fn act(options: &Delete) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let mut runs = Vec::new();
    for name in &options.runs {
        runs.push(client.find(Some(name)).await?.run);
    }
    let age = |age: Duration| now_ms().saturating_sub(age.as_millis() as u64);
    let request = DeleteRequest {
        runs,
        ended_before_ms: options.older_than.map_or(0, age),
        answers: options.answers,
        dry_run: options.dry_run,
    };
    let reply = match patient(async || client.runs.delete(request.clone()).await).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Err(client.failure(&status)),
    };
    let numbers: Vec<_> = reply.runs.iter().map(|run| run.run.to_string()).collect();
    let json = json!({
        "deleted": !options.dry_run,
        "runs": reply.runs.iter().map(run_view::json).collect::<Value>(),
        "answers": reply.answers, "answers_kept": reply.answers_kept,
        "certificates": reply.certificates, "certificate_bytes": reply.certificate_bytes,
    });
    output::print(options.answer.output, &human(options, &reply), &json, &numbers.join("\n"))
}

fn human(options: &Delete, reply: &DeleteResponse) -> String {
    let verb = if options.dry_run { "would be deleted" } else { "deleted" };
    if reply.runs.is_empty() {
        return "no run has ended that long ago".to_string();
    }
    let mut text = run_view::table(&reply.runs);
    text.push_str(&format!("{} {verb}", counted(reply.runs.len() as u64, "run")));
    if options.answers {
        text.push_str(&format!(
            ", with {} ({} stay: other runs have them) and {} ({})",
            counted(reply.answers, "answer"),
            grouped(reply.answers_kept),
            counted(reply.certificates, "certificate"),
            bytes(reply.certificate_bytes)
        ));
    } else {
        text.push_str("; answers and certificates stay");
    }
    text.push('\n');
    text
}
