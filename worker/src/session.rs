//! This worker's registration with the coordinator. Every task that cannot reach the coordinator,
//! or is not known there, comes here; one of them registers and the others wait.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_proto::v1::position_service_client::PositionServiceClient;
use hasami_proto::v1::work_service_client::WorkServiceClient;
use hasami_proto::v1::{Param, ProtocolRange, RegisterRequest, RegisterResponse};
use hasami_proto::{Authorized, Backoff, Connection, Trouble};
use hasami_unit::Lease;
use tokio::sync::{Mutex, watch};
use tracing::{Span, debug, info, warn};

use crate::call::{timed, within};
use crate::error::WorkerError;
use crate::lease::lease_event;
use crate::lease_queue::LeaseQueue;
use crate::options::Options;
use crate::outage::{Outage, Say};

/// Time limit of a registration.
const LIMIT: Duration = Duration::from_secs(10);
/// Heartbeat interval if the coordinator does not name one.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// This worker's identity at the coordinator.
#[derive(Clone, Debug, Default)]
pub struct Registration {
    /// Its number; 0 before the first registration.
    pub worker: u64,
    /// The secret that goes with it.
    pub secret: u64,
    /// How often to report progress.
    pub heartbeat: Duration,
    /// The version of the coordinator.
    pub coordinator: String,
    /// How often this worker has registered.
    pub times: u64,
}

/// The connection to the coordinator.
pub struct Session {
    connection: Connection,
    url: String,
    about: RegisterRequest,
    queue: Arc<LeaseQueue>,
    current: watch::Sender<Registration>,
    /// Only one task registers at a time.
    registrar: Mutex<Registrar>,
}

struct Registrar {
    backoff: Backoff,
    outage: Outage,
}

impl Session {
    /// A session that is not registered yet.
    #[must_use]
    pub fn new(options: &Options, connection: Connection, queue: Arc<LeaseQueue>) -> Self {
        let labels = options.labels.iter().cloned();
        let about = RegisterRequest {
            protocol: Some(ProtocolRange::OURS),
            version: env!("CARGO_PKG_VERSION").to_string(),
            name: options.name.clone(),
            host: host(),
            pid: std::process::id(),
            threads: options.threads,
            memory_mib: options.memory_mib,
            labels: labels.map(|(name, value)| Param { name, value }).collect(),
            ..RegisterRequest::default()
        };
        let registrar =
            Registrar { backoff: Backoff::new(seed(options)), outage: Outage::default() };
        Self {
            connection,
            url: options.access.url.clone(),
            about,
            queue,
            current: watch::Sender::new(Registration::default()),
            registrar: Mutex::new(registrar),
        }
    }

    /// The service that hands out work.
    #[must_use]
    pub fn work(&self) -> WorkServiceClient<Authorized> {
        self.connection.work()
    }

    /// The shared transposition store.
    #[must_use]
    pub fn positions(&self) -> PositionServiceClient<Authorized> {
        self.connection.positions()
    }

    /// The current registration.
    #[must_use]
    pub fn current(&self) -> Registration {
        self.current.borrow().clone()
    }

    /// Waits for a registration newer than `seen`.
    pub async fn renewed(&self, seen: &Registration) {
        let mut changes = self.current.subscribe();
        // The sender is part of this session, so it cannot be gone.
        let _ = changes.wait_for(|current| current.times != seen.times).await;
    }

    /// The error for a refusal.
    #[must_use]
    pub fn refused(&self, trouble: &Trouble) -> Option<WorkerError> {
        match trouble {
            Trouble::Refused { why, message } => {
                let (url, message) = (self.url.clone(), message.clone());
                Some(WorkerError::Refused { url, why: *why, message })
            }
            _ => None,
        }
    }

    /// Registers again, unless another task has since `seen`; retries forever.
    ///
    /// # Errors
    /// If retrying cannot help.
    pub async fn register(&self, seen: &Registration) -> Result<(), WorkerError> {
        let mut registrar = self.registrar.lock().await;
        loop {
            let before = self.current();
            if before.times != seen.times {
                return Ok(());
            }
            match self.call(&before).await {
                Ok(reply) => {
                    self.registered(&before, reply, &mut registrar);
                    return Ok(());
                }
                Err(trouble) => {
                    if let Some(refused) = self.refused(&trouble) {
                        return Err(refused);
                    }
                    self.tell(&trouble, &before, &mut registrar.outage);
                    tokio::time::sleep(registrar.backoff.next()).await;
                }
            }
        }
    }

    async fn call(&self, before: &Registration) -> Result<RegisterResponse, Trouble> {
        let held = self.queue.read(|held| held.names()).into_iter().map(Into::into).collect();
        let (worker, session) = (before.worker, before.secret);
        let request = RegisterRequest { worker, session, held, ..self.about.clone() };
        within(LIMIT, self.work().register(timed(request, LIMIT))).await
    }

    fn registered(
        &self,
        before: &Registration,
        reply: RegisterResponse,
        registrar: &mut Registrar,
    ) {
        registrar.backoff.reset();
        if before.worker != reply.worker {
            // In every log line of this worker from here on.
            Span::current().record("worker", reply.worker);
        }
        let revoked: Vec<Lease> = reply.revoked.into_iter().map(Into::into).collect();
        let held = self.queue.read(|held| held.names()).len();
        let away = registrar.outage.over(Instant::now());
        match (before.times, away) {
            (0, waited) => {
                let waited = waited.map(tracing::field::debug);
                info!(
                    coordinator = reply.coordinator_version,
                    url = self.url,
                    waited,
                    "registered"
                );
            }
            (_, Some(away)) => info!(
                coordinator = reply.coordinator_version,
                ?away,
                held,
                revoked = revoked.len(),
                "the coordinator is there again"
            ),
            // The connection was cut for a while, or a reply was lost.
            (_, None) => info!(held, revoked = revoked.len(), "registered again"),
        }
        for &lease in &revoked {
            lease_event!(info, lease, "not wanted any more: given to another, or called off");
        }
        self.queue.cancel(revoked);
        let heartbeat = match reply.heartbeat_ms {
            0 => HEARTBEAT,
            ms => Duration::from_millis(ms.into()),
        };
        self.current.send_replace(Registration {
            worker: reply.worker,
            secret: reply.session,
            heartbeat,
            coordinator: reply.coordinator_version,
            times: before.times + 1,
        });
    }

    fn tell(&self, trouble: &Trouble, before: &Registration, outage: &mut Outage) {
        let held = self.queue.read(|held| held.len());
        match outage.failed(Instant::now()) {
            Say::Begun if before.times == 0 => warn!(
                url = self.url,
                "the coordinator cannot be reached yet, trying again: {trouble}"
            ),
            Say::Begun => warn!(
                url = self.url,
                held, "the coordinator cannot be reached, computing goes on: {trouble}"
            ),
            Say::Lasting(away) => warn!(
                url = self.url,
                held,
                ?away,
                "the coordinator still cannot be reached: {trouble}"
            ),
            Say::Nothing => debug!(url = self.url, "not registered: {trouble}"),
        }
    }
}

/// Workers that lost the coordinator together must not reconnect in step.
fn seed(options: &Options) -> u64 {
    let hash =
        blake3::hash(format!("{}/{}/{}", host(), std::process::id(), options.name).as_bytes());
    let (seed, _) = hash.as_bytes().split_first_chunk().expect("32 bytes");
    u64::from_le_bytes(*seed)
}

/// The host name, for display only.
fn host() -> String {
    let read = |path| std::fs::read_to_string(path).ok();
    let name = read("/proc/sys/kernel/hostname").or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "unknown".to_string(), |name| name.trim().to_string())
}
