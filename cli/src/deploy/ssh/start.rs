//! `hasami deploy ssh start`, `restart` and `scale`: hosts as the file wants them, with differences.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;

use super::FleetArgs;
use super::binary::Binary;
use super::converge::Plan;
use super::fleet::{self, Outcome};
use super::hosts::Host;
use crate::amounts::{duration, mebibytes};
use crate::cluster::access::Operator;
use crate::cluster::block_on;
use crate::cluster::client::Client;
use crate::deploy::tokens;
use crate::failure::Failure;
use crate::stop;
use crate::tree::Verb;

/// What Ctrl-C leaves behind.
const POLITE: &str = "the same command goes on where this one ends";

/// Bring workers up on all hosts, as the file wants them
#[derive(Clone, Debug, Parser)]
#[command(
    name = "start",
    after_help = "\
Hosts that are as the file wants them are left alone. Workers with other settings or another program
are stopped politely and started again; surplus ones are stopped.

Example:
  hasami deploy ssh start hosts.txt --ssh-option IdentityFile=~/.ssh/lab"
)]
pub struct Start {
    #[command(flatten)]
    fleet: FleetArgs,
    /// The program to send [default: this one]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// How long workers may take to hand back work, and to reach the coordinator
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
}

/// Stop all workers politely and start them again
#[derive(Clone, Debug, Parser)]
#[command(
    name = "restart",
    after_help = "Example:\n  hasami deploy ssh restart hosts.txt --host lab7"
)]
pub struct Restart {
    #[command(flatten)]
    fleet: FleetArgs,
    /// How long workers may take to hand back work, and to reach the coordinator
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
}

/// Change the workers, threads or memory of hosts until the next start
#[derive(Clone, Debug, Parser)]
#[command(
    name = "scale",
    after_help = "\
`start` brings back what the file says; to keep a change, write it there and use `start`.

Examples:
  hasami deploy ssh scale hosts.txt --workers 2 --threads-each 4
  hasami deploy ssh scale hosts.txt --host lab7 --workers 0"
)]
pub struct Scale {
    #[command(flatten)]
    fleet: FleetArgs,
    /// Workers of each host, 0 to 1024
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1024), required_unless_present_any = ["threads_each", "memory_each"])]
    workers: Option<u32>,
    // Names of their own: `threads` and `memory` may come from settings that are meant for a worker
    // on this machine.
    /// Threads of each worker
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads_each: Option<u32>,
    /// Memory of each worker
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    memory_each: Option<u64>,
    /// How long workers may take to hand back work, and to reach the coordinator
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
}

impl Verb for Start {
    fn run(self) -> Result<(), Failure> {
        let hosts = self.fleet.hosts()?;
        let binary = Binary::find(self.binary.as_deref())?;
        block_on(act(&self.fleet, hosts, Some(binary), false, self.wait))
    }
}

impl Verb for Restart {
    fn run(self) -> Result<(), Failure> {
        let hosts = self.fleet.hosts()?;
        block_on(act(&self.fleet, hosts, None, true, self.wait))
    }
}

impl Verb for Scale {
    fn run(self) -> Result<(), Failure> {
        let mut hosts = self.fleet.hosts()?;
        for host in &mut hosts {
            host.workers = self.workers.unwrap_or(host.workers);
            host.settings.threads = self.threads_each.or(host.settings.threads);
            let memory = self.memory_each.map(|mib| format!("{mib}MiB"));
            host.settings.memory = memory.or_else(|| host.settings.memory.take());
        }
        block_on(act(&self.fleet, hosts, None, false, self.wait))
    }
}

async fn act(
    fleet: &FleetArgs,
    hosts: Vec<Host>,
    binary: Option<Binary>,
    restart: bool,
    wait: Duration,
) -> Result<(), Failure> {
    let plan = Arc::new(plan(fleet, binary, restart, wait).await?);
    let outcomes = run(plan, hosts, fleet.at_a_time.into()).await?;
    fleet::report(fleet.answer.output, &outcomes)
}

/// What is wanted; the coordinator is asked before any host is touched.
pub async fn plan(
    fleet: &FleetArgs,
    binary: Option<Binary>,
    restart: bool,
    wait: Duration,
) -> Result<Plan, Failure> {
    let operator = Operator::new(&fleet.access)?;
    tokens::reachable(&operator.access)?;
    let client = Client::new(&operator.access)?;
    super::registered::all(&client).await?;
    Ok(Plan { ssh: fleet.ssh(), operator, client, binary, restart, wait })
}

/// Does it on all hosts.
pub async fn run(plan: Arc<Plan>, hosts: Vec<Host>, most: usize) -> Result<Vec<Outcome>, Failure> {
    let asked = stop::channel(POLITE)?;
    Ok(fleet::on_all(hosts, most, asked, |host| {
        let plan = plan.clone();
        async move { plan.converge(&host).await }
    })
    .await)
}
