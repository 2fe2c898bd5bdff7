//! Makes a host as its line wants it: the program, an access file of its own, so many workers. Doing
//! it again changes nothing.

use std::time::Duration;

use serde_json::{Value, json};

use super::binary::Binary;
use super::facts::Facts;
use super::fleet::Done;
use super::hosts::Host;
use super::registered;
use super::remote::Ssh;
use crate::cluster::access::Operator;
use crate::cluster::client::Client;
use crate::deploy::{quote, tokens};
use crate::failure::Failure;
use crate::output::bytes;
use crate::words::counted;

const SUPERVISE: &str = include_str!("supervise.sh");

/// What is wanted of all hosts.
pub struct Plan {
    pub ssh: Ssh,
    pub operator: Operator,
    pub client: Client,
    /// The program; `None`: the one that is there.
    pub binary: Option<Binary>,
    /// Also those that run as they should.
    pub restart: bool,
    /// How long workers may take to hand back their work, and to reach the coordinator.
    pub wait: Duration,
}

impl Plan {
    /// Does it on one host.
    pub async fn converge(&self, host: &Host) -> Result<Done, String> {
        let wanted = self.binary.as_ref().map_or("", |binary| &binary.name);
        let lines =
            self.ssh.call(host, "probe", &[("BINARY", wanted), ("EXPLAIN", "no")], None).await?;
        let before = Facts::read(&lines);
        let (name, copied) = self.program(host, &before).await?;
        let token = tokens::name("ssh", &host.name);
        let access = self.access(&before, &token).await?;
        let words = host.settings.words();
        let (workers, wait) = (host.workers.to_string(), self.wait.as_secs().max(1).to_string());
        let variables = [
            ("BINARY", name.as_str()),
            ("ARGS", &quote::line(words.iter().map(String::as_str))),
            ("ACCESS", &access),
            ("SUPERVISE", SUPERVISE.trim_end()),
            ("NAME", &token),
            ("WORKERS", &workers),
            ("RESTART", if self.restart { "yes" } else { "no" }),
            ("NOW", "no"),
            ("WAIT", &wait),
        ];
        let lines = self.ssh.call(host, "start", &variables, None).await?;
        let after = Facts::read(&lines);
        let mut done = done(&before, &after, copied, host);
        done.trouble.extend(self.silent(host, &token).await?);
        Ok(done)
    }

    /// Sends the program if it is not there; gives its name, and its size if it was sent.
    async fn program(&self, host: &Host, before: &Facts) -> Result<(String, Option<u64>), String> {
        let Some(binary) = &self.binary else {
            let there = before.binary.clone();
            let there =
                there.ok_or("nothing was started there yet; use `hasami deploy ssh start`")?;
            return Ok((there, None));
        };
        if before.system != binary.system {
            return Err(format!(
                "this host is {}, and {} is for {}; give the right program with --binary",
                before.system,
                binary.path.display(),
                binary.system
            ));
        }
        if before.has {
            return Ok((binary.name.clone(), None));
        }
        let variables = [("BINARY", binary.name.as_str()), ("DIGEST", &binary.digest)];
        self.ssh.call(host, "upload", &variables, Some(&binary.path)).await?;
        Ok((binary.name.clone(), Some(binary.bytes)))
    }

    /// The text of an access file, or nothing if workers run with the one that is there: a new token
    /// would end the connections of the old one.
    async fn access(&self, before: &Facts, token: &str) -> Result<String, String> {
        if before.access && before.uses_access() {
            return Ok(String::new());
        }
        let given = tokens::give(&self.operator, token).await;
        let access = given.map_err(|failure| in_words(&failure))?;
        access.text().map(|text| text.trim_end().to_string()).map_err(|error| error.to_string())
    }

    /// What is wrong with workers that do not reach the coordinator.
    async fn silent(&self, host: &Host, token: &str) -> Result<Vec<String>, String> {
        let names: Vec<String> = (1..=host.workers).map(|n| format!("{token}-{n}")).collect();
        let missing = registered::wait(&self.client, &names, self.wait).await;
        let missing = missing.map_err(|failure| in_words(&failure))?;
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let lines =
            self.ssh.call(host, "probe", &[("BINARY", ""), ("EXPLAIN", "yes")], None).await?;
        let facts = Facts::read(&lines);
        let why = facts.workers.iter().find(|worker| !worker.last.is_empty());
        let why = why.map_or(String::new(), |worker| format!(": {}", worker.last));
        Ok(vec![format!(
            "{} not reached the coordinator within {} s{why}",
            match missing.len() {
                1 => "a worker has".to_string(),
                more => format!("{more} workers have"),
            },
            self.wait.as_secs()
        )])
    }
}

/// A failure as the line of a host.
pub fn in_words(failure: &Failure) -> String {
    failure.message().unwrap_or("stopped").to_string()
}

fn done(before: &Facts, after: &Facts, copied: Option<u64>, host: &Host) -> Done {
    let (began, running) = (after.started.len(), after.running());
    let mut words = counted(running as u64, "worker");
    let gone = before.running().saturating_sub(running);
    if began > 0 {
        words.push_str(&format!(", {began} started"));
    }
    if gone > 0 {
        words.push_str(&format!(", {gone} stopped"));
    }
    if began == 0 && gone == 0 {
        words.push_str(", as before");
    }
    if let Some(size) = copied {
        words.push_str(&format!("; program copied ({})", bytes(size)));
    }
    let trouble = after.workers.iter().filter(|worker| worker.number <= host.workers);
    Done {
        words,
        json: json!({
            "workers": after.workers.iter().map(|worker| worker.json()).collect::<Value>(),
            "started": began, "stopped": gone, "copied_bytes": copied,
        }),
        trouble: trouble.filter_map(|worker| worker.trouble()).collect(),
    }
}
