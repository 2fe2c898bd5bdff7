//! A coordinator that does as it is told: real sockets, no scheduling.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use hasami_proto::v1::work_server::{Work, WorkServer};
use hasami_proto::v1::{
    Assignment, Certificate, CertificatePiece, ExchangeReply, ExchangeRequest, HeartbeatReply,
    HeartbeatRequest, LeaveReply, LeaveRequest, Outcome, Receipt, RegisterReply, RegisterRequest,
    outcome,
};
use hasami_proto::{Access, PROTOCOL, token, wrong_protocol};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, Streaming};

use crate::lease::Lease;

const TOKEN: &str = "the token of workers";
const SECRET: u64 = 4711;

/// What it has seen and what it is to do; outlives a restart, as a journal would.
#[derive(Default)]
pub struct Script {
    pub queue: VecDeque<Assignment>,
    pub registers: Vec<RegisterRequest>,
    pub heartbeats: Vec<HeartbeatRequest>,
    /// Outcomes as they came, the same one perhaps several times.
    pub outcomes: Vec<Outcome>,
    pub certificates: BTreeMap<String, Vec<u8>>,
    pub leaves: u32,
    /// Given to the next heartbeats.
    pub commands: Option<HeartbeatReply>,
    /// Of the leases that a worker comes back with.
    pub void: Vec<Lease>,
    /// So many replies to outcomes get lost.
    pub lose_receipts: u32,
    /// So many certificates are damaged on the way.
    pub damage: u32,
    /// Workers are known since they have registered with the present process.
    known: bool,
    pub protocol: Option<u32>,
}

impl Script {
    /// The first outcome of an item.
    pub fn outcome(&self, item: u32) -> Option<&outcome::Kind> {
        let of = |outcome: &&Outcome| outcome.lease.is_some_and(|lease| lease.item == item);
        self.outcomes.iter().find(of).and_then(|outcome| outcome.kind.as_ref())
    }
}

#[derive(Clone, Default)]
pub struct Coordinator(Arc<Mutex<Script>>);

impl Coordinator {
    pub fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap()
    }

    /// Starts a process, so to say. It forgets which workers it knows.
    pub fn start(&self, port: u16) -> Process {
        self.script().known = false;
        let runtime = Runtime::new().unwrap();
        let listener =
            runtime.block_on(TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)))).unwrap();
        let address = listener.local_addr().unwrap();
        let service = WorkServer::new(self.clone());
        runtime.spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener)),
        );
        Process { runtime: Some(runtime), address }
    }

    /// Lets `sleep` pass in small steps until there is something to say.
    async fn wait<T>(&self, ms: u32, look: impl Fn(&mut Script) -> Option<T>) -> Option<T> {
        for _ in 0..=ms / 5 {
            if let Some(found) = look(&mut self.script()) {
                return Some(found);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        None
    }
}

/// A coordinator that is up; killed when dropped, its connections with it.
pub struct Process {
    runtime: Option<Runtime>,
    address: SocketAddr,
}

impl Process {
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn access(&self) -> Access {
        let url = format!("http://{}", self.address);
        Access { url, worker_token: Some(TOKEN.to_string()), ..Access::default() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_millis(100));
        }
    }
}

fn authorized<T>(request: Request<T>) -> Result<T, Status> {
    let shown = request.metadata().get("authorization");
    let right = token::to_header(TOKEN).unwrap();
    match shown.is_some_and(|shown| shown.as_bytes() == right.as_bytes()) {
        true => Ok(request.into_inner()),
        false => Err(Status::unauthenticated("wrong token")),
    }
}

#[tonic::async_trait]
impl Work for Coordinator {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterReply>, Status> {
        let request = authorized(request)?;
        let mut script = self.script();
        if script.protocol.unwrap_or(PROTOCOL) != request.protocol {
            return Err(wrong_protocol(request.protocol));
        }
        script.known = true;
        let void = script.void.iter().copied().map(Into::into);
        let void = void.filter(|lease| request.held.contains(lease)).collect();
        script.registers.push(request);
        Ok(Response::new(RegisterReply {
            worker: 7,
            session: SECRET,
            void,
            heartbeat_ms: 100,
            lease_ms: 1500,
            coordinator: "the fake".to_string(),
        }))
    }

    async fn exchange(
        &self,
        request: Request<ExchangeRequest>,
    ) -> Result<Response<ExchangeReply>, Status> {
        let request = authorized(request)?;
        assert_eq!((request.worker, request.session), (7, SECRET));
        let mut reply = ExchangeReply::default();
        {
            let mut script = self.script();
            if !script.known {
                return Err(Status::not_found("this worker is not known here"));
            }
            for outcome in request.outcomes.iter().cloned() {
                let again = script.outcomes.iter().any(|known| known.lease == outcome.lease);
                let reason = if again { "the item is settled" } else { "" }.to_string();
                reply.receipts.push(Receipt { lease: outcome.lease, accepted: !again, reason });
                script.outcomes.push(outcome);
            }
            if !request.outcomes.is_empty() && script.lose_receipts > 0 {
                script.lose_receipts -= 1;
                return Err(Status::unavailable("the line was cut"));
            }
        }
        if request.want > 0 {
            let take = |script: &mut Script| {
                let many = script.queue.len().min(request.want as usize);
                (many > 0).then(|| script.queue.drain(..many).collect())
            };
            reply.assignments = self.wait(request.wait_ms, take).await.unwrap_or_default();
        }
        Ok(Response::new(reply))
    }

    async fn heartbeat(
        &self,
        request: Request<HeartbeatRequest>,
    ) -> Result<Response<HeartbeatReply>, Status> {
        let request = authorized(request)?;
        let wait_ms = request.wait_ms;
        {
            let mut script = self.script();
            if !script.known {
                return Ok(Response::new(HeartbeatReply { unknown: true, ..Default::default() }));
            }
            script.heartbeats.push(request);
        }
        let reply = self.wait(wait_ms, |script| script.commands.take()).await;
        Ok(Response::new(reply.unwrap_or_default()))
    }

    async fn put_certificate(
        &self,
        request: Request<Streaming<CertificatePiece>>,
    ) -> Result<Response<Certificate>, Status> {
        let mut pieces = request.into_inner();
        let (mut name, mut bytes) = (String::new(), Vec::new());
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            assert!(piece.data.len() <= 256 << 10);
            if piece.lease.is_some() {
                name = piece.name;
            }
            bytes.extend(piece.data);
        }
        let mut script = self.script();
        if script.damage > 0 {
            script.damage -= 1;
            bytes[0] ^= 1;
        }
        let digest = blake3::hash(&bytes).as_bytes().to_vec();
        let told = Certificate { name: name.clone(), digest, bytes: bytes.len() as u64 };
        script.certificates.insert(name, bytes);
        Ok(Response::new(told))
    }

    async fn leave(&self, request: Request<LeaveRequest>) -> Result<Response<LeaveReply>, Status> {
        authorized(request)?;
        self.script().leaves += 1;
        Ok(Response::new(LeaveReply {}))
    }
}
