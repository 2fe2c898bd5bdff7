//! The way to the coordinator that leads. Where several addresses are known, all are asked for their
//! health, which needs no token, and the one that serves gets the calls. A call is sent once: whether
//! it may be repeated is for its caller to decide.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{Request, Response};
use tokio::task::JoinSet;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tower::Service;

use crate::trouble::{Mark, Trouble};

/// How long one coordinator may take to say how it is.
const PROBE: Duration = Duration::from_secs(2);
/// Between two rounds of asking.
const PAUSE: Duration = Duration::from_millis(200);
/// A call that was given up after this long may have gone to one that is frozen.
const SILENT: Duration = Duration::from_secs(4);
/// No leader is known.
const UNKNOWN: usize = usize::MAX;

/// The coordinators that may lead. Clones share what they know.
#[derive(Clone)]
pub struct Route(Arc<Known>);

struct Known {
    channels: Vec<(String, Channel)>,
    /// The index of the leader.
    leader: AtomicUsize,
    /// One task looks for the leader, the others wait.
    looking: tokio::sync::Mutex<()>,
    /// How long to look for a leader before a call fails.
    patience: Duration,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.channels.iter().map(|(url, _)| url)).finish()
    }
}

impl Route {
    /// At least one channel, with its address.
    pub(crate) fn new(channels: Vec<(String, Channel)>, patience: Duration) -> Self {
        let leader = if channels.len() == 1 { 0 } else { UNKNOWN };
        Self(Arc::new(Known {
            channels,
            leader: AtomicUsize::new(leader),
            looking: tokio::sync::Mutex::default(),
            patience,
        }))
    }

    /// The channel of the first address.
    pub(crate) fn first(&self) -> Channel {
        self.0.channels[0].1.clone()
    }
}

impl Known {
    fn leader(&self) -> Option<usize> {
        Some(self.leader.load(Ordering::Relaxed)).filter(|at| *at != UNKNOWN)
    }

    /// The next call looks for the leader again.
    fn forget(&self, at: usize) {
        if self.channels.len() > 1 {
            let order = Ordering::Relaxed;
            // Another task may have found another leader meanwhile.
            let _ = self.leader.compare_exchange(at, UNKNOWN, order, order);
        }
    }

    async fn find(&self) -> Result<usize, Status> {
        if let Some(at) = self.leader() {
            return Ok(at);
        }
        let _turn = self.looking.lock().await;
        let began = Instant::now();
        loop {
            if let Some(at) = self.leader() {
                return Ok(at);
            }
            let why = match self.ask_all().await {
                Ok(at) => {
                    self.leader.store(at, Ordering::Relaxed);
                    return Ok(at);
                }
                Err(why) => why,
            };
            if began.elapsed() >= self.patience {
                return Err(Status::unavailable(format!("no coordinator leads: {why}")));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The first that serves, or what each of them says.
    async fn ask_all(&self) -> Result<usize, String> {
        let mut asked = JoinSet::new();
        for (at, (_, channel)) in self.channels.iter().enumerate() {
            let mut health = HealthClient::new(channel.clone());
            asked.spawn(async move {
                let check = health.check(HealthCheckRequest { service: String::new() });
                let said = match tokio::time::timeout(PROBE, check).await {
                    Ok(Ok(reply)) => match reply.into_inner().status() {
                        ServingStatus::Serving => Ok(()),
                        _ => Err("stands by, or starts".to_string()),
                    },
                    Ok(Err(status)) => Err(Trouble::from(&status).to_string()),
                    Err(_) => Err(format!("no reply within {PROBE:?}")),
                };
                (at, said)
            });
        }
        let mut why = vec![String::new(); self.channels.len()];
        while let Some(done) = asked.join_next().await {
            match done {
                Ok((at, Ok(()))) => return Ok(at),
                Ok((at, Err(said))) => why[at] = format!("{}: {said}", self.channels[at].0),
                // A task that has panicked says nothing: the others count.
                Err(_) => {}
            }
        }
        Err(why.join("; "))
    }
}

/// A call under way.
struct Underway {
    known: Arc<Known>,
    at: usize,
    began: Instant,
    answered: bool,
}

impl Drop for Underway {
    fn drop(&mut self) {
        if !self.answered && self.began.elapsed() > SILENT {
            self.known.forget(self.at);
        }
    }
}

impl Service<Request<Body>> for Route {
    type Response = Response<Body>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        // Which channel it will be is known in the call.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let known = Arc::clone(&self.0);
        Box::pin(async move {
            let at = known.find().await?;
            let mut channel = known.channels[at].1.clone();
            let (began, answered) = (Instant::now(), false);
            let mut underway = Underway { known: Arc::clone(&known), at, began, answered };
            let sent = async {
                std::future::poll_fn(|context| channel.poll_ready(context)).await?;
                channel.call(request).await
            };
            let replied = sent.await;
            underway.answered = true;
            match replied {
                Ok(response) => {
                    if Mark::NotLeader.is_in(response.headers()) {
                        known.forget(at);
                    }
                    Ok(response)
                }
                Err(error) => {
                    known.forget(at);
                    Err(error.into())
                }
            }
        })
    }
}
