//! What a coordinator is told when it starts.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use hasami_spec::Catalog;

use crate::http::HttpOptions;
use crate::shipping::Shipping;
use crate::verify::Verifier;

/// Options of a coordinator.
#[derive(Clone)]
pub struct Options {
    /// The games that can be asked about. The coordinator knows only specs: it opens no game file
    /// and builds no board.
    pub catalog: Catalog,
    /// Decides whether an answer follows from its certificates.
    pub verifier: Verifier,
    /// Threads that verify answers.
    pub verify_threads: usize,
    /// The data directory.
    pub data: PathBuf,
    /// The address to listen on; port 0 picks any free port.
    pub listen: SocketAddr,
    /// No encryption, even beyond the loopback.
    pub insecure: bool,
    /// Host names by which others reach it.
    pub names: Vec<String>,
    /// Where clients may have checkpoints made; `None`: `checkpoints` in the data directory.
    pub checkpoints: Option<PathBuf>,
    /// The store of positions; `None`: RocksDB in the data directory.
    pub store: Option<String>,
    /// A worker that is silent for this long loses its leases.
    pub lease: Duration,
    /// How often workers report their progress.
    pub heartbeat: Duration,
    /// Between two progress lines of a run.
    pub progress: Duration,
    /// What is kept beyond this machine.
    pub elsewhere: Elsewhere,
    /// Whether workers of an earlier coordinator on this data may return with their leases. If not,
    /// their units are handed out again at once, and not counted as failed.
    pub workers_return: bool,
    /// The page and the metrics; `None`: neither.
    pub http: Option<HttpOptions>,
}

/// What a coordinator keeps beyond its machine, and how it takes over from another.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// The URL of a journal in PostgreSQL; `None`: RocksDB in the data directory.
    pub journal: Option<String>,
    /// Waits until no other coordinator leads the journal.
    pub standby: bool,
    /// A leader that was not seen for this long is deposed.
    pub takeover: Duration,
    /// Addresses of other coordinators on the journal, for access files.
    pub also: Vec<String>,
    /// The URL of an object store for certificates; `None`: the data directory alone.
    pub certificates: Option<String>,
    /// Checkpoints that leave the machine.
    pub shipping: Option<Shipping>,
}

impl Default for Elsewhere {
    fn default() -> Self {
        let takeover = Duration::from_secs(10);
        Self {
            journal: None,
            standby: false,
            takeover,
            also: Vec::new(),
            certificates: None,
            shipping: None,
        }
    }
}
