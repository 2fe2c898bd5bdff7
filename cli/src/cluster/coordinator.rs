//! `hasami coordinator`: the process that hands out work and stores the results.

mod checkpoint;
mod restore;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde_json::json;

use super::backend::{Coordinator, CoordinatorOptions};
use crate::amounts;
use crate::cluster::{block_on, verifier};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::secrets::not_on_command_line;
use crate::stop;
use crate::tree::{Entry, Verb, verb};

/// Give out work to workers and keep what they find
#[derive(Clone, Debug, Parser)]
#[command(
    name = "coordinator",
    after_help = "\
Examples:
  hasami coordinator --listen 0.0.0.0:7444 --name lab1.example.org --data /var/lib/hasami
  hasami coordinator checkpoint monday

Exit codes: 0 stopped politely by a signal, 1 failed, 2 wrong usage or bad input"
)]
pub struct Coordinate {
    /// Where to listen; port 0: any that is free
    #[arg(long, default_value = "127.0.0.1:7444", value_name = "ADDRESS:PORT")]
    pub listen: String,
    /// Where everything is kept: journal, store, certificates, access file
    #[arg(long, default_value = "hasami-data", value_name = "DIR")]
    pub data: PathBuf,
    /// Without TLS: tokens travel in the clear, for trusted networks only
    #[arg(long, help_heading = "Security")]
    pub insecure: bool,
    /// A name or address by which others reach this machine; the first goes into the access file
    #[arg(long = "name", value_name = "HOST", help_heading = "Security")]
    pub names: Vec<String>,
    /// Where `hasami coordinator checkpoint` may make its copies [default: checkpoints in --data]
    #[arg(long, value_name = "DIR")]
    pub checkpoints: Option<PathBuf>,
    /// Open files that sweeps name under this directory, to verify answers that rest on them; may be
    /// given several times [default: none]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Keep positions in these servers instead: redis://host:port,... or, with TLS,
    /// rediss://host:port,...?ca=FILE; with a password only in HASAMI_STORE or a configuration file
    /// [default: RocksDB in --data]
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// A worker that is silent for this long loses its work to others
    #[arg(long, default_value = "30s", value_name = "TIME", value_parser = amounts::duration, help_heading = "Timing")]
    pub lease: Duration,
    /// How often workers say how they are doing
    #[arg(long, default_value = "2s", value_name = "TIME", value_parser = amounts::duration, help_heading = "Timing")]
    pub heartbeat: Duration,
    /// How often each run has a log line
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = amounts::duration, help_heading = "Timing")]
    pub progress: Duration,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// `hasami coordinator`, and the commands about what it keeps.
pub fn group() -> Entry {
    verb::<Coordinate>().with(vec![verb::<checkpoint::Checkpoint>(), verb::<restore::Restore>()])
}

impl Verb for Coordinate {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Runs a coordinator until a signal arrives.
async fn act(options: &Coordinate) -> Result<(), Failure> {
    if options.heartbeat * 2 > options.lease {
        return Err(Failure::Usage(format!(
            "--lease {:?}: expected at least twice --heartbeat {:?}, or work is lost for one late \
             heartbeat",
            options.lease, options.heartbeat
        )));
    }
    options.store.as_deref().map_or(Ok(()), |url| not_on_command_line("store", url))?;
    let mut stop = stop::channel("everything is kept")?;
    let coordinator = Coordinator::start(CoordinatorOptions {
        catalog: hasami_answer::CATALOG,
        verifier: verifier::verifier(&options.allow_files)?,
        verify_threads: verifier::threads(),
        data: options.data.clone(),
        listen: address(&options.listen)?,
        insecure: options.insecure,
        names: options.names.clone(),
        checkpoints: options.checkpoints.clone(),
        store: options.store.clone(),
        lease: options.lease,
        heartbeat: options.heartbeat,
        progress: options.progress,
        workers_return: true,
    })
    .await
    .map_err(|error| Failure::Failed(error.to_string()))?;
    announce(&coordinator, options)?;
    let failed = tokio::select! {
        why = coordinator.failed() => Some(why),
        () = stop::asked(&mut stop) => None,
    };
    let stopped = coordinator.stop().await;
    match failed {
        Some(why) => Err(Failure::Failed(format!(
            "{why}\n  nothing that was acknowledged is lost: start the coordinator again when the \
             cause is gone"
        ))),
        None => stopped.map_err(|error| Failure::Failed(error.to_string())),
    }
}

fn announce(coordinator: &Coordinator, options: &Coordinate) -> Result<(), Failure> {
    let (address, url) = (coordinator.address(), &coordinator.access().url);
    let file = coordinator.access_file().display().to_string();
    let tls = coordinator.access().ca_pem.is_some();
    let human = format!(
        "listening on {address}{}\n  access file  {file}\n  data         {}\n  \
         hasami worker --access {file}\n  hasami submit SWEEP --access {file}",
        if tls { " (TLS)" } else { " (not encrypted)" },
        options.data.display(),
    );
    let json = json!({
        "address": address.to_string(), "url": url, "access": file, "tls": tls,
        "data": options.data.display().to_string(), "pid": std::process::id(),
    });
    output::print(options.answer.output, &human, &json, &file)
}

/// Parses an address, or resolves a host name.
fn address(text: &str) -> Result<SocketAddr, Failure> {
    let found = text.to_socket_addrs().map_err(|error| error.to_string());
    found.and_then(|mut all| all.next().ok_or_else(|| "no address".to_string())).map_err(|error| {
        Failure::Usage(format!(
            "--listen {text}: {error}; expected address:port, like 0.0.0.0:7444"
        ))
    })
}
