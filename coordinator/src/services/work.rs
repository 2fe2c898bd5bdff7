//! The service for workers: converts messages and calls the core.

use std::sync::Arc;
use std::time::Duration;

use hasami_proto::v1::work_service_server::{WorkService, WorkServiceServer};
use hasami_proto::v1::{
    HandInRequest, HandInResponse, HeartbeatRequest, HeartbeatResponse, LeaveRequest,
    LeaveResponse, PutCertificateRequest, PutCertificateResponse, Receipt, ReceiptStatus,
    RegisterRequest, RegisterResponse, TakeRequest, TakeResponse,
};
use hasami_proto::{
    ConvertError, MAX_MESSAGE, Mark, Role, agree, introduced, limits, malformed, progress,
};
use hasami_unit::{Failure, FailureKind, Lease, Outcome};
use tokio::time::Instant;
use tonic::{Request, Response, Status, Streaming};

use super::Shared;
use crate::certificates::CertificateError;
use crate::core::{Commands, Introduction, WorkerId};
use crate::engine::State;
use crate::room::no_room;
use crate::server::{Caller, WORKER};

/// The longest wait for work or commands in one call.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Serves workers.
#[derive(Clone)]
pub struct WorkCalls(Arc<Shared>);

impl WorkCalls {
    /// The service, with limits on its messages.
    #[must_use]
    pub fn service(shared: Arc<Shared>) -> WorkServiceServer<Self> {
        WorkServiceServer::new(Self(shared))
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// Runs `call` if the worker is known. Both happen in one step of the engine: a worker cannot
    /// leave in between.
    async fn with_worker<T: Send + 'static>(
        &self,
        worker: WorkerId,
        session: u64,
        call: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, Status> {
        let known = move |state: &mut State| state.core.knows(worker, session).then(|| call(state));
        self.0.engine.call(known).await?.ok_or_else(|| {
            let text = "this worker is not known here: register again";
            Mark::UnknownWorker.on(Status::not_found(text))
        })
    }

    /// Replaces an answer whose certificates are not here by a failure. If nobody can say whether
    /// they are, the worker tries again later.
    fn check_certificates(&self, outcome: Outcome) -> Result<Outcome, Status> {
        let Outcome::Answer(answer) = &outcome else { return Ok(outcome) };
        let missing = |certificate| self.0.certificates.check(certificate).err();
        match answer.certificates.iter().find_map(missing) {
            None => Ok(outcome),
            Some(error @ CertificateError::Away { .. }) => Err(no_room(error.to_string())),
            Some(error) => {
                Ok(Outcome::Failure(Failure::new(FailureKind::Delivery, error.to_string())))
            }
        }
    }
}

fn invalid(error: ConvertError) -> Status {
    Status::invalid_argument(error.to_string())
}

fn deadline(wait_ms: u32) -> Instant {
    Instant::now() + Duration::from_millis(wait_ms.into()).min(LONGEST_WAIT)
}

fn certificate_status(error: &CertificateError) -> Status {
    match error {
        CertificateError::TooLarge { .. } | CertificateError::CutShort { .. } => {
            Status::invalid_argument(error.to_string())
        }
        CertificateError::Missing { .. } => Status::not_found(error.to_string()),
        // The certificate is not to blame: the worker keeps it and tries again.
        CertificateError::Io { .. } | CertificateError::Away { .. } => {
            tracing::warn!("not stored, and tried again: {error}");
            no_room(error.to_string())
        }
    }
}

#[tonic::async_trait]
impl WorkService for WorkCalls {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterResponse>, Status> {
        let caller = Caller::of(&request);
        let asked = request.into_inner();
        let protocol = agree(asked.protocol)?;
        let known = (asked.worker != 0).then_some((WorkerId(asked.worker), asked.session));
        let pid = asked.pid;
        let asked = introduced(asked).map_err(invalid)?;
        let held = asked.held;
        let about = Introduction {
            name: asked.name,
            host: asked.host,
            pid,
            threads: asked.threads,
            memory_mib: asked.memory_mib,
            labels: asked.labels,
            version: asked.version,
            address: caller.address.map_or_else(String::new, |address| address.to_string()),
            token: if *caller.name == *WORKER { String::new() } else { caller.name.to_string() },
            stranger: caller.role == Role::Stranger,
            caller: caller.name.to_string(),
        };
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
        Ok(Response::new(RegisterResponse {
            worker: registered.worker.0,
            session: registered.session,
            revoked: registered.revoked.into_iter().map(Into::into).collect(),
            heartbeat_ms: settings.heartbeat_ms as u32,
            coordinator_version: env!("CARGO_PKG_VERSION").to_string(),
            protocol,
        }))
    }

    async fn take(&self, request: Request<TakeRequest>) -> Result<Response<TakeResponse>, Status> {
        let TakeRequest { worker, session, want, wait_ms } = request.into_inner();
        let (worker, want) = (WorkerId(worker), want.min(limits::UNITS));
        let deadline = deadline(wait_ms);
        let wakes = Arc::clone(&self.0.wakes);
        loop {
            // Subscribe before asking, so that no news is missed in between.
            let news = wakes.work.notified();
            tokio::pin!(news);
            news.as_mut().enable();
            let take = move |state: &mut State| state.core.take(worker, want, state.now);
            let given = self.with_worker(worker, session, take).await?;
            if !given.is_empty() || want == 0 || Instant::now() >= deadline {
                let assignments = given.into_iter().map(Into::into).collect();
                return Ok(Response::new(TakeResponse { assignments }));
            }
            let _ = tokio::time::timeout_at(deadline, news).await;
        }
    }

    async fn hand_in(
        &self,
        request: Request<HandInRequest>,
    ) -> Result<Response<HandInResponse>, Status> {
        self.0.room.check()?;
        let HandInRequest { worker, session, outcomes } = request.into_inner();
        let worker = WorkerId(worker);
        if outcomes.len() > limits::OUTCOMES {
            let (found, most) = (outcomes.len(), limits::OUTCOMES);
            return Err(Status::invalid_argument(format!(
                "outcomes: found {found} entries; expected at most {most} of them"
            )));
        }
        // What cannot be read is refused by itself: the others count.
        let mut read = Vec::with_capacity(outcomes.len());
        for message in outcomes {
            let lease = message.lease;
            read.push(match <(Lease, Outcome)>::try_from(message) {
                Ok((lease, outcome)) => Ok((lease, self.check_certificates(outcome)?)),
                Err(error) => Err(malformed(lease, &error)),
            });
        }
        if read.iter().flatten().any(|(_, outcome)| matches!(outcome, Outcome::Search(_))) {
            // The outcomes rest on records in the store, which must survive a crash as well.
            self.0.positions.flush().await.map_err(|error| {
                Status::unavailable(format!("the store cannot be written: {error}"))
            })?;
        }
        let report = move |state: &mut State| -> Vec<Receipt> {
            let mut receipt = |(lease, outcome): (Lease, Outcome)| {
                let used = state.core.report(worker, lease, outcome, state.now, state.wall_ms);
                let status = ReceiptStatus::from(used).into();
                Receipt { lease: Some(lease.into()), status, message: String::new() }
            };
            let each = |read: Result<_, Receipt>| match read {
                Ok(outcome) => receipt(outcome),
                Err(refused) => refused,
            };
            read.into_iter().map(each).collect()
        };
        let receipts = self.with_worker(worker, session, report).await?;
        Ok(Response::new(HandInResponse { receipts }))
    }

    async fn heartbeat(
        &self,
        request: Request<HeartbeatRequest>,
    ) -> Result<Response<HeartbeatResponse>, Status> {
        let asked = request.into_inner();
        let worker = WorkerId(asked.worker);
        let progress = progress(asked.progress).map_err(invalid)?;
        let session = asked.session;
        let known = self
            .0
            .engine
            .call(move |state| {
                let known = state.core.knows(worker, session);
                if known {
                    state.core.heartbeat(worker, &progress, state.now);
                }
                known
            })
            .await?;
        if !known {
            let unknown_worker = true;
            return Ok(Response::new(HeartbeatResponse { unknown_worker, ..Default::default() }));
        }
        let wake = self.0.wakes.of(worker);
        let deadline = deadline(asked.wait_ms);
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
            if !commands.is_empty() || Instant::now() >= deadline {
                let leases = |set: std::collections::BTreeSet<Lease>| {
                    set.into_iter().map(Into::into).collect()
                };
                let Commands { cancelled, recalled, unbegun, look, others: _ } = commands;
                return Ok(Response::new(HeartbeatResponse {
                    cancelled: leases(cancelled),
                    recalled: leases(recalled),
                    unbegun: leases(unbegun),
                    look: leases(look),
                    unknown_worker: false,
                    others: others.into_iter().map(Into::into).collect(),
                }));
            }
            let _ = tokio::time::timeout_at(deadline, wake.notified()).await;
        }
    }

    async fn put_certificate(
        &self,
        request: Request<Streaming<PutCertificateRequest>>,
    ) -> Result<Response<PutCertificateResponse>, Status> {
        let mut pieces = request.into_inner();
        let first = pieces
            .message()
            .await?
            .ok_or_else(|| Status::invalid_argument("a certificate of no pieces"))?;
        let lease = first.lease.map(Lease::from);
        let lease = lease.ok_or_else(|| Status::invalid_argument("lease: missing"))?;
        let worker = WorkerId(first.worker);
        let holds = move |state: &mut State| state.core.holds(worker, lease);
        if !self.with_worker(worker, first.session, holds).await? {
            let text = format!("lease {lease}: not held by this worker");
            return Err(Status::failed_precondition(text));
        }
        self.0.room.check()?;
        let (send, receive) = std::sync::mpsc::sync_channel::<Vec<u8>>(8);
        let certificates = self.0.certificates.clone();
        let written = tokio::task::spawn_blocking(move || {
            let mut incoming = certificates.begin(&first.name)?;
            incoming.write(&first.data)?;
            let mut whole = false;
            for piece in receive {
                // An empty piece marks the regular end of the stream.
                whole = piece.is_empty();
                incoming.write(&piece)?;
            }
            if whole {
                incoming.finish()
            } else {
                Err(CertificateError::CutShort { name: first.name })
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
        let certificate = written.map_err(|error| certificate_status(&error))?;
        Ok(Response::new(PutCertificateResponse { certificate: Some(certificate.into()) }))
    }

    async fn leave(
        &self,
        request: Request<LeaveRequest>,
    ) -> Result<Response<LeaveResponse>, Status> {
        let LeaveRequest { worker, session } = request.into_inner();
        let worker = WorkerId(worker);
        self.with_worker(worker, session, move |state| state.core.leave(worker)).await?;
        self.0.wakes.forget(worker);
        Ok(Response::new(LeaveResponse {}))
    }
}
