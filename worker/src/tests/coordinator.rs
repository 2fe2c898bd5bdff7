//! A scripted coordinator: real sockets, no scheduling.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use hasami_proto::v1::work_service_server::{WorkService, WorkServiceServer};
use hasami_proto::v1::{
    Assignment, Certificate, HandInRequest, HandInResponse, HeartbeatRequest, HeartbeatResponse,
    LeaveRequest, LeaveResponse, Outcome, ProtocolRange, PutCertificateRequest,
    PutCertificateResponse, Receipt, ReceiptStatus, RegisterRequest, RegisterResponse, TakeRequest,
    TakeResponse, outcome,
};
use hasami_proto::{Access, Mark, PROTOCOL, token, wrong_protocol};
use hasami_unit::Lease;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, Streaming};

const TOKEN: &str = "the token of workers";
const SECRET: u64 = 4711;

/// What it has received and what it should do; survives a restart, as a journal would.
#[derive(Default)]
pub struct Script {
    pub queue: VecDeque<Assignment>,
    pub registers: Vec<RegisterRequest>,
    pub heartbeats: Vec<HeartbeatRequest>,
    /// Outcomes in order of arrival, possibly with repeats.
    pub outcomes: Vec<Outcome>,
    pub certificates: BTreeMap<String, Vec<u8>>,
    pub leaves: u32,
    /// Given to the next heartbeats.
    pub commands: Option<HeartbeatResponse>,
    /// Leases that are no longer needed when a worker registers again with them.
    pub revoked: Vec<Lease>,
    /// This many replies to outcomes get lost.
    pub lose_receipts: u32,
    /// The coordinator cannot read an answer to this item.
    pub unreadable: Option<u32>,
    /// This many certificates are damaged in transit.
    pub damage: u32,
    /// Whether the workers have registered with the current process.
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

    /// Simulates the start of a process. It forgets which workers it knows.
    pub fn start(&self, port: u16) -> Process {
        self.script().known = false;
        let runtime = Runtime::new().unwrap();
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], port)));
        let address = listener.local_addr().unwrap();
        let service = WorkServiceServer::new(self.clone());
        let entered = runtime.enter();
        let listener = TcpListener::from_std(listener).unwrap();
        drop(entered);
        runtime.spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener)),
        );
        Process { runtime: Some(runtime), address }
    }

    /// Whether the caller has registered with the current process.
    fn known(&self, worker: u64, session: u64) -> Result<(), Status> {
        assert_eq!((worker, session), (7, SECRET));
        if self.script().known {
            Ok(())
        } else {
            Err(Mark::UnknownWorker.on(Status::not_found("this worker is not known here")))
        }
    }

    /// Waits up to `ms` milliseconds, in small steps, until `look` finds something.
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

/// The previous process may need a moment to release its port.
fn bind(address: SocketAddr) -> std::net::TcpListener {
    for _ in 0..500 {
        if let Ok(listener) = std::net::TcpListener::bind(address) {
            listener.set_nonblocking(true).unwrap();
            return listener;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{address} is not to be had")
}

/// A running coordinator; killed on drop, with its connections.
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
            runtime.shutdown_background();
        }
    }
}

fn authorized<T>(request: Request<T>) -> Result<T, Status> {
    let shown = request.metadata().get("authorization");
    let right = token::to_header(TOKEN).unwrap();
    if shown.is_some_and(|shown| shown.as_bytes() == right.as_bytes()) {
        Ok(request.into_inner())
    } else {
        Err(Status::unauthenticated("wrong token"))
    }
}

#[tonic::async_trait]
impl WorkService for Coordinator {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterResponse>, Status> {
        let request = authorized(request)?;
        let mut script = self.script();
        let theirs = request.protocol.unwrap_or_default();
        if script.protocol.is_some_and(|spoken| spoken != theirs.newest) {
            return Err(wrong_protocol(theirs));
        }
        assert_eq!(theirs, ProtocolRange::OURS);
        script.known = true;
        let revoked = script.revoked.iter().copied().map(Into::into);
        let revoked = revoked.filter(|lease| request.held.contains(lease)).collect();
        script.registers.push(request);
        Ok(Response::new(RegisterResponse {
            worker: 7,
            session: SECRET,
            revoked,
            heartbeat_ms: 200,
            coordinator_version: "the fake".to_string(),
            protocol: PROTOCOL,
        }))
    }

    async fn take(&self, request: Request<TakeRequest>) -> Result<Response<TakeResponse>, Status> {
        let request = authorized(request)?;
        self.known(request.worker, request.session)?;
        let take = |script: &mut Script| {
            let many = script.queue.len().min(request.want as usize);
            (many > 0).then(|| script.queue.drain(..many).collect())
        };
        let assignments = self.wait(request.wait_ms, take).await.unwrap_or_default();
        Ok(Response::new(TakeResponse { assignments }))
    }

    async fn hand_in(
        &self,
        request: Request<HandInRequest>,
    ) -> Result<Response<HandInResponse>, Status> {
        let request = authorized(request)?;
        self.known(request.worker, request.session)?;
        let mut script = self.script();
        let unreadable = |outcome: &Outcome| {
            let item = outcome.lease.map(|lease| lease.item);
            item == script.unreadable && matches!(outcome.kind, Some(outcome::Kind::Answer(_)))
        };
        if request.outcomes.iter().any(unreadable) {
            return Err(Status::invalid_argument("what is this?"));
        }
        let mut receipts = Vec::new();
        for outcome in request.outcomes {
            let again = script.outcomes.iter().any(|known| known.lease == outcome.lease);
            let status = if again { ReceiptStatus::ItemEnded } else { ReceiptStatus::Accepted };
            let message = String::new();
            receipts.push(Receipt { lease: outcome.lease, status: status.into(), message });
            script.outcomes.push(outcome);
        }
        if script.lose_receipts > 0 {
            script.lose_receipts -= 1;
            return Err(Status::unavailable("the line was cut"));
        }
        Ok(Response::new(HandInResponse { receipts }))
    }

    async fn heartbeat(
        &self,
        request: Request<HeartbeatRequest>,
    ) -> Result<Response<HeartbeatResponse>, Status> {
        let request = authorized(request)?;
        let wait_ms = request.wait_ms;
        {
            let mut script = self.script();
            if !script.known {
                let unknown_worker = true;
                return Ok(Response::new(HeartbeatResponse {
                    unknown_worker,
                    ..Default::default()
                }));
            }
            script.heartbeats.push(request);
        }
        let reply = self.wait(wait_ms, |script| script.commands.take()).await;
        Ok(Response::new(reply.unwrap_or_default()))
    }

    async fn put_certificate(
        &self,
        request: Request<Streaming<PutCertificateRequest>>,
    ) -> Result<Response<PutCertificateResponse>, Status> {
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
        let stored = Certificate { name: name.clone(), digest, bytes: bytes.len() as u64 };
        script.certificates.insert(name, bytes);
        Ok(Response::new(PutCertificateResponse { certificate: Some(stored) }))
    }

    async fn leave(
        &self,
        request: Request<LeaveRequest>,
    ) -> Result<Response<LeaveResponse>, Status> {
        authorized(request)?;
        self.script().leaves += 1;
        Ok(Response::new(LeaveResponse {}))
    }
}
