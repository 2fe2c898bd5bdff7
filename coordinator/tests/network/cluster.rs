//! A server with the positions of a temporary store behind a real socket.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_coordinator::positions::{Bounds, Call, Callers, Positions};
use hasami_coordinator::server::{Health, Keys, Listener, Patience, Security, Server};
use hasami_proto::pack::{Packer, pack_problem, unpack};
use hasami_proto::v1::position_service_client::PositionServiceClient;
use hasami_proto::v1::{Caller, Records, SyncRequest, SyncResponse};
use hasami_proto::{Access, Authorized, Who, connect};
use hasami_store::{OpenOptions, Record, RocksStore, Store};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::metadata::AsciiMetadataValue;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

pub const PROBLEM: ProblemId = ProblemId(7);

/// Longer than anything takes that works at all, on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(60);

pub type Client = PositionServiceClient<Authorized>;

/// Opens the store of a data directory.
pub fn open(data: &Path) -> Arc<RocksStore> {
    let options = OpenOptions { create: true, ..OpenOptions::default() };
    Arc::new(RocksStore::open(data.join("store"), options).unwrap())
}

/// Lets everybody in, and counts them.
#[derive(Default)]
pub struct Everyone(pub AtomicU64);

#[tonic::async_trait]
impl Callers for Everyone {
    async fn check(&self, _: Call) -> Result<(), Status> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// A connection that buffers little. Ours widens its window as the network allows, and may take a
/// whole reply before anybody has read a byte of it.
pub fn narrow(access: &Access, token: Option<&str>) -> Narrow {
    let channel = Endpoint::from_shared(access.url.clone()).unwrap();
    let channel = channel.initial_stream_window_size(65_535).connect_lazy();
    let bearer: AsciiMetadataValue = format!("Bearer {}", token.unwrap()).parse().unwrap();
    InterceptedService::new(
        channel,
        Box::new(move |mut request: Request<()>| {
            request.metadata_mut().insert("authorization", bearer.clone());
            Ok(request)
        }),
    )
}

/// A channel with a token and a small window.
pub type Narrow = InterceptedService<
    Channel,
    Box<dyn FnMut(Request<()>) -> Result<Request<()>, Status> + Send + Sync>,
>;

/// A worker that calls.
pub fn caller(worker: u64) -> Option<Caller> {
    Some(Caller { worker, session: 7, leases: Vec::new() })
}

/// A server at work.
pub struct Cluster {
    pub access: Access,
    pub positions: Positions,
    pub health: Health,
    pub callers: Arc<Everyone>,
    pub data: TempDir,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Cluster {
    pub async fn start(security: Security) -> Self {
        Self::with_patience(security, Patience::default()).await
    }

    /// One that waits for as long as a test wants.
    pub async fn with_patience(security: Security, patience: Patience) -> Self {
        let data = tempfile::tempdir().unwrap();
        let store = open(data.path());
        Self::build(data, store, security, patience).await
    }

    /// Over a store that is given.
    pub async fn over(data: TempDir, store: Arc<dyn Store>, security: Security) -> Self {
        Self::build(data, store, security, Patience::default()).await
    }

    async fn build(
        data: TempDir,
        store: Arc<dyn Store>,
        security: Security,
        patience: Patience,
    ) -> Self {
        let listener = Listener::bind("127.0.0.1:0").await.unwrap();
        assert_ne!(listener.address().port(), 0, "the real port is told");
        let keys = Keys::prepare(data.path(), security, listener.address(), &[]).unwrap();
        let positions = Positions::start(store, Bounds::default()).unwrap();
        let (tokens, tls) = (keys.tokens(), keys.tls.clone());
        let server = Server::with_patience(listener, tokens, tls, patience).await;
        let callers = Arc::new(Everyone::default());
        let server = server.with(positions.service(Arc::clone(&callers) as Arc<dyn Callers>));
        let health = server.health();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Self { access: keys.access, positions, health, callers, data, stop: Some(stop), served }
    }

    pub fn worker(&self) -> Client {
        connect(&self.access, Who::Worker).unwrap().positions()
    }

    /// Ends it in good order; the data directory is left.
    pub async fn stop(mut self) -> TempDir {
        self.stop.take().unwrap().send(()).unwrap();
        self.served.await.unwrap().unwrap();
        self.data
    }
}

/// Keys of the range, all proven, with their number as work.
pub fn records(keys: impl IntoIterator<Item = u64>) -> Records {
    pack(keys.into_iter().map(|key| (Key(key.into()), Record::new(Numbers::PROVEN, key, 0))))
}

pub fn pack(records: impl IntoIterator<Item = (Key, Record)>) -> Records {
    let mut packer = Packer::new();
    for (key, record) in records {
        let mut bytes = Vec::new();
        record.encode(&mut bytes).unwrap();
        packer.push(key, &bytes).unwrap();
    }
    packer.take()
}

pub fn keys(records: &Records) -> Vec<u64> {
    unpack(records).unwrap().iter().map(|(key, _)| key.0 as u64).collect()
}

/// One exchange of a worker.
pub async fn sync(
    client: &mut Client,
    worker: u64,
    records: Records,
    after: u64,
) -> Result<SyncResponse, Status> {
    let request = SyncRequest {
        problem: pack_problem(PROBLEM),
        caller: caller(worker),
        records: Some(records),
        after,
        limit: 1 << 16,
        passing: None,
    };
    client.sync(request).await.map(tonic::Response::into_inner)
}
