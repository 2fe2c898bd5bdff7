//! The service for clients.

use std::sync::Arc;

use hasami_proto::v1::run_service_server::{RunService, RunServiceServer};
use hasami_proto::v1::{
    CancelRequest, CancelResponse, CheckpointRequest, CheckpointResponse, Event, ExplainRequest,
    ExplainResponse, GetCertificateRequest, GetCertificateResponse, HistoryEntry, ItemInfo,
    ItemsRequest, ItemsResponse, ListRequest, ListResponse, PauseRequest, PauseResponse,
    ResumeRequest, ResumeResponse, RunInfo, ShowRequest, ShowResponse, StatusRequest,
    StatusResponse, SubmitRequest, SubmitResponse, WatchRequest, WatchResponse, WorkersRequest,
    WorkersResponse, event,
};
use hasami_proto::{MAX_MESSAGE, PROTOCOL, agree};
use hasami_spec::ContentKey;
use hasami_sweep::{Answer, Sweep};
use hasami_unit::ItemState;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{Shared, journal_status};
use crate::core::{Core, HistoryRecord, ItemNo, Run, RunId};
use crate::explain::{explain, left_open};
use crate::journal::{Journal, JournalError};
use crate::view::{item_info, run_info, worker_info};

/// Keys looked up together.
const LOOKUP: usize = 4096;
/// The size of a piece of a certificate.
const PIECE: usize = 256 << 10;

/// Serves clients.
#[derive(Clone)]
pub struct RunCalls(Arc<Shared>);

type Stream<T> = ReceiverStream<Result<T, Status>>;

impl RunCalls {
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
                Ok(run_info(&state.core, run, &speeds))
            })
            .await?
    }
}

/// A run by number; the latest for 0.
fn find(core: &Core, run: u64) -> Result<RunId, Status> {
    let found = match run {
        0 => core.runs().next_back(),
        number => core.run(RunId(number)),
    };
    found.map(|run| run.id).ok_or_else(|| {
        let there: Vec<String> = core.runs().map(|run| run.id.0.to_string()).collect();
        Status::not_found(match (run, there.is_empty()) {
            (_, true) => "there is no run yet".to_string(),
            _ => format!("there is no run {run}; there are {}", there.join(", ")),
        })
    })
}

/// The items of a sweep that have answers: index, key, and whether it is settled.
fn known(
    sweep: &Sweep,
    journal: &Journal,
) -> Result<Vec<(ItemNo, ContentKey, bool)>, JournalError> {
    let mut known = Vec::new();
    let mut at = 0;
    while at < sweep.len() {
        let end = (at + LOOKUP).min(sweep.len());
        let questions: Vec<_> = (at..end).map(|item| sweep.item(item)).collect();
        let settled: Vec<ContentKey> = questions.iter().map(|q| q.settled_key()).collect();
        let open: Vec<ContentKey> = questions.iter().map(|q| q.open_key()).collect();
        let has_settled = journal.answered(&settled)?;
        let has_open = journal.answered(&open)?;
        for i in 0..questions.len() {
            let item = ItemNo((at + i) as u32);
            if has_settled[i] {
                known.push((item, settled[i], true));
            } else if has_open[i] {
                known.push((item, open[i], false));
            }
        }
        at = end;
    }
    Ok(known)
}

/// The items of a run with their answers.
fn items(journal: &Journal, run: &Items, send: &mpsc::Sender<Result<ItemsResponse, Status>>) {
    for item in (0..run.infos.len() as u32).map(ItemNo) {
        let info = run.info(journal, item).map(|item| ItemsResponse { item: Some(item) });
        if send.blocking_send(info.map_err(|error| journal_status(&error))).is_err() {
            return;
        }
    }
}

/// The items of a run at one moment.
struct Items {
    run: RunId,
    sweep: Arc<Sweep>,
    infos: Vec<(ItemState, u32, bool)>,
}

impl Items {
    fn of(run: &Run) -> Self {
        let infos = (0..run.sweep.len() as u32).filter_map(|item| run.item(ItemNo(item)));
        Self { run: run.id, sweep: Arc::clone(&run.sweep), infos: infos.collect() }
    }

    fn info(&self, journal: &Journal, item: ItemNo) -> Result<ItemInfo, JournalError> {
        let (state, attempts, reused) = self.infos[item.0 as usize];
        let (answer, failure) = ended(journal, self.run, item)?;
        Ok(item_info(self.run, &self.sweep, item, (state, attempts, reused), answer, failure))
    }
}

/// How an item ended, from the journal.
pub(crate) fn ended(
    journal: &Journal,
    run: RunId,
    item: ItemNo,
) -> Result<(Option<Answer>, String), JournalError> {
    let Some(record) = journal.item(run, item)? else { return Ok((None, String::new())) };
    let answer = record.answer.map(|key| journal.answer(key)).transpose()?.flatten();
    Ok((answer, record.failure))
}

#[tonic::async_trait]
impl RunService for RunCalls {
    type ItemsStream = Stream<ItemsResponse>;
    type WatchStream = Stream<WatchResponse>;
    type GetCertificateStream = Stream<GetCertificateResponse>;

    async fn submit(
        &self,
        request: Request<SubmitRequest>,
    ) -> Result<Response<SubmitResponse>, Status> {
        let SubmitRequest { sweep, force, protocol } = request.into_inner();
        agree(protocol)?;
        let (journal, catalog) = (Arc::clone(&self.0.journal), self.0.catalog);
        let read = tokio::task::spawn_blocking(move || {
            let sweep = Sweep::parse(catalog, &sweep, "sweep")
                .map_err(|errors| Status::invalid_argument(errors.to_string()))?;
            let known = if force || !sweep.reuses_answers() {
                Vec::new()
            } else {
                known(&sweep, &journal).map_err(|error| journal_status(&error))?
            };
            Ok::<_, Status>((Arc::new(sweep), known))
        });
        let (sweep, known) = read.await.map_err(|error| Status::internal(error.to_string()))??;
        let id = self
            .0
            .engine
            .call(move |state| state.core.submit(sweep, &known, force, state.wall_ms))
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
                let info =
                    |run| RunInfo { sweep: String::new(), ..run_info(&state.core, run, &speeds) };
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
        let run = request.into_inner().run;
        let snapshot = self
            .0
            .engine
            .call(move |state| {
                let id = find(&state.core, run)?;
                state.core.run(id).map(Items::of).ok_or_else(|| Status::not_found("gone"))
            })
            .await??;
        let (send, receive) = mpsc::channel(256);
        let journal = Arc::clone(&self.0.journal);
        tokio::task::spawn_blocking(move || items(&journal, &snapshot, &send));
        Ok(Response::new(ReceiverStream::new(receive)))
    }

    async fn watch(
        &self,
        request: Request<WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let mut events = self.0.events.listen();
        let now = self.with_run(request.into_inner().run, |_, _, _| Ok(())).await?;
        let run = now.run;
        let first = self.0.events.event(event::Kind::Run(now));
        let (send, receive) = mpsc::channel(64);
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
        let (items, now) = self
            .0
            .engine
            .call(move |state| {
                let id = find(&state.core, run)?;
                let run = state.core.run(id).ok_or_else(|| Status::not_found("gone"))?;
                if item.0 as usize >= run.sweep.len() {
                    return Err(Status::not_found(format!(
                        "run {} has no item {}; its items are 0 to {}",
                        id.0,
                        item.0,
                        run.sweep.len().saturating_sub(1)
                    )));
                }
                Ok((Items::of(run), explain(&state.core, run, item)))
            })
            .await??;
        let budget = items.sweep.search().budget;
        let read = tokio::task::spawn_blocking(move || {
            let info = items.info(&journal, item)?;
            Ok::<_, JournalError>((info, journal.history(items.run, item)?))
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
                let info = |(id, worker)| worker_info(id, worker, &speeds, state.now);
                Ok::<_, Status>(known.map(info).collect())
            })
            .await?;
        Ok(Response::new(WorkersResponse { workers: workers? }))
    }

    async fn get_certificate(
        &self,
        request: Request<GetCertificateRequest>,
    ) -> Result<Response<Self::GetCertificateStream>, Status> {
        let name = request.into_inner().name;
        let file = self.0.certificates.file(&name);
        let file = file.map_err(|error| Status::invalid_argument(error.to_string()))?;
        let mut open = std::fs::File::open(file)
            .map_err(|error| Status::not_found(format!("certificate {name}: {error}")))?;
        let (send, receive) = mpsc::channel(8);
        tokio::task::spawn_blocking(move || {
            use std::io::Read;
            loop {
                let mut data = Vec::with_capacity(PIECE);
                let piece = match (&mut open).take(PIECE as u64).read_to_end(&mut data) {
                    Ok(0) => return,
                    Ok(_) => Ok(GetCertificateResponse { data }),
                    Err(error) => Err(Status::data_loss(error.to_string())),
                };
                if send.blocking_send(piece).is_err() {
                    return;
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(receive)))
    }

    async fn checkpoint(
        &self,
        request: Request<CheckpointRequest>,
    ) -> Result<Response<CheckpointResponse>, Status> {
        let directory = request.into_inner().directory;
        let shared = Arc::clone(&self.0);
        let place = directory.clone();
        let made =
            tokio::task::spawn_blocking(move || (shared.checkpoint)(std::path::Path::new(&place)));
        let made = made.await.map_err(|error| Status::internal(error.to_string()))?;
        made.map_err(Status::failed_precondition)?;
        Ok(Response::new(CheckpointResponse { directory }))
    }

    async fn status(&self, _: Request<StatusRequest>) -> Result<Response<StatusResponse>, Status> {
        let (epoch, store) = (self.0.journal.epoch(), self.0.store.clone());
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
                }
            })
            .await?;
        Ok(Response::new(reply))
    }
}
