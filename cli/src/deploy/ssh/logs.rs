//! `hasami deploy ssh logs`: the logs of workers, each line with its host in front.

use clap::Parser;
use hasami_sweep::text::shown;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::FleetArgs;
use super::hosts::Host;
use super::remote::Ssh;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::tree::Verb;
use crate::{files, stop};

/// The longest line that is shown whole.
const LONGEST: u64 = 1 << 16;

/// Print the logs of workers, or follow them
#[derive(Clone, Debug, Parser)]
#[command(
    name = "logs",
    after_help = "Examples:\n  hasami deploy ssh logs hosts.txt --host lab7 --lines 100\n  hasami deploy ssh logs hosts.txt --follow"
)]
pub struct Logs {
    #[command(flatten)]
    fleet: FleetArgs,
    /// Lines of each file
    #[arg(long, value_name = "N", default_value = "20")]
    lines: u32,
    /// Go on with new lines until stopped
    #[arg(long)]
    follow: bool,
}

impl Verb for Logs {
    fn run(self) -> Result<(), Failure> {
        let hosts = self.fleet.hosts()?;
        block_on(act(&self, hosts))
    }
}

async fn act(options: &Logs, hosts: Vec<Host>) -> Result<(), Failure> {
    let (sender, mut lines) = mpsc::channel::<String>(1024);
    let mut asked = stop::channel("logs are no longer followed")?;
    let mut tasks = JoinSet::new();
    for host in hosts {
        let (ssh, sender) = (options.fleet.ssh(), sender.clone());
        let (count, follow) = (options.lines.to_string(), options.follow);
        tasks.spawn(async move {
            let result = read(&ssh, &host, &count, follow, &sender).await;
            (host.name, result)
        });
    }
    drop(sender);
    loop {
        tokio::select! {
            () = stop::asked(&mut asked) => return Ok(()),
            line = lines.recv() => match line {
                Some(line) => files::print(line.as_bytes())?,
                None => break,
            },
        }
    }
    let mut failed = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        match ended {
            Ok((_, Ok(()))) => {}
            Ok((name, Err(error))) => failed.push(format!("{name}: {error}")),
            Err(error) => failed.push(error.to_string()),
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::Failed(failed.join("\n"))) }
}

async fn read(
    ssh: &Ssh,
    host: &Host,
    count: &str,
    follow: bool,
    lines: &mpsc::Sender<String>,
) -> Result<(), String> {
    let follow = if follow { "yes" } else { "no" };
    let (mut child, script) = ssh.start(host, "logs", &[("LINES", count), ("FOLLOW", follow)])?;
    let mut stdin = child.stdin.take().expect("a pipe to ssh");
    let stdout = child.stdout.take().expect("a pipe from ssh");
    let stderr = child.stderr.take().expect("a pipe from ssh");
    // If ssh ends early its own words say more than the broken pipe.
    let _ = stdin.write_all(script.as_bytes()).await;
    drop(stdin);
    let mut words = String::new();
    let mut said = stderr.take(LONGEST);
    let errors = said.read_to_string(&mut words);
    let ((), _) = tokio::join!(pass_on(stdout, &host.name, lines), errors);
    match child.wait().await {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}: {}", shown(words.trim()))),
        Err(error) => Err(error.to_string()),
    }
}

async fn pass_on(from: impl AsyncRead + Unpin, name: &str, lines: &mpsc::Sender<String>) {
    let mut reader = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        match (&mut reader).take(LONGEST).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let text = shown(text.trim_end()).into_owned();
        // `tail` names files with their paths: the name of the worker is enough.
        let text = match text.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
            Some(path) => format!("== {}", path.rsplit('/').next().unwrap_or(path)),
            None => text,
        };
        if lines.send(format!("{name}: {text}\n")).await.is_err() {
            return;
        }
    }
}
