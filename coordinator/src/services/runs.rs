//! The service for clients.

use std::collections::BTreeMap;
use std::sync::Arc;

use hasami_andor::ProblemId;
use hasami_proto::pack::{PackError, pack_problem, unpack_problem};
use hasami_proto::v1::run_service_server::{RunService, RunServiceServer};
use hasami_proto::v1::{
    CancelRequest, CancelResponse, CheckpointRequest, CheckpointResponse, ClearFaultRequest,
    ClearFaultResponse, DeleteRequest, DeleteResponse, Event, ExplainRequest, ExplainResponse,
    FaultInfo, GetCertificateRequest, GetCertificateResponse, HistoryEntry, ItemsRequest,
    ItemsResponse, ListRequest, ListResponse, PauseRequest, PauseResponse, ResumeRequest,
    ResumeResponse, RunInfo, ShowRequest, ShowResponse, StatusRequest, StatusResponse,
    SubmitRequest, SubmitResponse, WatchRequest, WatchResponse, WorkersRequest, WorkersResponse,
    event,
};
use hasami_proto::{ConvertError, MAX_MESSAGE, PROTOCOL, agree, limits};
use hasami_sweep::Sweep;
use hasami_sweep::text::{is_shown, line};
use hasami_unit::RunState;
use tokio::io::AsyncReadExt;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::batches::Batches;
use super::weights::weights;
use super::{Shared, delete, items, journal_status};
use crate::certificates::CertificateError;
use crate::core::{Core, HistoryRecord, ItemNo, RunId};
use crate::explain::{explain, left_open};
use crate::journal::JournalError;
use crate::view::{run_info, worker_info};

/// Damaged records that the status describes.
const DAMAGE_SHOWN: usize = 20;
/// The size of a piece of a certificate.
const PIECE: usize = 256 << 10;
/// Runs that a message names.
const NAMED: usize = 20;
/// Events that wait for a slow watcher; they are short.
const WAITING: usize = 64;

/// Serves clients.
#[derive(Clone)]
pub struct RunCalls(Arc<Shared>);

type Stream<T> = ReceiverStream<Result<T, Status>>;

impl RunCalls {
    /// The calls themselves, for the page.
    #[must_use]
    pub fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }

    /// The service, with limits on its messages.
    #[must_use]
    pub fn service(shared: Arc<Shared>) -> RunServiceServer<Self> {
        RunServiceServer::new(Self(shared))
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// Changes a run and returns its new state. 0 stands for the latest run.
    async fn with_run(
        &self,
        run: u64,
        change: impl FnOnce(&mut Core, RunId, u64) -> Result<(), String> + Send + 'static,
    ) -> Result<RunInfo, Status> {
        let speeds = Arc::clone(&self.0.speeds);
        self.0
            .engine
            .call(move |state| {
                let id = find(&state.core, run)?;
                change(&mut state.core, id, state.wall_ms).map_err(Status::failed_precondition)?;
                let speeds = speeds.lock().map_err(|_| Status::internal("speeds"))?;
                let run = state.core.run(id).ok_or_else(|| Status::not_found("the run is gone"))?;
                let sweep = run.sweep.text().to_string();
                Ok(RunInfo { sweep, ..run_info(&state.core, run, &speeds) })
            })
            .await?
    }
}

/// Problems with a contradiction: those that the store has met, and those that runs wait for.
fn faults(core: &Core, known: &BTreeMap<ProblemId, String>) -> BTreeMap<ProblemId, FaultInfo> {
    let info = |problem: ProblemId, text: &str| FaultInfo {
        problem: pack_problem(problem),
        text: text.to_string(),
        runs: Vec::new(),
    };
    let mut all: BTreeMap<ProblemId, FaultInfo> =
        known.iter().map(|(&problem, text)| (problem, info(problem, text))).collect();
    for run in core.runs() {
        let Some(problem) = run.fault else { continue };
        // The note of a run has the names of the senders.
        let fault = all.entry(problem).or_insert_with(|| info(problem, ""));
        fault.text.clone_from(&run.note);
        fault.runs.push(run.id.0);
    }
    all
}

/// A run by number; the latest for 0.
fn find(core: &Core, run: u64) -> Result<RunId, Status> {
    let found = match run {
        0 => core.runs().next_back(),
        number => core.run(RunId(number)),
    };
    found.map(|run| run.id).ok_or_else(|| {
        let latest = core.runs().rev().take(NAMED).map(|run| run.id.0.to_string());
        let there: Vec<String> = latest.collect();
        Status::not_found(match (run, there.is_empty()) {
            (_, true) => "there is no run yet".to_string(),
            _ => format!("there is no run {run}; the latest are {}", there.join(", ")),
        })
    })
}

/// Refuses a sweep whose texts cannot be shown. Escapes in the file can spell anything.
fn check_texts(sweep: &Sweep) -> Result<(), Status> {
    for text in sweep.texts() {
        if let Some(sign) = text.chars().find(|&sign| !is_shown(sign)) {
            let (text, number) = (line(text, limits::QUOTED), u32::from(sign));
            return Err(Status::invalid_argument(format!(
                "sweep: found the character U+{number:04X} in {text:?}; expected characters that \
                 can be shown"
            )));
        }
    }
    Ok(())
}

#[tonic::async_trait]
impl RunService for RunCalls {
    type ItemsStream = Batches<ItemsResponse>;
    type WatchStream = Stream<WatchResponse>;
    type GetCertificateStream = Batches<GetCertificateResponse>;

    async fn submit(
        &self,
        request: Request<SubmitRequest>,
    ) -> Result<Response<SubmitResponse>, Status> {
        let SubmitRequest { sweep, force, protocol } = request.into_inner();
        agree(protocol)?;
        self.0.room.check()?;
        let (journal, catalog) = (Arc::clone(&self.0.journal), self.0.catalog);
        let wrong = |error: ConvertError| Status::invalid_argument(error.to_string());
        let sweep = hasami_proto::sweep(sweep).map_err(wrong)?;
        let _found = self.0.answers.read().await;
        let read = tokio::task::spawn_blocking(move || {
            let sweep = Sweep::parse(catalog, &sweep, "sweep")
                .map_err(|errors| Status::invalid_argument(errors.to_string()))?;
            check_texts(&sweep)?;
            let known = if force || !sweep.reuses_answers() {
                Vec::new()
            } else {
                journal.known(&sweep).map_err(|error| journal_status(&error))?
            };
            // They are in order.
            let answered =
                |item: &ItemNo| known.binary_search_by_key(item, |(item, ..)| *item).is_ok();
            let weights =
                weights(&sweep, &journal, answered).map_err(|error| journal_status(&error))?;
            Ok::<_, Status>((Arc::new(sweep), known, weights))
        });
        let (sweep, known, weights) =
            read.await.map_err(|error| Status::internal(error.to_string()))??;
        let id = self
            .0
            .engine
            .call(move |state| {
                let id = state.core.submit(sweep, &known, force, state.wall_ms);
                state.core.weigh(id, &weights);
                id
            })
            .await?;
        let run = Some(self.with_run(id.0, |_, _, _| Ok(())).await?);
        Ok(Response::new(SubmitResponse { run }))
    }

    async fn list(&self, _: Request<ListRequest>) -> Result<Response<ListResponse>, Status> {
        let speeds = Arc::clone(&self.0.speeds);
        let runs = self
            .0
            .engine
            .call(move |state| {
                let speeds = speeds.lock().map_err(|_| Status::internal("speeds"))?;
                let info = |run| run_info(&state.core, run, &speeds);
                Ok::<_, Status>(state.core.runs().map(info).collect())
            })
            .await?;
        Ok(Response::new(ListResponse { runs: runs? }))
    }

    async fn show(&self, request: Request<ShowRequest>) -> Result<Response<ShowResponse>, Status> {
        let run = self.with_run(request.into_inner().run, |_, _, _| Ok(())).await?;
        Ok(Response::new(ShowResponse { run: Some(run) }))
    }

    async fn items(
        &self,
        request: Request<ItemsRequest>,
    ) -> Result<Response<Self::ItemsStream>, Status> {
        let request = request.into_inner();
        let run = request.run;
        let (id, sweep) = self
            .0
            .engine
            .call(move |state| {
                let id = find(&state.core, run)?;
                let run = state.core.run(id).ok_or_else(|| Status::not_found("gone"))?;
                Ok::<_, Status>((id, Arc::clone(&run.sweep)))
            })
            .await??;
        let wanted = items::Wanted::read(id, request)?;
        wanted.check(&sweep)?;
        let shared = Arc::clone(&self.0);
        let next = move |reading| items::batch(Arc::clone(&shared), reading);
        Ok(Response::new(Batches::read(items::Reading::new(wanted, sweep), next)))
    }

    async fn watch(
        &self,
        request: Request<WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let mut events = self.0.events.listen();
        let now = self.with_run(request.into_inner().run, |_, _, _| Ok(())).await?;
        let run = now.run;
        let first = self.0.events.event(event::Kind::Run(now));
        let (send, receive) = mpsc::channel(WAITING);
        tokio::spawn(async move {
            let mut missed = 0;
            let mut next = Some(first);
            loop {
                if let Some(event) = next.take() {
                    let of = match &event.kind {
                        Some(event::Kind::Run(info)) => info.run,
                        Some(event::Kind::Item(info)) => info.run,
                        None => 0,
                    };
                    if of == run {
                        let event = Event { missed: std::mem::take(&mut missed), ..event };
                        let response = WatchResponse { event: Some(event) };
                        if send.send(Ok(response)).await.is_err() {
                            return;
                        }
                    }
                }
                match events.recv().await {
                    Ok(event) => next = Some(event),
                    Err(RecvError::Lagged(count)) => missed += count,
                    Err(RecvError::Closed) => return,
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(receive)))
    }

    async fn pause(
        &self,
        request: Request<PauseRequest>,
    ) -> Result<Response<PauseResponse>, Status> {
        let run = request.into_inner().run;
        let run = self.with_run(run, |core, run, _| core.pause(run)).await?;
        Ok(Response::new(PauseResponse { run: Some(run) }))
    }

    async fn resume(
        &self,
        request: Request<ResumeRequest>,
    ) -> Result<Response<ResumeResponse>, Status> {
        let run = request.into_inner().run;
        let run = self.with_run(run, |core, run, _| core.resume(run)).await?;
        Ok(Response::new(ResumeResponse { run: Some(run) }))
    }

    async fn cancel(
        &self,
        request: Request<CancelRequest>,
    ) -> Result<Response<CancelResponse>, Status> {
        let run = request.into_inner().run;
        let cancel =
            |core: &mut Core, run, wall_ms| core.cancel(run, "cancelled by a client", wall_ms);
        let run = self.with_run(run, cancel).await?;
        Ok(Response::new(CancelResponse { run: Some(run) }))
    }

    async fn explain(
        &self,
        request: Request<ExplainRequest>,
    ) -> Result<Response<ExplainResponse>, Status> {
        let ExplainRequest { run, item } = request.into_inner();
        let item = ItemNo(item);
        let journal = Arc::clone(&self.0.journal);
        let (run, sweep, state, now) = self
            .0
            .engine
            .call(move |state| {
                let id = find(&state.core, run)?;
                let run = state.core.run(id).ok_or_else(|| Status::not_found("gone"))?;
                let Some(held) = run.item(item) else {
                    return Err(Status::not_found(format!(
                        "run {} has no item {}; its items are 0 to {}",
                        id.0,
                        item.0,
                        run.sweep.len().saturating_sub(1)
                    )));
                };
                let now = explain(&state.core, run, item);
                Ok((id, Arc::clone(&run.sweep), held, now))
            })
            .await??;
        let budget = sweep.search().budget;
        let read = tokio::task::spawn_blocking(move || {
            let info = items::info(&journal, run, &sweep, item, state)?;
            Ok::<_, JournalError>((info, journal.history(run, item)?))
        });
        let read = read.await.map_err(|error| Status::internal(error.to_string()))?;
        let (info, history) = read.map_err(|error| journal_status(&error))?;
        let line = |HistoryRecord { time_ms, text }| HistoryEntry { time_ms, text };
        let history = history.into_iter().map(line).collect();
        let now = match &info.answer {
            Some(answer) if info.state() == hasami_proto::v1::ItemState::Open && !info.reused => {
                left_open(budget, answer)
            }
            _ => now,
        };
        Ok(Response::new(ExplainResponse { item: Some(info), history, now }))
    }

    async fn workers(
        &self,
        _: Request<WorkersRequest>,
    ) -> Result<Response<WorkersResponse>, Status> {
        let speeds = Arc::clone(&self.0.speeds);
        let workers = self
            .0
            .engine
            .call(move |state| {
                let speeds = speeds.lock().map_err(|_| Status::internal("speeds"))?;
                let known = state.core.workers().filter(|(_, worker)| worker.present);
                let info = |(id, worker)| worker_info(&state.core, id, worker, &speeds, state.now);
                Ok::<_, Status>(known.map(info).collect())
            })
            .await?;
        Ok(Response::new(WorkersResponse { workers: workers? }))
    }

    async fn get_certificate(
        &self,
        request: Request<GetCertificateRequest>,
    ) -> Result<Response<Self::GetCertificateStream>, Status> {
        let GetCertificateRequest { name, digest, bytes } = request.into_inner();
        let wanted = hasami_proto::v1::Certificate { name, digest, bytes };
        let wanted = hasami_sweep::Certificate::try_from(wanted)
            .map_err(|error| Status::invalid_argument(error.to_string()))?;
        let missing = |error: &dyn std::fmt::Display| Status::not_found(error.to_string());
        let certificates = self.0.certificates.clone();
        let found = tokio::task::spawn_blocking(move || certificates.find(&wanted)).await;
        let found = found.map_err(|error| Status::internal(error.to_string()))?;
        let file = found.map_err(|error| match error {
            CertificateError::Away { .. } => Status::unavailable(error.to_string()),
            error => missing(&error),
        })?;
        let open = tokio::fs::File::open(file).await.map_err(|error| missing(&error))?;
        let next = |mut open: tokio::fs::File| async move {
            let mut data = Vec::with_capacity(PIECE);
            let read = (&mut open).take(PIECE as u64).read_to_end(&mut data).await;
            match read.map_err(|error| Status::data_loss(error.to_string()))? {
                0 => Ok::<_, Status>((open, Vec::new())),
                _ => Ok((open, vec![GetCertificateResponse { data }])),
            }
        };
        Ok(Response::new(Batches::read(open, next)))
    }

    async fn checkpoint(
        &self,
        request: Request<CheckpointRequest>,
    ) -> Result<Response<CheckpointResponse>, Status> {
        let name = request.into_inner().directory;
        let shared = Arc::clone(&self.0);
        let made = tokio::task::spawn_blocking(move || (shared.checkpoint)(&name));
        let made = made.await.map_err(|error| Status::internal(error.to_string()))?;
        let directory = made.map_err(Status::failed_precondition)?;
        Ok(Response::new(CheckpointResponse { directory }))
    }

    async fn delete(
        &self,
        request: Request<DeleteRequest>,
    ) -> Result<Response<DeleteResponse>, Status> {
        // It goes on if the caller goes away.
        let (shared, request) = (Arc::clone(&self.0), request.into_inner());
        let deleted = tokio::spawn(async move { delete::delete(&shared, request).await });
        let deleted = deleted.await.map_err(|error| Status::internal(error.to_string()))?;
        deleted.map(Response::new)
    }

    async fn clear_fault(
        &self,
        request: Request<ClearFaultRequest>,
    ) -> Result<Response<ClearFaultResponse>, Status> {
        let asked = request.into_inner().problem;
        let wrong = |error: PackError| Status::invalid_argument(error.to_string());
        let one = (!asked.is_empty()).then(|| unpack_problem(&asked).map_err(wrong)).transpose()?;
        let known = self.0.positions.faults();
        let waiting = self.0.engine.call(move |state| faults(&state.core, &known)).await?;
        let mut reply = ClearFaultResponse::default();
        for (problem, info) in waiting {
            if one.is_some_and(|one| one != problem) {
                continue;
            }
            // The records first: a run that goes on must not meet them again.
            let cleared = self.0.positions.clear(problem).await;
            cleared.map_err(|error| Status::failed_precondition(error.to_string()))?;
            reply.resumed.extend(
                self.0
                    .engine
                    .call(move |state| state.core.clear_fault(problem))
                    .await?
                    .into_iter()
                    .map(|run| run.0),
            );
            tracing::warn!(%problem, "records removed by a client: {}", info.text);
            reply.cleared.push(info);
        }
        match one {
            Some(problem) if reply.cleared.is_empty() => {
                Err(Status::not_found(format!("problem {problem} has no fault")))
            }
            _ => Ok(Response::new(reply)),
        }
    }

    async fn status(&self, _: Request<StatusRequest>) -> Result<Response<StatusResponse>, Status> {
        let (epoch, store) = (self.0.journal.epoch(), self.0.store.clone());
        let (damaged, damage) = self.0.journal.damage(DAMAGE_SHOWN);
        let known = self.0.positions.faults();
        let reply = self
            .0
            .engine
            .call(move |state| {
                let core = &state.core;
                let present = || core.workers().filter(|(_, worker)| worker.present);
                StatusResponse {
                    version: env!("CARGO_PKG_VERSION").to_string(),
                    protocol: PROTOCOL,
                    epoch,
                    uptime_ms: state.now.0,
                    runs: core.runs().count() as u64,
                    workers: present().count() as u32,
                    leases: present().map(|(_, worker)| worker.leases() as u32).sum(),
                    leases_granted: core.granted(),
                    store,
                    damaged,
                    damage,
                    unreadable_runs: core
                        .runs()
                        .filter(|run| run.state == RunState::Unreadable)
                        .count() as u64,
                    faults: faults(core, &known).into_values().collect(),
                }
            })
            .await?;
        Ok(Response::new(reply))
    }
}
