//! `hasami.v1.PositionService`, and the coordinator's own access to the store.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use hasami_andor::{Key, ProblemId};
use hasami_proto::pack::{MAX_RECORDS, Packer, unpack_keys};
use hasami_proto::v1::position_service_server::{PositionService, PositionServiceServer};
use hasami_proto::v1::{
    GetNotesRequest, GetNotesResponse, LoadRequest, LoadResponse, LookupRequest, LookupResponse,
    PutNotesRequest, PutNotesResponse, SyncRequest, SyncResponse,
};
use hasami_proto::{MAX_MESSAGE, limits};
use hasami_store::{Record, Store, StoreError};
use tokio::sync::{Semaphore, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::batch::{Batch, Origin, Published, problem};
use super::callers::{Callers, Door};
use super::fault::{self, Fault, Faults};
use super::feeds::{Bounds, Feeds};
use super::senders::Senders;
use super::writer::{Job, Writer};
use super::{load, notes};

/// Concurrent loads. Each holds a thread, which a slow reader blocks until it is cut off; one caller
/// has a part of them only.
const LOADS: usize = limits::ALL_LOADS;
/// Bytes of news in one reply.
const NEWS: usize = 4 << 20;

/// State shared by the writer and the calls.
pub(super) struct Shared {
    pub fault: Fault,
    feeds: Mutex<Feeds>,
    senders: Mutex<Senders>,
    started: Instant,
}

impl Shared {
    /// Stores an error of the store if it is permanent.
    pub fn notice(&self, error: &StoreError) {
        self.fault.notice(error, || match error {
            &StoreError::Contradiction { problem, key } => self.senders().who(problem, key),
            _ => None,
        });
    }

    fn senders(&self) -> MutexGuard<'_, Senders> {
        // A half-updated list names fewer senders, which is harmless.
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes records available to other workers.
    pub fn tell(&self, published: &Published) {
        self.feeds().push(published, self.started.elapsed());
    }

    fn feeds(&self) -> MutexGuard<'_, Feeds> {
        // A half-updated feed may deliver too few records, which is harmless.
        self.feeds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Inner {
    // First field: dropped before the store that it writes to.
    writer: Writer,
    store: Arc<dyn Store>,
    shared: Arc<Shared>,
    loads: Arc<Semaphore>,
}

/// The shared store of a coordinator. Clones share it; dropping the last one writes everything that
/// was accepted.
#[derive(Clone)]
pub struct Positions(Arc<Inner>);

impl Positions {
    /// Starts the writing thread.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn start(store: Arc<dyn Store>, bounds: Bounds) -> io::Result<Self> {
        // Fewer than a million records arrive per second, so the microseconds since 1970 exceed
        // every number of an earlier process.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let head = u64::try_from(since.as_micros()).unwrap_or(u64::MAX / 2);
        let shared = Arc::new(Shared {
            fault: Fault::none(),
            feeds: Mutex::new(Feeds::new(bounds, head)),
            senders: Mutex::default(),
            started: Instant::now(),
        });
        let writer = Writer::start(Arc::clone(&store), Arc::clone(&shared))?;
        let loads = Arc::new(Semaphore::new(LOADS));
        Ok(Self(Arc::new(Inner { writer, store, shared, loads })))
    }

    /// The gRPC service for these callers, with its limits.
    #[must_use]
    pub fn service(&self, callers: Arc<dyn Callers>) -> PositionServiceServer<PositionCalls> {
        let calls = PositionCalls { positions: self.clone(), door: Arc::new(Door::new(callers)) };
        PositionServiceServer::new(calls)
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// Makes everything durable that was accepted before this call. A worker's report may be
    /// acknowledged only after this: its verdict rests on the records that the worker published.
    ///
    /// # Errors
    /// If the store has failed, now or before.
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.0.writer.ask(Job::Flush).await
    }

    /// Lasting failures, as they come.
    #[must_use]
    pub fn watch_faults(&self) -> watch::Receiver<Faults> {
        self.0.shared.fault.watch()
    }

    /// Problems with a contradiction, in words.
    #[must_use]
    pub fn faults(&self) -> BTreeMap<ProblemId, String> {
        let faults = self.watch_faults();
        let faults = faults.borrow();
        let text = |(&problem, found): (&ProblemId, &super::Contradiction)| {
            let error = StoreError::Contradiction { problem, key: found.key };
            (problem, error.to_string())
        };
        faults.problems.iter().map(text).collect()
    }

    /// Removes the records of a problem and its contradiction.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn clear(&self, problem: ProblemId) -> Result<(), StoreError> {
        self.aside(move |store| store.forget(problem)).await?;
        let shared = &self.0.shared;
        shared.senders().forget(problem);
        shared.feeds().forget(problem);
        shared.fault.clear(problem);
        Ok(())
    }

    /// Records of some states, in their order.
    ///
    /// # Errors
    /// If the store has failed, now or before.
    pub async fn find(
        &self,
        problem: ProblemId,
        keys: Vec<Key>,
    ) -> Result<Vec<Option<Record>>, StoreError> {
        self.0.shared.fault.check(problem)?;
        self.aside(move |store| {
            let mut found = Vec::new();
            store.lookup(problem, &keys, &mut found).map(|()| found)
        })
        .await
    }

    /// Calls the store on a thread that may block.
    pub(super) async fn aside<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Arc::clone(&self.0.store);
        let answer = tokio::task::spawn_blocking(move || ask(&*store)).await;
        let answer = answer.unwrap_or_else(|error| {
            Err(StoreError::Io { path: "positions".into(), detail: error.to_string() })
        });
        answer.inspect_err(|error| self.0.shared.notice(error))
    }

    pub(super) fn check_store(&self) -> Result<(), Status> {
        self.0.shared.fault.check_store().map_err(|error| fault::status(&error))
    }

    fn check(&self, problem: ProblemId) -> Result<(), Status> {
        self.0.shared.fault.check(problem).map_err(|error| fault::status(&error))
    }
}

/// The calls of workers.
pub struct PositionCalls {
    positions: Positions,
    door: Arc<Door>,
}

#[tonic::async_trait]
impl PositionService for PositionCalls {
    async fn sync(&self, request: Request<SyncRequest>) -> Result<Response<SyncResponse>, Status> {
        let request = request.into_inner();
        let problem = problem(&request.problem)?;
        let worker = self.door.check(request.caller, Some(problem)).await?;
        let (inner, origin) = (&self.positions.0, Origin(worker));
        self.positions.check(problem)?;
        let batch = Batch::read(problem, origin, request.records.unwrap_or_default())?;
        let passing = Published::read(problem, origin, request.passing.unwrap_or_default())?;
        if !batch.records.is_empty() {
            let noted = inner.shared.senders().note(problem, worker, &batch.records);
            if let Err(found) = noted {
                // One who contradicts itself proves nothing against others: it is not listened to.
                if found.senders.iter().all(|sender| *sender == worker) {
                    let key = found.key;
                    tracing::warn!(worker, %problem, %key, "a worker contradicts itself");
                    return Err(Status::invalid_argument(format!(
                        "state {key} of problem {problem}: this worker has said the opposite"
                    )));
                }
                inner.shared.fault.contradiction(problem, || found);
                self.positions.check(problem)?;
            }
            let written = inner.writer.ask(|done| Job::Publish(batch, done)).await;
            written.map_err(|error| fault::status(&error))?;
        }
        let shared = &inner.shared;
        if passing.count > 0 {
            shared.tell(&passing);
        }
        let limit = MAX_RECORDS.min(request.limit as usize);
        let now = shared.started.elapsed();
        let (news, min_work, others) =
            shared.feeds().since(problem, request.after, origin, limit, NEWS, now);
        Ok(Response::new(SyncResponse {
            records: Some(news.records),
            sequence: news.sequence,
            more: news.more,
            min_work,
            others: others as u32,
        }))
    }

    type LoadStream = ReceiverStream<Result<LoadResponse, Status>>;

    async fn load(
        &self,
        request: Request<LoadRequest>,
    ) -> Result<Response<Self::LoadStream>, Status> {
        let request = request.into_inner();
        let problem = problem(&request.problem)?;
        self.door.check(request.caller, Some(problem)).await?;
        self.positions.check(problem)?;
        let inner = &self.positions.0;
        let permit = Arc::clone(&inner.loads)
            .acquire_owned()
            .await
            .map_err(|_| Status::unavailable("the coordinator is stopping"))?;
        let (store, shared) = (Arc::clone(&inner.store), Arc::clone(&inner.shared));
        let pieces = load::start(store, shared, problem, request.min_work, permit);
        Ok(Response::new(ReceiverStream::new(pieces)))
    }

    async fn lookup(
        &self,
        request: Request<LookupRequest>,
    ) -> Result<Response<LookupResponse>, Status> {
        let request = request.into_inner();
        let problem = problem(&request.problem)?;
        self.door.check(request.caller, Some(problem)).await?;
        let keys = unpack_keys(&request.keys)
            .map_err(|error| Status::invalid_argument(error.to_string()))?;
        if keys.len() > MAX_RECORDS {
            return Err(Status::invalid_argument(format!(
                "{} keys at once, at most {MAX_RECORDS} are taken",
                keys.len()
            )));
        }
        let found = self.positions.find(problem, keys.clone()).await;
        let found = found.map_err(|error| fault::status(&error))?;
        let (mut packer, mut bytes) = (Packer::new(), Vec::new());
        for (key, record) in keys.into_iter().zip(found) {
            let Some(record) = record else { continue };
            bytes.clear();
            record.encode(&mut bytes).map_err(|error| Status::data_loss(error.to_string()))?;
            packer.push(key, &bytes).map_err(|error| Status::internal(error.to_string()))?;
        }
        Ok(Response::new(LookupResponse { records: Some(packer.take()) }))
    }

    async fn get_notes(
        &self,
        request: Request<GetNotesRequest>,
    ) -> Result<Response<GetNotesResponse>, Status> {
        let mut request = request.into_inner();
        self.door.check(request.caller.take(), None).await?;
        let notes = notes::find(&self.positions, request).await?;
        Ok(Response::new(GetNotesResponse { notes: Some(notes) }))
    }

    async fn put_notes(
        &self,
        request: Request<PutNotesRequest>,
    ) -> Result<Response<PutNotesResponse>, Status> {
        let mut request = request.into_inner();
        self.door.check(request.caller.take(), None).await?;
        notes::keep(&self.positions, request).await?;
        Ok(Response::new(PutNotesResponse {}))
    }
}
