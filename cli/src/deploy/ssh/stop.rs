//! `hasami deploy ssh stop`: workers hand back their work and end; on request nothing of them stays.

use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use serde_json::{Value, json};

use super::FleetArgs;
use super::converge::in_words;
use super::facts::Facts;
use super::fleet::{self, Done};
use crate::amounts::duration;
use crate::cluster::access::Operator;
use crate::cluster::block_on;
use crate::deploy::tokens;
use crate::failure::Failure;
use crate::stop;
use crate::tree::Verb;
use crate::words::counted;

/// Stop the workers of all hosts; they hand back what is not finished
#[derive(Clone, Debug, Parser)]
#[command(
    name = "stop",
    after_help = "Examples:\n  hasami deploy ssh stop hosts.txt\n  hasami deploy ssh stop hosts.txt --remove"
)]
pub struct Stop {
    #[command(flatten)]
    fleet: FleetArgs,
    /// Also remove the directory on each host, and revoke its token
    #[arg(long)]
    remove: bool,
    /// Kill workers at once; their units go to others when their leases end
    #[arg(long)]
    now: bool,
    /// How long workers may take to hand back work
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
}

impl Verb for Stop {
    fn run(self) -> Result<(), Failure> {
        let hosts = self.fleet.hosts()?;
        block_on(async {
            let options = Arc::new(self.clone());
            // Without a coordinator workers can be stopped all the same; tokens then stay.
            let operator =
                if self.remove { Some(Operator::new(&self.fleet.access)?) } else { None };
            let operator = Arc::new(operator);
            let asked = stop::channel("workers that were told to stop do so")?;
            let most = self.fleet.at_a_time.into();
            let outcomes = fleet::on_all(hosts, most, asked, |host| {
                let (options, operator) = (options.clone(), operator.clone());
                async move {
                    let wait = options.wait.as_secs().max(1).to_string();
                    let word = |yes| if yes { "yes" } else { "no" };
                    let variables = [
                        ("NOW", word(options.now)),
                        ("REMOVE", word(options.remove)),
                        ("WAIT", &wait),
                    ];
                    let ssh = options.fleet.ssh();
                    let lines = ssh.call(&host, "stop", &variables, None).await?;
                    let facts = Facts::read(&lines);
                    let mut words = match facts.workers.len() {
                        0 => "no workers".to_string(),
                        number => format!("{} stopped", counted(number as u64, "worker")),
                    };
                    if let Some(operator) = &*operator {
                        let token = tokens::name("ssh", &host.name);
                        tokens::end(operator, &token)
                            .await
                            .map_err(|failure| in_words(&failure))?;
                        words.push_str("; directory and token removed");
                    }
                    let workers: Value = facts.workers.iter().map(|worker| worker.json()).collect();
                    let json = json!({ "workers": workers, "removed": options.remove });
                    Ok(Done { words, json, trouble: Vec::new() })
                }
            })
            .await;
            fleet::report(self.fleet.answer.output, &outcomes)
        })
    }
}
