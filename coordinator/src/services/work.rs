//! The service for workers.

use std::sync::Arc;
use std::time::Duration;

use hasami_proto::v1::work_server::{Work, WorkServer};
use hasami_proto::v1::{
    Certificate, CertificatePiece, ExchangeReply, ExchangeRequest, HeartbeatReply,
    HeartbeatRequest, LeaveReply, LeaveRequest, Receipt, RegisterReply, RegisterRequest,
};
use hasami_proto::{MAX_MESSAGE, PROTOCOL, wrong_protocol};
use tonic::{Request, Response, Status, Streaming};

use super::Shared;
use super::messages::{assignment, lease, lease_message, others_message, outcome, progress};
use crate::certificates::CertificateError;
use crate::core::{self, Introduction, Outcome, WorkerId};

/// Nobody waits longer for work or commands in one call.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Units in one call.
const MOST_UNITS: u32 = 4096;

/// Serves workers.
#[derive(Clone)]
pub struct WorkService(Arc<Shared>);

impl WorkService {
    /// The service, with limits on its messages.
    #[must_use]
    pub fn new(shared: Arc<Shared>) -> WorkServer<Self> {
        WorkServer::new(Self(shared))
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    async fn known(&self, worker: WorkerId, session: u64) -> Result<bool, Status> {
        Ok(self.0.engine.call(move |state| state.core.knows(worker, session)).await?)
    }

    async fn require(&self, worker: WorkerId, session: u64) -> Result<(), Status> {
        match self.known(worker, session).await? {
            true => Ok(()),
            false => Err(Status::not_found("this worker is not known here: register again")),
        }
    }

    /// An answer whose certificates are not here is no answer.
    fn check_certificates(&self, outcome: Outcome) -> Outcome {
        let Outcome::Answer(answer) = &outcome else { return outcome };
        let missing = |certificate| self.0.certificates.check(certificate).err();
        match answer.certificates.iter().find_map(missing) {
            None => outcome,
            Some(error) => Outcome::Failed { message: error.to_string(), permanent: false },
        }
    }
}

fn certificate_status(error: &CertificateError) -> Status {
    match error {
        CertificateError::Name { .. } => Status::invalid_argument(error.to_string()),
        CertificateError::Missing { .. } => Status::not_found(error.to_string()),
        CertificateError::Io { .. } => Status::resource_exhausted(error.to_string()),
    }
}

#[tonic::async_trait]
impl Work for WorkService {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterReply>, Status> {
        let address = request.remote_addr().map_or_else(String::new, |a| a.to_string());
        let asked = request.into_inner();
        if asked.protocol != PROTOCOL {
            return Err(wrong_protocol(asked.protocol));
        }
        let held = asked.held.into_iter().map(|held| lease(Some(held)));
        let held = held.collect::<Result<Vec<_>, Status>>()?;
        let about = Introduction {
            name: asked.name,
            host: asked.host,
            pid: asked.pid,
            threads: asked.threads.max(1),
            memory_mib: asked.memory_mib,
            labels: asked.labels.into_iter().map(|label| (label.name, label.value)).collect(),
            version: asked.version,
            address,
        };
        let known = (asked.worker != 0).then_some((WorkerId(asked.worker), asked.session));
        let secret = hasami_proto::token::fresh_number()
            .map_err(|error| Status::internal(format!("no secret for the session: {error}")))?;
        let (registered, settings) = self
            .0
            .engine
            .call(move |state| {
                let core = &mut state.core;
                let registered = core.register(known, about, &held, secret, state.now);
                (registered, core.settings())
            })
            .await?;
        Ok(Response::new(RegisterReply {
            worker: registered.worker.0,
            session: registered.session,
            void: registered.void.into_iter().map(lease_message).collect(),
            heartbeat_ms: settings.heartbeat_ms as u32,
            lease_ms: settings.lease_ms as u32,
            coordinator: env!("CARGO_PKG_VERSION").to_string(),
        }))
    }

    async fn exchange(
        &self,
        request: Request<ExchangeRequest>,
    ) -> Result<Response<ExchangeReply>, Status> {
        let asked = request.into_inner();
        let worker = WorkerId(asked.worker);
        let mut outcomes = Vec::with_capacity(asked.outcomes.len());
        let mut searched = false;
        for message in asked.outcomes {
            let lease = lease(message.lease)?;
            let outcome = self.check_certificates(outcome(message.kind)?);
            searched |= matches!(outcome, Outcome::Search(..));
            outcomes.push((lease, outcome));
        }
        if searched {
            // What the searches found is in the store; it must be there after a crash as well.
            self.0.positions.flush().await.map_err(|error| {
                Status::unavailable(format!("the store cannot be written: {error}"))
            })?;
        }
        let want = asked.want.min(MOST_UNITS);
        let session = asked.session;
        let deadline = tokio::time::Instant::now()
            + Duration::from_millis(asked.wait_ms.into()).min(LONGEST_WAIT);
        let wakes = Arc::clone(&self.0.wakes);
        let mut receipts: Option<Vec<Receipt>> = None;
        let mut pending = Some(outcomes);
        loop {
            // Listening begins before asking, so that no news is missed in between.
            let news = wakes.work.notified();
            tokio::pin!(news);
            news.as_mut().enable();
            let handed_in = pending.take().unwrap_or_default();
            let answer = self
                .0
                .engine
                .call(move |state| {
                    let core = &mut state.core;
                    if !core.knows(worker, session) {
                        return None;
                    }
                    let receipts: Vec<Receipt> = handed_in
                        .into_iter()
                        .map(|(lease, outcome)| {
                            let told =
                                core.report(worker, lease, outcome, state.now, state.wall_ms);
                            let (accepted, reason) = match told {
                                core::Receipt::Accepted => (true, String::new()),
                                core::Receipt::Refused(why) => (false, why.to_string()),
                            };
                            Receipt { lease: Some(lease_message(lease)), accepted, reason }
                        })
                        .collect();
                    let split_ms = core.settings().split_ms;
                    let given = core.take(worker, want, state.now);
                    let given: Vec<_> =
                        given.into_iter().map(|given| assignment(given, split_ms)).collect();
                    Some((receipts, given))
                })
                .await?;
            let Some((told, assignments)) = answer else {
                return Err(Status::not_found("this worker is not known here: register again"));
            };
            let receipts = receipts.get_or_insert(told);
            let enough = want == 0 || !assignments.is_empty() || !receipts.is_empty();
            if enough || tokio::time::Instant::now() >= deadline {
                let receipts = std::mem::take(receipts);
                return Ok(Response::new(ExchangeReply { receipts, assignments }));
            }
            let _ = tokio::time::timeout_at(deadline, news).await;
        }
    }

    async fn heartbeat(
        &self,
        request: Request<HeartbeatRequest>,
    ) -> Result<Response<HeartbeatReply>, Status> {
        let asked = request.into_inner();
        let worker = WorkerId(asked.worker);
        let told = asked.progress.into_iter().map(progress);
        let told = told.collect::<Result<Vec<_>, Status>>()?;
        if !self.known(worker, asked.session).await? {
            return Ok(Response::new(HeartbeatReply { unknown: true, ..Default::default() }));
        }
        self.0.engine.call(move |state| state.core.heartbeat(worker, &told, state.now)).await?;
        let wake = self.0.wakes.of(worker);
        let deadline = tokio::time::Instant::now()
            + Duration::from_millis(asked.wait_ms.into()).min(LONGEST_WAIT);
        loop {
            let (commands, others) = self
                .0
                .engine
                .call(move |state| {
                    let commands = state.core.commands(worker);
                    let others = commands.others.iter();
                    let others = others.map(|&lease| (lease, state.core.others(lease)));
                    let others: Vec<_> = others.collect();
                    (commands, others)
                })
                .await?;
            if !commands.is_empty() || tokio::time::Instant::now() >= deadline {
                let leases = |set: std::collections::BTreeSet<core::Lease>| {
                    set.into_iter().map(lease_message).collect()
                };
                return Ok(Response::new(HeartbeatReply {
                    cancelled: leases(commands.cancelled),
                    recalled: leases(commands.recalled),
                    look: leases(commands.look),
                    unknown: false,
                    others: others.into_iter().map(others_message).collect(),
                }));
            }
            let _ = tokio::time::timeout_at(deadline, wake.notified()).await;
        }
    }

    async fn put_certificate(
        &self,
        request: Request<Streaming<CertificatePiece>>,
    ) -> Result<Response<Certificate>, Status> {
        let mut pieces = request.into_inner();
        let first = pieces
            .message()
            .await?
            .ok_or_else(|| Status::invalid_argument("a certificate of no pieces"))?;
        lease(first.lease)?;
        let (send, receive) = std::sync::mpsc::sync_channel::<Vec<u8>>(8);
        let certificates = self.0.certificates.clone();
        let written = tokio::task::spawn_blocking(move || {
            let mut incoming = certificates.begin(&first.name)?;
            incoming.write(&first.data)?;
            let mut whole = false;
            for piece in receive {
                // An empty piece says that the stream has ended well.
                whole = piece.is_empty();
                incoming.write(&piece)?;
            }
            match whole {
                true => incoming.finish(),
                false => Err(CertificateError::Missing {
                    name: first.name,
                    why: "it was cut short".to_string(),
                }),
            }
        });
        while let Some(piece) = pieces.message().await? {
            if !piece.data.is_empty() {
                let sender = send.clone();
                let sent = tokio::task::spawn_blocking(move || sender.send(piece.data)).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
        }
        let _ = tokio::task::spawn_blocking(move || send.send(Vec::new())).await;
        let written = written.await.map_err(|error| Status::internal(error.to_string()))?;
        written.map(Response::new).map_err(|error| certificate_status(&error))
    }

    async fn leave(&self, request: Request<LeaveRequest>) -> Result<Response<LeaveReply>, Status> {
        let LeaveRequest { worker, session } = request.into_inner();
        let worker = WorkerId(worker);
        self.require(worker, session).await?;
        self.0.engine.call(move |state| state.core.leave(worker)).await?;
        self.0.wakes.forget(worker);
        Ok(Response::new(LeaveReply {}))
    }
}
