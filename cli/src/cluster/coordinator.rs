//! `hasami coordinator`: the process that hands out work and stores the results.

mod checkpoint;
mod restore;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use hasami_coordinator::shipping::Shipping;
use serde_json::json;

use super::backend::{Coordinator, CoordinatorOptions, Elsewhere, StartError};
use super::http::HttpArgs;
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
  hasami coordinator --journal postgres://hasami@db.example.org/hasami --standby --also lab1:7444
  hasami coordinator --http 127.0.0.1:7445
  hasami coordinator checkpoint monday

Exit codes: 0 stopped politely by a signal, 1 failed, 2 wrong usage or bad input,
4 another coordinator has taken over"
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
    /// Keep the journal in PostgreSQL instead, where it outlives this machine:
    /// postgres://user@host/database?journal=NAME; with a password only in HASAMI_JOURNAL or a
    /// configuration file [default: RocksDB in --data]
    #[arg(long, value_name = "URL", help_heading = "Beyond this machine")]
    pub journal: Option<String>,
    /// Wait while another coordinator leads the journal, and take over when it ends
    #[arg(long, help_heading = "Beyond this machine")]
    pub standby: bool,
    /// Standing by, take over from a coordinator that was not seen for this long
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = amounts::duration, help_heading = "Beyond this machine")]
    pub takeover_after: Duration,
    /// Addresses of the other coordinators on this journal; they go into access files
    #[arg(
        long,
        value_name = "HOST:PORT,...",
        value_delimiter = ',',
        help_heading = "Beyond this machine"
    )]
    pub also: Vec<String>,
    /// Keep certificates in an object store as well: file:///shared/directory or s3://bucket/prefix;
    /// nothing is acknowledged before they are there [default: --data alone]
    #[arg(long, value_name = "URL", help_heading = "Beyond this machine")]
    pub certificates: Option<String>,
    /// Upload a checkpoint of everything, tokens included, to this object store at regular times
    #[arg(long, value_name = "URL", help_heading = "Beyond this machine")]
    pub checkpoint_to: Option<String>,
    /// How often
    #[arg(long, default_value = "15min", value_name = "TIME", value_parser = amounts::duration, help_heading = "Beyond this machine")]
    pub checkpoint_every: Duration,
    /// How many of the latest stay there
    #[arg(long, default_value = "8", value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Beyond this machine")]
    pub checkpoint_keep: u32,
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
    pub http: HttpArgs,
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
    options.journal.as_deref().map_or(Ok(()), |url| not_on_command_line("journal", url))?;
    if options.standby && options.journal.is_none() {
        return Err(Failure::Usage(
            "--standby: expected --journal URL too, or HASAMI_JOURNAL: a journal in a directory has \
             one coordinator"
                .to_string(),
        ));
    }
    if options.takeover_after < Duration::from_secs(2) {
        return Err(Failure::Usage(format!(
            "--takeover-after {:?}: expected 2s or more: a leader is seen twice a second",
            options.takeover_after
        )));
    }
    let mut stop = stop::channel("everything is kept")?;
    let starting = Coordinator::start(CoordinatorOptions {
        catalog: hasami_answer::CATALOG,
        verifier: verifier::verifier(&options.allow_files)?,
        verify_threads: verifier::threads(),
        data: options.data.clone(),
        listen: address("--listen", &options.listen)?,
        insecure: options.insecure,
        names: options.names.clone(),
        checkpoints: options.checkpoints.clone(),
        store: options.store.clone(),
        lease: options.lease,
        heartbeat: options.heartbeat,
        progress: options.progress,
        elsewhere: Elsewhere {
            journal: options.journal.clone(),
            standby: options.standby,
            takeover: options.takeover_after,
            also: options.also.clone(),
            certificates: options.certificates.clone(),
            shipping: options.checkpoint_to.clone().map(|to| Shipping {
                to,
                every: options.checkpoint_every.max(Duration::from_secs(1)),
                keep: options.checkpoint_keep as usize,
            }),
        },
        workers_return: true,
        http: options.http.options(&options.allow_files)?,
    });
    let coordinator = tokio::select! {
        started = starting => started.map_err(|error| failure(&error))?,
        // One that stands by has nothing to hand over.
        () = stop::asked(&mut stop) => return Ok(()),
    };
    announce(&coordinator, options)?;
    let failed = tokio::select! {
        why = coordinator.failed() => Some(why),
        () = stop::asked(&mut stop) => None,
    };
    let stopped = coordinator.stop().await;
    match failed {
        Some(_) if stopped.as_ref().is_err_and(StartError::is_deposed) => {
            stopped.map_err(|error| failure(&error))
        }
        Some(why) => Err(Failure::Failed(format!(
            "{why}\n  nothing that was acknowledged is lost: start the coordinator again when the \
             cause is gone"
        ))),
        None => stopped.map_err(|error| failure(&error)),
    }
}

/// Why it could not start, or did not end well.
fn failure(error: &StartError) -> Failure {
    match error {
        StartError::Usage(message) => Failure::Usage(message.clone()),
        deposed if deposed.is_deposed() => Failure::Deposed(format!(
            "{deposed}\n  workers and clients find the other one by themselves; start this one \
             again with --standby"
        )),
        _ => Failure::Failed(error.to_string()),
    }
}

fn announce(coordinator: &Coordinator, options: &Coordinate) -> Result<(), Failure> {
    let (address, url) = (coordinator.address(), &coordinator.access().url);
    let file = coordinator.access_file().display().to_string();
    let tls = coordinator.access().ca_pem.is_some();
    let page = coordinator.page();
    let human = format!(
        "listening on {address}{}\n  access file  {file}\n  data         {}\n{}  \
         hasami worker --access {file}\n  hasami submit SWEEP --access {file}",
        if tls { " (TLS)" } else { " (not encrypted)" },
        options.data.display(),
        page.as_ref().map_or(String::new(), |page| format!("  page         {page}\n")),
    );
    let json = json!({
        "page": page,
        "address": address.to_string(), "url": url, "access": file, "tls": tls,
        "data": options.data.display().to_string(), "pid": std::process::id(),
    });
    output::print(options.answer.output, &human, &json, &file)
}

/// Parses an address, or resolves a host name.
pub fn address(option: &str, text: &str) -> Result<SocketAddr, Failure> {
    let found = text.to_socket_addrs().map_err(|error| error.to_string());
    found.and_then(|mut all| all.next().ok_or_else(|| "no address".to_string())).map_err(|error| {
        Failure::Usage(format!(
            "{option} {text}: {error}; expected address:port, like 0.0.0.0:7444"
        ))
    })
}
