//! `hasami deploy ssh upgrade`: another program on all hosts, a few at a time.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;

use super::FleetArgs;
use super::binary::Binary;
use super::fleet::{self, Outcome};
use super::start;
use crate::amounts::duration;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::tree::Verb;

/// Bring another program to all hosts, a few at a time
#[derive(Clone, Debug, Parser)]
#[command(
    name = "upgrade",
    after_help = "\
The next hosts begin when all workers of those before are back at the coordinator. If they do not
come back, the rest is left as it is.

Example:
  hasami deploy ssh upgrade hosts.txt --binary ./hasami --step 2"
)]
pub struct Upgrade {
    #[command(flatten)]
    fleet: FleetArgs,
    /// The new program [default: this one]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Hosts that are upgraded together
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    step: u16,
    /// How long workers may take to hand back work, and to reach the coordinator
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
}

impl Verb for Upgrade {
    fn run(self) -> Result<(), Failure> {
        let binary = Binary::find(self.binary.as_deref())?;
        block_on(act(&self, binary))
    }
}

async fn act(options: &Upgrade, binary: Binary) -> Result<(), Failure> {
    let mut hosts = options.fleet.hosts()?;
    let plan = start::plan(&options.fleet, Some(binary), false, options.wait).await?;
    let plan = Arc::new(plan);
    let step = usize::from(options.step);
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut stopped = None;
    while !hosts.is_empty() {
        let next: Vec<_> = hosts.drain(..step.min(hosts.len())).collect();
        if let Some(at) = &stopped {
            let left =
                |host| Outcome { host, result: Err(format!("left as it is, because of {at}")) };
            outcomes.extend(next.into_iter().map(left));
            continue;
        }
        let done = start::run(plan.clone(), next, step).await?;
        let sound =
            |outcome: &Outcome| outcome.result.as_ref().is_ok_and(|done| done.trouble.is_empty());
        stopped = done.iter().find(|one| !sound(one)).map(|one| one.host.name.clone());
        outcomes.extend(done);
    }
    fleet::report(options.fleet.answer.output, &outcomes)
}
