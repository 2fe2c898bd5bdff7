//! `hasami deploy ssh status`: what hosts say of their workers, and what the coordinator says.

use std::sync::Arc;

use clap::Parser;
use hasami_proto::v1::WorkerInfo;
use serde_json::{Value, json};

use super::facts::Facts;
use super::fleet::{self, Done};
use super::hosts::Host;
use super::{FleetArgs, registered};
use crate::cluster::block_on;
use crate::deploy::tokens;
use crate::failure::Failure;
use crate::stop;
use crate::tree::Verb;
use crate::words::{counted, short};

/// Show the workers of all hosts; exit code 1 if any is not as it should be
#[derive(Clone, Debug, Parser)]
#[command(name = "status", after_help = "Example:\n  hasami deploy ssh status hosts.txt")]
pub struct Status {
    #[command(flatten)]
    fleet: FleetArgs,
}

impl Verb for Status {
    fn level() -> &'static str {
        "error"
    }

    fn run(self) -> Result<(), Failure> {
        let hosts = self.fleet.hosts()?;
        block_on(async {
            let client = self.fleet.access.client()?;
            // Hosts can be looked at without it, which is when one wants to.
            let (known, silent) = match registered::all(&client).await {
                Ok(workers) => (Some(workers), None),
                Err(failure) => (None, Some(failure)),
            };
            let known = Arc::new(known);
            let ssh = Arc::new(self.fleet.ssh());
            let asked = stop::channel("nothing was changed")?;
            let outcomes = fleet::on_all(hosts, self.fleet.at_a_time.into(), asked, |host| {
                let (ssh, known) = (ssh.clone(), known.clone());
                async move {
                    let variables = [("BINARY", ""), ("EXPLAIN", "no")];
                    let lines = ssh.call(&host, "probe", &variables, None).await?;
                    Ok(done(&host, &Facts::read(&lines), known.as_deref()))
                }
            })
            .await;
            let reported = fleet::report(self.fleet.answer.output, &outcomes);
            silent.map_or(reported, Err)
        })
    }
}

fn done(host: &Host, facts: &Facts, known: Option<&[WorkerInfo]>) -> Done {
    let token = tokens::name("ssh", &host.name);
    let there: Vec<&WorkerInfo> =
        known.unwrap_or_default().iter().filter(|worker| worker.token == token).collect();
    let busy = there.iter().filter(|worker| worker.leases > 0).count();
    let speed = there.iter().map(|worker| worker.nodes_per_second).sum::<f64>() + 0.0;
    let (running, wanted) = (facts.running(), facts.wanted);
    let mut words = counted(running as u64, "worker");
    if known.is_some() {
        words.push_str(&format!(", {busy} busy, {} nodes/s", short(speed)));
    }
    if facts.restarts() > 0 {
        words.push_str(&format!(", {} after a failure", counted(facts.restarts(), "restart")));
    }
    if let Some(worker) = there.first() {
        words.push_str(&format!(", {}", worker.version));
    }
    // After `scale` or `stop`, until the next `start`.
    if wanted.is_some_and(|wanted| wanted != host.workers as usize) {
        words.push_str(&format!(" (the file wants {})", host.workers));
    }
    let mut trouble: Vec<String> =
        facts.workers.iter().filter_map(|worker| worker.trouble()).collect();
    match wanted {
        None => trouble.push("nothing was started there: `hasami deploy ssh start`".to_string()),
        Some(wanted) if running < wanted => trouble.push(format!(
            "{} wanted: `hasami deploy ssh start` starts what is missing",
            counted(wanted as u64, "worker")
        )),
        Some(_) if known.is_some() && there.len() < running => {
            trouble.push(format!("the coordinator knows {} of them", there.len()));
        }
        Some(_) => {}
    }
    let workers: Value = facts.workers.iter().map(|worker| worker.json()).collect();
    let json = json!({
        "workers": workers, "wanted": wanted, "registered": known.map(|_| there.len()),
        "busy": busy, "nodes_per_second": speed, "binary": facts.binary, "system": facts.system,
    });
    Done { words, json, trouble }
}
