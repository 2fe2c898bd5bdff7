//! `hasami.v1.PositionService`, and the coordinator's own access to the store.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use hasami_andor::{Key, ProblemId};
use hasami_proto::MAX_MESSAGE;
use hasami_proto::pack::{MAX_RECORDS, Packer, unpack_keys};
use hasami_proto::v1::position_service_server::{PositionService, PositionServiceServer};
use hasami_proto::v1::{
    GetNotesRequest, GetNotesResponse, LoadRequest, LoadResponse, LookupRequest, LookupResponse,
    PutNotesRequest, PutNotesResponse, SyncRequest, SyncResponse,
};
use hasami_store::{Record, Store, StoreError};
use tokio::sync::{Semaphore, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::batch::{Batch, Origin, Published, problem};
use super::fault::{self, Fault};
use super::feeds::{Bounds, Feeds};
use super::writer::{Job, Writer};
use super::{load, notes};

/// Concurrent loads; others wait. Each holds a thread, which a slow reader blocks.
const LOADS: usize = 8;
/// Bytes of news in one reply.
const NEWS: usize = 4 << 20;

/// State shared by the writer and the calls.
pub(super) struct Shared {
    pub fault: Fault,
    feeds: Mutex<Feeds>,
    started: Instant,
}

impl Shared {
    /// Makes records available to other workers.
    pub fn tell(&self, published: &Published) {
        self.feeds().push(published, self.started.elapsed());
    }

    fn feeds(&self) -> std::sync::MutexGuard<'_, Feeds> {
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
            started: Instant::now(),
        });
        let writer = Writer::start(Arc::clone(&store), Arc::clone(&shared))?;
        let loads = Arc::new(Semaphore::new(LOADS));
        Ok(Self(Arc::new(Inner { writer, store, shared, loads })))
    }

    /// The gRPC service, with its limits.
    #[must_use]
    pub fn service(&self) -> PositionServiceServer<Self> {
        PositionServiceServer::new(self.clone())
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

    /// The permanent error of the store, if any.
    #[must_use]
    pub fn fault(&self) -> watch::Receiver<Option<StoreError>> {
        self.0.shared.fault.watch()
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
        self.0.shared.fault.check()?;
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
        answer.inspect_err(|error| self.0.shared.fault.notice(error))
    }

    pub(super) fn check(&self) -> Result<(), Status> {
        self.0.shared.fault.check().map_err(|error| fault::status(&error))
    }
}

#[tonic::async_trait]
impl PositionService for Positions {
    async fn sync(&self, request: Request<SyncRequest>) -> Result<Response<SyncResponse>, Status> {
        let request = request.into_inner();
        self.check()?;
        let (problem, origin) = (problem(&request.problem)?, Origin(request.worker));
        let batch = Batch::read(problem, origin, request.records.unwrap_or_default())?;
        let passing = Published::read(problem, origin, request.passing.unwrap_or_default())?;
        if !batch.records.is_empty() {
            let written = self.0.writer.ask(|done| Job::Publish(batch, done)).await;
            written.map_err(|error| fault::status(&error))?;
        }
        let shared = &self.0.shared;
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
        self.check()?;
        let problem = problem(&request.problem)?;
        let permit = Arc::clone(&self.0.loads)
            .acquire_owned()
            .await
            .map_err(|_| Status::unavailable("the coordinator is stopping"))?;
        let (store, shared) = (Arc::clone(&self.0.store), Arc::clone(&self.0.shared));
        let pieces = load::start(store, shared, problem, request.min_work, permit);
        Ok(Response::new(ReceiverStream::new(pieces)))
    }

    async fn lookup(
        &self,
        request: Request<LookupRequest>,
    ) -> Result<Response<LookupResponse>, Status> {
        let request = request.into_inner();
        let problem = problem(&request.problem)?;
        let keys = unpack_keys(&request.keys)
            .map_err(|error| Status::invalid_argument(error.to_string()))?;
        if keys.len() > MAX_RECORDS {
            return Err(Status::invalid_argument(format!(
                "{} keys at once, at most {MAX_RECORDS} are taken",
                keys.len()
            )));
        }
        let found = self.find(problem, keys.clone()).await;
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
        let notes = notes::find(self, request.into_inner()).await?;
        Ok(Response::new(GetNotesResponse { notes: Some(notes) }))
    }

    async fn put_notes(
        &self,
        request: Request<PutNotesRequest>,
    ) -> Result<Response<PutNotesResponse>, Status> {
        notes::keep(self, request.into_inner()).await?;
        Ok(Response::new(PutNotesResponse {}))
    }
}
