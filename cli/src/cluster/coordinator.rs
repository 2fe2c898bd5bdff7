//! `hasami coordinator`: the one process that gives out work and keeps what comes back.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::backend::{Coordinator, CoordinatorOptions};
use super::stop;
use crate::failure::Failure;
use crate::output::{self, OutputArgs};

/// Options of `coordinator`.
#[derive(Clone, Debug, Args)]
pub struct CoordinatorArgs {
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
    /// Keep positions in these servers instead: redis://host:port,... or, with TLS,
    /// rediss://host:port,...?ca=FILE [default: RocksDB in --data]
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// A worker that is silent for so long loses its work to others
    #[arg(long, default_value_t = 30_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(100..=86_400_000), help_heading = "Timing")]
    pub lease_ms: u64,
    /// How often workers say how they are doing
    #[arg(long, default_value_t = 2_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(10..=3_600_000), help_heading = "Timing")]
    pub heartbeat_ms: u64,
    /// A log line for each run every so many seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400), help_heading = "Timing")]
    pub progress_seconds: u64,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Runs a coordinator until a signal comes.
pub async fn run(options: &CoordinatorArgs) -> Result<(), Failure> {
    if options.heartbeat_ms * 2 > options.lease_ms {
        return Err(Failure::Usage(format!(
            "--lease-ms {}: expected at least twice --heartbeat-ms {}, or work is lost for one late \
             heartbeat",
            options.lease_ms, options.heartbeat_ms
        )));
    }
    let mut stop = stop::on_signals("everything is kept")?;
    let coordinator = Coordinator::start(CoordinatorOptions {
        data: options.data.clone(),
        listen: address(&options.listen)?,
        insecure: options.insecure,
        names: options.names.clone(),
        store: options.store.clone(),
        lease: Duration::from_millis(options.lease_ms),
        heartbeat: Duration::from_millis(options.heartbeat_ms),
        progress: Duration::from_secs(options.progress_seconds),
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

fn announce(coordinator: &Coordinator, options: &CoordinatorArgs) -> Result<(), Failure> {
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

/// An address, or a name that has one.
fn address(text: &str) -> Result<SocketAddr, Failure> {
    let found = text.to_socket_addrs().map_err(|error| error.to_string());
    found.and_then(|mut all| all.next().ok_or_else(|| "no address".to_string())).map_err(|error| {
        Failure::Usage(format!(
            "--listen {text}: {error}; expected address:port, like 0.0.0.0:7444"
        ))
    })
}
