//! The whole coordinator: data directory, engine, services, and the log.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hasami_proto::Access;
use hasami_store::StoreError;
use tokio::sync::{oneshot, watch};

use crate::certificates::Certificates;
use crate::checkpoint::{checkpoint, for_shipping};
use crate::core::{Millis, Settings, WorkerId};
use crate::engine::{Engine, EngineError, EngineThread};
use crate::http::{self, HttpServer};
use crate::journal::{Journal, JournalError};
use crate::leading;
use crate::log;
use crate::notify;
use crate::objects::Objects;
use crate::options::Options;
use crate::positions::{Bounds, Contradiction, Faults, Positions};
use crate::room::Room;
use crate::server::{ACCESS_FILE, Health, Keys, KeysError, Listener, Security, Server};
use crate::services::{
    AccessCalls, Events, Registered, RunCalls, Shared, Wakes, WorkCalls, finish_deletion,
    weigh_again,
};
use crate::shipping::{Shipping, keep_shipping};
use crate::speed::Speeds;
use crate::verify::Queue;

/// How often speeds are sampled.
const SAMPLE: Duration = Duration::from_secs(1);
/// Between two looks for an object store that is away at the start.
const AWAY: Duration = Duration::from_secs(2);
/// How long the engine may take to answer before the coordinator is called unhealthy.
const SILENT: Duration = Duration::from_secs(20);

/// Why a coordinator cannot start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The journal is unusable.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The scheduler has ended by itself.
    #[error(transparent)]
    Engine(#[from] EngineError),
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
    /// An option cannot be used.
    #[error("{0}")]
    Usage(String),
}

impl StartError {
    /// Whether another coordinator has taken over.
    #[must_use]
    pub fn is_deposed(&self) -> bool {
        matches!(
            self,
            Self::Journal(JournalError::Deposed { .. })
                | Self::Engine(EngineError::Journal(JournalError::Deposed { .. }))
        )
    }
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
    tasks: Vec<tokio::task::JoinHandle<()>>,
    claims: Queue,
    positions: Positions,
    journal: Arc<Journal>,
    http: Option<HttpServer>,
}

impl Coordinator {
    /// Opens the data directory, resumes from its contents, and serves.
    ///
    /// # Errors
    /// If the data is in use or damaged, or the address is not available.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let data = options.data.clone();
        let wrong = |error| StartError::Data { path: data.display().to_string(), error };
        private(&data).map_err(wrong)?;
        let shipping = options.elsewhere.shipping.clone().map(open_shipping).transpose()?;
        let (journal, listen) = match &options.elsewhere.journal {
            None => (Journal::open(&data.join("journal"))?, options.listen),
            Some(url) => leading::lead(url, &options).await?,
        };
        let journal = Arc::new(journal);
        let settings = Settings {
            lease_ms: options.lease.as_millis() as u64,
            heartbeat_ms: options.heartbeat.as_millis() as u64,
            ..Settings::default()
        };
        let core = journal.restore(options.catalog, settings, options.workers_return, Millis(0))?;
        let certificates = Certificates::open(&data.join("certificates")).map_err(wrong)?;
        certificates.remove_unfinished().map_err(wrong)?;
        let certificates = match &options.elsewhere.certificates {
            None => {
                if options.elsewhere.journal.is_some() {
                    tracing::warn!(
                        "certificates are on this machine alone, and lost with it: --certificates \
                         URL keeps them elsewhere"
                    );
                }
                certificates
            }
            Some(url) => keep_in(certificates, url).await?,
        };
        let store = match &options.store {
            Some(name) => hasami_store::connect(name)?,
            None => hasami_store::Engine::directory(data.join("store"))?,
        };
        let store_name = store.place().display().to_string();
        let positions = Positions::start(store.store(), Bounds::default()).map_err(wrong)?;

        let listener = match options.elsewhere.standby {
            true => leading::bind(listen).await?,
            false => Listener::bind(listen)
                .await
                .map_err(|error| StartError::Listen { address: listen, error })?,
        };
        let address = listener.address();
        let security = Security::for_address(address.ip(), options.insecure);
        let also = &options.elsewhere.also;
        let keys = Keys::prepare_with(&data, security, address, &options.names, also)?;
        if options.elsewhere.journal.is_some() {
            leading::keep(&data, &journal)?;
            let (data, journal) = (data.clone(), Arc::clone(&journal));
            keys.tokens().when_saved(Box::new(move || {
                leading::keep(&data, &journal).map_err(|error| error.to_string())
            }));
        }
        log::started(&core, &journal, address, security, &store_name, &data);

        let wakes = Arc::new(Wakes::default());
        let events = Events::default();
        let speeds = Arc::new(Mutex::new(Speeds::default()));
        let (fail, failure) = watch::channel(None);
        let claims = Queue::default();
        let listener_of_core = notify::listener(
            Arc::clone(&wakes),
            claims.clone(),
            events.clone(),
            Arc::clone(&speeds),
            Arc::clone(&journal),
        );
        let fail_engine = fail.clone();
        let failed = Box::new(move |error: &EngineError| {
            tracing::error!(%error, "nothing can be scheduled any more; stopping");
            fail_engine.send_replace(Some(error.to_string()));
        });
        let (engine, thread) = Engine::start(core, Arc::clone(&journal), listener_of_core, failed);
        let threads = options.verify_threads.max(1);
        let room = Room::of(&data);
        claims.start(threads, &engine, &certificates, &options.verifier, &room).map_err(wrong)?;
        let watcher = tokio::spawn(room.clone().watch(engine.clone()));
        let shared = Arc::new(Shared {
            engine: engine.clone(),
            checkpoint: checkpoint(
                options.checkpoints.unwrap_or_else(|| data.join("checkpoints")),
                Arc::clone(&journal),
                store.rocks(),
                certificates.clone(),
            ),
            catalog: options.catalog,
            journal: Arc::clone(&journal),
            positions: positions.clone(),
            certificates,
            room,
            wakes,
            events: events.clone(),
            speeds: Arc::clone(&speeds),
            store: store_name,
            answers: tokio::sync::RwLock::default(),
        });
        let shipper = shipping.map(|(objects, plan)| {
            let (shared, data) = (Arc::clone(&shared), data.clone());
            tokio::spawn(keep_shipping(objects, plan, move || for_shipping(&shared, &data)))
        });
        tokio::spawn(finish_deletion(Arc::clone(&shared)));
        tokio::spawn(weigh_again(Arc::clone(&shared)));
        let server = Server::new(listener, keys.tokens(), keys.tls.clone()).await;
        let doorman = server.doorman();
        let http = match options.http {
            None => None,
            Some(http_options) => {
                let parts = http::Parts {
                    shared: &shared,
                    tokens: keys.tokens(),
                    doorman: Arc::clone(&doorman),
                    data: &data,
                    names: &options.names,
                    insecure: options.insecure,
                    tls: keys.tls.clone(),
                };
                Some(http::start(http_options, parts).await?)
            }
        };
        let server = server
            .with(AccessCalls::service(Arc::clone(&shared), keys.tokens(), doorman))
            .with(WorkCalls::service(Arc::clone(&shared)))
            .with(RunCalls::service(Arc::clone(&shared)))
            .with(positions.service(Arc::new(Registered(engine.clone()))));
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
        let sampler =
            tokio::spawn(sample(engine.clone(), speeds, events, options.progress, health.clone()));
        tokio::spawn(unhealthy(failure.clone(), health));
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
            tasks: [sampler, watcher].into_iter().chain(shipper).collect(),
            claims,
            positions,
            journal,
            http,
        })
    }

    /// Where the page is, if there is one.
    #[must_use]
    pub fn page(&self) -> Option<String> {
        self.http.as_ref().map(HttpServer::url)
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
        if let Some(http) = self.http {
            http.stop().await;
        }
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
        let served = self.server.await;
        self.claims.close();
        self.engine.stop();
        let journal = self.journal;
        let joined = tokio::task::spawn_blocking(move || {
            let joined = self.thread.join();
            journal.close();
            joined
        })
        .await;
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

/// Creates a directory that only its owner can enter, or makes it so: it holds tokens, answers and
/// everything that was found.
fn private(directory: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let mode = std::fs::metadata(directory)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let directory_shown = directory.display();
        let owned = std::fs::Permissions::from_mode(mode & 0o700);
        match std::fs::set_permissions(directory, owned) {
            Ok(()) => tracing::warn!(directory = %directory_shown, found = format!("{mode:04o}"),
                "others could read the data directory; now only its owner can"),
            Err(error) => {
                tracing::warn!(directory = %directory_shown, found = format!("{mode:04o}"),
                "others can read the data directory, and this cannot be changed: {error}")
            }
        }
    }
    Ok(())
}

/// Keeps certificates in an object store. One that is away is waited for, as it is later.
async fn keep_in(certificates: Certificates, url: &str) -> Result<Certificates, StartError> {
    let usage = |why| StartError::Usage(format!("--certificates {why}"));
    let objects = Arc::new(Objects::open(url).map_err(usage)?);
    loop {
        let (certificates, objects) = (certificates.clone(), Arc::clone(&objects));
        let kept = tokio::task::spawn_blocking(move || certificates.keep_in(objects)).await;
        match kept.map_err(|error| StartError::Server(error.to_string()))? {
            Ok(certificates) => return Ok(certificates),
            Err(error) => tracing::error!("waiting for the store of certificates: {error}"),
        }
        tokio::time::sleep(AWAY).await;
    }
}

fn open_shipping(plan: Shipping) -> Result<(Arc<Objects>, Shipping), StartError> {
    let usage = |why| StartError::Usage(format!("--checkpoint-to {why}"));
    Ok((Arc::new(Objects::open(&plan.to).map_err(usage)?), plan))
}

/// Reports a failure as the end of health.
async fn unhealthy(mut failure: watch::Receiver<Option<String>>, health: Health) {
    if failure.wait_for(Option::is_some).await.is_ok() {
        health.stopping().await;
    }
}

/// Samples speeds, sends them to watchers, and logs progress lines. An engine that does not answer
/// is not healthy.
async fn sample(
    engine: Engine,
    speeds: Arc<Mutex<Speeds>>,
    events: Events,
    every: Duration,
    health: Health,
) {
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
        tokio::pin!(sampled);
        let answered = match tokio::time::timeout(SILENT, &mut sampled).await {
            Ok(answered) => answered,
            Err(_) => {
                tracing::error!("the scheduler has not answered for {SILENT:?}");
                health.stopping().await;
                let late = sampled.await;
                if late.is_ok() {
                    health.recovered().await;
                }
                late
            }
        };
        if answered.is_err() {
            return health.stopping().await;
        }
    }
}

/// Runs wait for what is wrong with the store: those of a problem with a contradiction, or all if
/// the store itself has failed. Nothing else stops.
fn watch_store(positions: &Positions, engine: &Engine) {
    let mut faults = positions.watch_faults();
    let engine = engine.clone();
    tokio::spawn(async move {
        while faults.changed().await.is_ok() {
            let Faults { store, problems } = faults.borrow_and_update().clone();
            let paused = engine.call(move |state| {
                let core = &mut state.core;
                if let Some(error) = store {
                    let all: Vec<_> = core.runs().map(|run| run.id).collect();
                    let note = format!("the store has failed: {error}");
                    let count = all.iter().filter(|id| core.pause_for(**id, &note, None)).count();
                    if count > 0 {
                        tracing::error!(runs = count, "runs are paused: {note}");
                    }
                }
                for (problem, Contradiction { key, senders }) in problems {
                    let names: Vec<String> =
                        senders.iter().map(|id| core.worker_name(WorkerId(*id))).collect();
                    let by = match names.as_slice() {
                        [] => "its senders are no longer known".to_string(),
                        [one] => format!("one by {one}, the other is no longer known"),
                        both => format!("by {}", both.join(" and ")),
                    };
                    let note = format!(
                        "state {key} of problem {problem} was told both proven and disproven, \
                         {by}; `hasami store clear-fault {problem}` removes its records and goes on"
                    );
                    let runs: Vec<u64> =
                        core.fault(problem, &note).into_iter().map(|run| run.0).collect();
                    if !runs.is_empty() || core.runs().all(|run| run.fault != Some(problem)) {
                        tracing::error!(?runs, "contradiction: {note}");
                    }
                }
            });
            if paused.await.is_err() {
                return;
            }
        }
    });
}
