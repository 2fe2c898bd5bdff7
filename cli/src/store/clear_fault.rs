//! `hasami store clear-fault`: removes the records of a problem with a contradiction.

use clap::Parser;
use hasami_andor::ProblemId;
use hasami_proto::pack::pack_problem;
use hasami_proto::v1::ClearFaultRequest;
use serde_json::{Value, json};

use crate::cluster::block_on;
use crate::cluster::client::{AccessArgs, patient};
use crate::cluster::status;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;
use crate::words::counted;

/// Remove the records of a problem with a contradiction, and go on with its runs
#[derive(Clone, Debug, Parser)]
#[command(
    name = "clear-fault",
    after_help = "\
Examples:
  hasami store clear-fault --all
  hasami store clear-fault 5f1c0a66b0f2e8d90123456789abcdef

`hasami status` names the problem and who has contradicted whom. The records are only a help for
searches: what they knew is searched again. Verdicts never rest on them."
)]
pub struct ClearFault {
    /// The problem
    #[arg(required_unless_present = "all", value_parser = problem)]
    pub problem: Option<ProblemId>,
    /// All problems with a contradiction
    #[arg(long, conflicts_with = "problem")]
    pub all: bool,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

fn problem(text: &str) -> Result<ProblemId, String> {
    let digits = (text.len() == 32).then(|| u128::from_str_radix(text, 16).ok()).flatten();
    digits.map(ProblemId).ok_or_else(|| "expected 32 hexadecimal digits".to_string())
}

impl Verb for ClearFault {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

async fn act(options: &ClearFault) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let problem = options.problem.map_or_else(Vec::new, pack_problem);
    let reply = match patient(async || {
        client.runs.clear_fault(ClearFaultRequest { problem: problem.clone() }).await
    })
    .await
    {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Err(client.failure(&status)),
    };
    let human = format!(
        "{} cleared, {} going on",
        counted(reply.cleared.len() as u64, "problem"),
        counted(reply.resumed.len() as u64, "run")
    );
    let json = json!({
        "cleared": reply.cleared.iter().map(status::fault).collect::<Value>(),
        "resumed": reply.resumed,
    });
    output::print(options.answer.output, &human, &json, &reply.cleared.len().to_string())
}
