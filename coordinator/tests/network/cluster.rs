//! A server with the positions of a temporary store behind a real socket.

use std::path::Path;
use std::sync::Arc;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_coordinator::positions::{Bounds, Positions};
use hasami_coordinator::server::{Health, Keys, Listener, Security, Server};
use hasami_proto::pack::{Packer, pack_problem, unpack};
use hasami_proto::v1::position_service_client::PositionServiceClient;
use hasami_proto::v1::{Records, SyncRequest, SyncResponse};
use hasami_proto::{Access, Authorized, Who, connect};
use hasami_store::{OpenOptions, Record, RocksStore, Store};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::Status;

pub const PROBLEM: ProblemId = ProblemId(7);

pub type Client = PositionServiceClient<Authorized>;

/// Opens the store of a data directory.
pub fn open(data: &Path) -> Arc<RocksStore> {
    let options = OpenOptions { create: true, ..OpenOptions::default() };
    Arc::new(RocksStore::open(data.join("store"), options).unwrap())
}

/// A server at work.
pub struct Cluster {
    pub access: Access,
    pub positions: Positions,
    pub health: Health,
    pub data: TempDir,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Cluster {
    pub async fn start(security: Security) -> Self {
        let data = tempfile::tempdir().unwrap();
        let store = open(data.path());
        Self::over(data, store, security).await
    }

    /// Over a store that is given.
    pub async fn over(data: TempDir, store: Arc<dyn Store>, security: Security) -> Self {
        let listener = Listener::bind("127.0.0.1:0").await.unwrap();
        assert_ne!(listener.address().port(), 0, "the real port is told");
        let keys = Keys::prepare(data.path(), security, listener.address(), &[]).unwrap();
        let positions = Positions::start(store, Bounds::default()).unwrap();
        let server = Server::new(listener, keys.tokens(), keys.tls.clone()).await;
        let server = server.with(positions.service());
        let health = server.health();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Self { access: keys.access, positions, health, data, stop: Some(stop), served }
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
        worker,
        records: Some(records),
        after,
        limit: 1 << 16,
        passing: None,
    };
    client.sync(request).await.map(tonic::Response::into_inner)
}
