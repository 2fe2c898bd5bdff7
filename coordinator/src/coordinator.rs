//! The whole coordinator: data directory, engine, services, and the log.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hasami_proto::Access;
use hasami_spec::Catalog;
use hasami_store::{RocksStore, StoreError};
use tokio::sync::{oneshot, watch};

use crate::certificates::Certificates;
use crate::core::{Core, Millis, Settings};
use crate::engine::{Engine, EngineThread};
use crate::journal::{Journal, JournalError};
use crate::log;
use crate::notify;
use crate::positions::{Bounds, Positions};
use crate::server::{ACCESS_FILE, Keys, KeysError, Listener, Security, Server};
use crate::services::{Checkpoint, Events, RunCalls, Shared, Wakes, WorkCalls};
use crate::speed::Speeds;

/// How often speeds are sampled.
const SAMPLE: Duration = Duration::from_secs(1);

/// Options of a coordinator.
#[derive(Clone, Debug)]
pub struct Options {
    /// The games that can be asked about. The coordinator knows only specs: it opens no game file
    /// and builds no board.
    pub catalog: Catalog,
    /// The data directory.
    pub data: PathBuf,
    /// The address to listen on; port 0 picks any free port.
    pub listen: SocketAddr,
    /// No encryption, even beyond the loopback.
    pub insecure: bool,
    /// Host names by which others reach it.
    pub names: Vec<String>,
    /// The store of positions; `None`: RocksDB in the data directory.
    pub store: Option<String>,
    /// A worker that is silent for this long loses its leases.
    pub lease: Duration,
    /// How often workers report their progress.
    pub heartbeat: Duration,
    /// Between two progress lines of a run.
    pub progress: Duration,
    /// Whether workers of an earlier coordinator on this data may return with their leases. If not,
    /// their units are handed out again at once, and not counted as failed.
    pub workers_return: bool,
}

/// Why a coordinator cannot start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The journal is unusable.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store is unusable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Tokens or certificates are unusable.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The socket cannot be bound.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's message.
        error: std::io::Error,
    },
    /// The data directory is unusable.
    #[error("{path}: {error}")]
    Data {
        /// The directory.
        path: String,
        /// The system's message.
        error: std::io::Error,
    },
    /// The server ended by itself.
    #[error("the server has ended: {0}")]
    Server(String),
}

/// A running coordinator.
pub struct Coordinator {
    address: SocketAddr,
    access: Access,
    access_file: PathBuf,
    engine: Engine,
    thread: EngineThread,
    failure: watch::Receiver<Option<String>>,
    stop: oneshot::Sender<()>,
    server: tokio::task::JoinHandle<Result<(), tonic::transport::Error>>,
    sampler: tokio::task::JoinHandle<()>,
    positions: Positions,
}

impl Coordinator {
    /// Opens the data directory, resumes from its contents, and serves.
    ///
    /// # Errors
    /// If the data is in use or damaged, or the address is not available.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let data = options.data.clone();
        let wrong = |error| StartError::Data { path: data.display().to_string(), error };
        std::fs::create_dir_all(&data).map_err(wrong)?;
        let journal = Arc::new(Journal::open(&data.join("journal"))?);
        let settings = Settings {
            lease_ms: options.lease.as_millis() as u64,
            heartbeat_ms: options.heartbeat.as_millis() as u64,
            ..Settings::default()
        };
        let mut saved = journal.load(options.catalog)?;
        if !options.workers_return {
            saved.forget_workers();
        }
        let core = Core::restore(settings, saved, Millis(0));
        let certificates = Certificates::open(&data.join("certificates")).map_err(wrong)?;
        let store = match &options.store {
            Some(name) => hasami_store::connect(name)?,
            None => hasami_store::Engine::directory(data.join("store"))?,
        };
        let store_name = store.place().display().to_string();
        let positions = Positions::start(store.store(), Bounds::default()).map_err(wrong)?;

        let address = options.listen;
        let listener =
            Listener::bind(address).await.map_err(|error| StartError::Listen { address, error })?;
        let address = listener.address();
        let security = Security::for_address(address.ip(), options.insecure);
        let keys = Keys::prepare(&data, security, address, &options.names)?;
        log::started(&core, &journal, address, security, &store_name, &data);

        let wakes = Arc::new(Wakes::default());
        let events = Events::default();
        let speeds = Arc::new(Mutex::new(Speeds::default()));
        let (fail, failure) = watch::channel(None);
        let listener_of_core = notify::listener(
            Arc::clone(&wakes),
            events.clone(),
            Arc::clone(&speeds),
            Arc::clone(&journal),
        );
        let fail_journal = fail.clone();
        let failed = Box::new(move |error: &JournalError| {
            tracing::error!(%error, "the journal cannot be written; stopping");
            fail_journal.send_replace(Some(error.to_string()));
        });
        let (engine, thread) = Engine::start(core, Arc::clone(&journal), listener_of_core, failed);
        let shared = Arc::new(Shared {
            engine: engine.clone(),
            checkpoint: checkpoint(Arc::clone(&journal), store.rocks(), certificates.clone()),
            catalog: options.catalog,
            journal,
            positions: positions.clone(),
            certificates,
            wakes,
            events: events.clone(),
            speeds: Arc::clone(&speeds),
            store: store_name,
        });
        let server = Server::new(listener, keys.tokens(), keys.tls.clone())
            .await
            .with(WorkCalls::service(Arc::clone(&shared)))
            .with(RunCalls::service(Arc::clone(&shared)))
            .with(positions.service());
        let health = server.health();
        let (stop, stopped) = oneshot::channel();
        let serve = server.serve(async move {
            // A dropped sender means the same.
            let _ = stopped.await;
        });
        let server = tokio::spawn(async move {
            let served = serve.await;
            if let Err(error) = &served {
                // The coordinator is unreachable from here on: its caller must know.
                tracing::error!(%error, "the server has ended; stopping");
                fail.send_replace(Some(format!("the server has ended: {error}")));
            }
            served
        });
        health.recovered().await;
        let sampler = tokio::spawn(sample(engine.clone(), speeds, events, options.progress));
        watch_store(&positions, &engine);
        Ok(Self {
            address,
            access: keys.access,
            access_file: data.join(ACCESS_FILE),
            engine,
            thread,
            failure,
            stop,
            server,
            sampler,
            positions,
        })
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What workers and clients need to reach it.
    #[must_use]
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The access file on disk.
    #[must_use]
    pub fn access_file(&self) -> &Path {
        &self.access_file
    }

    /// Waits until the journal cannot be written or the server has ended; the coordinator must be
    /// stopped then.
    pub async fn failed(&self) -> String {
        let mut failure = self.failure.clone();
        loop {
            if let Some(why) = failure.borrow_and_update().clone() {
                return why;
            }
            if failure.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Accepts no more calls, finishes running ones, and makes everything durable.
    ///
    /// # Errors
    /// If something cannot be written.
    pub async fn stop(self) -> Result<(), StartError> {
        // Ignore a server that has already ended.
        let _ = self.stop.send(());
        self.sampler.abort();
        let served = self.server.await;
        self.engine.stop();
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await;
        joined.map_err(|error| StartError::Server(error.to_string()))??;
        self.positions.flush().await?;
        tracing::info!("stopped");
        match served {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(StartError::Server(error.to_string())),
            Err(error) => Err(StartError::Server(error.to_string())),
        }
    }
}

/// The journal first: the items it calls settled have their certificates on disk already.
fn checkpoint(
    journal: Arc<Journal>,
    store: Option<Arc<RocksStore>>,
    certificates: Certificates,
) -> Checkpoint {
    Box::new(move |directory| {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", directory.display());
        std::fs::create_dir(directory).map_err(|error| at(&error))?;
        journal.checkpoint(&directory.join("journal")).map_err(|error| at(&error))?;
        if let Some(store) = &store {
            store.checkpoint(directory.join("store")).map_err(|error| at(&error))?;
        }
        let copies = directory.join("certificates");
        std::fs::create_dir(&copies).map_err(|error| at(&error))?;
        for entry in std::fs::read_dir(certificates.directory()).map_err(|error| at(&error))? {
            let entry = entry.map_err(|error| at(&error))?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let copy = copies.join(&name);
            std::fs::hard_link(entry.path(), &copy)
                .or_else(|_| std::fs::copy(entry.path(), &copy).map(drop))
                .map_err(|error| at(&error))?;
        }
        let list = contents(&directory.join("journal")).map_err(|error| at(&error))?;
        std::fs::write(directory.join("COMPLETE"), list).map_err(|error| at(&error))?;
        tracing::info!(directory = %directory.display(), "checkpoint made");
        Ok(())
    })
}

/// The mark of a complete checkpoint: the journal files and their lengths. RocksDB accepts a
/// truncated list of its tables as if it ended there, and would silently restore less. Tables are
/// checked by their own checksums, certificates by their digests.
fn contents(journal: &Path) -> std::io::Result<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(journal)? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    files.sort_unstable();
    let mut list = format!("hasami checkpoint 2, {} files\n", files.len());
    for (name, bytes) in files {
        list.push_str(&format!("{bytes} {name}\n"));
    }
    Ok(list)
}

/// Samples speeds, sends them to watchers, and logs progress lines.
async fn sample(engine: Engine, speeds: Arc<Mutex<Speeds>>, events: Events, every: Duration) {
    let mut last_line = Instant::now();
    loop {
        tokio::time::sleep(SAMPLE).await;
        let line = last_line.elapsed() >= every;
        if line {
            last_line = Instant::now();
        }
        let (speeds, events) = (Arc::clone(&speeds), events.clone());
        let sampled = engine.call(move |state| {
            if let Ok(mut speeds) = speeds.lock() {
                speeds.sample(&state.core, Instant::now());
                log::progress(&state.core, &speeds, &events, line);
            }
        });
        if sampled.await.is_err() {
            return;
        }
    }
}

/// A store that contradicts itself has poisoned every run that uses it: cancel them with an error.
fn watch_store(positions: &Positions, engine: &Engine) {
    let mut fault = positions.fault();
    let engine = engine.clone();
    tokio::spawn(async move {
        while fault.changed().await.is_ok() {
            let Some(error) = fault.borrow_and_update().as_ref().map(ToString::to_string) else {
                continue;
            };
            tracing::error!(%error, "the store is at fault; all runs are stopped");
            let stopped = engine.call(move |state| {
                let open: Vec<_> =
                    state.core.runs().filter(|run| !run.is_over()).map(|run| run.id).collect();
                for run in open {
                    // A run may have ended meanwhile.
                    let _ = state.core.cancel(run, &format!("store: {error}"), state.wall_ms);
                }
            });
            if stopped.await.is_err() {
                return;
            }
        }
    });
}
