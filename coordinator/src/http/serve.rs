//! The socket of the page: bounded connections, times for everything, TLS beyond the loopback.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::Router;
use hasami_proto::limits;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::guard::Hosts;
use super::patient::Patient;
use super::{HttpOptions, Web, pages};
use crate::coordinator::StartError;
use crate::server::{Doorman, Security, Tls, Tokens};
use crate::services::{RunCalls, Shared};

/// Connections at a time.
const MOST: usize = 2048;
/// Until the head of a request has arrived; also between two requests of one connection.
const HEAD: Duration = Duration::from_secs(10);
/// Until a peer has taken what was sent.
const UNREAD: Duration = Duration::from_secs(30);
/// The longest head of a request.
const HEAD_BYTES: usize = 16 << 10;
const HEADERS: usize = 64;
/// Requests that read files or draw at a time: a part of the machine, whatever browsers ask for.
const HEAVY: usize = 2;
/// Pause before accepting again when the system has no room for a connection.
const PAUSE: Duration = Duration::from_millis(100);
/// How long requests may take to end once the coordinator stops.
const GRACE: Duration = Duration::from_secs(2);

/// A running server.
pub(crate) struct HttpServer {
    address: SocketAddr,
    tls: bool,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl HttpServer {
    /// Where the page is.
    pub fn url(&self) -> String {
        let scheme = if self.tls { "https" } else { "http" };
        match self.address.ip() {
            ip if ip.is_unspecified() => format!("{scheme}://localhost:{}/", self.address.port()),
            _ => format!("{scheme}://{}/", self.address),
        }
    }

    /// Accepts nothing more, and gives what is under way a moment.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        // The task ends by itself within the grace.
        let _ = self.task.await;
    }
}

/// What the server needs of the coordinator.
pub(crate) struct Parts<'a> {
    pub shared: &'a Arc<Shared>,
    pub tokens: Tokens,
    pub doorman: Arc<Doorman>,
    pub data: &'a Path,
    pub names: &'a [String],
    pub insecure: bool,
    pub tls: Option<Tls>,
}

/// Binds the address and serves.
pub(crate) async fn start(
    options: HttpOptions,
    parts: Parts<'_>,
) -> Result<HttpServer, StartError> {
    let address = options.listen;
    let refused = |error| StartError::Listen { address, error };
    let socket = TcpListener::bind(address).await.map_err(refused)?;
    let address = socket.local_addr().map_err(refused)?;
    let security = Security::for_address(address.ip(), parts.insecure);
    let tls = match (security, parts.tls) {
        (Security::TokensAndTls, Some(tls)) => Some(tls),
        (Security::TokensAndTls, None) => {
            let names = names(address.ip(), parts.names);
            let tls = Tls::prepare(&parts.data.join("tls"), &names);
            Some(tls.map_err(|error| StartError::Keys(error.into()))?)
        }
        _ => None,
    };
    let acceptor = tls.as_ref().map(acceptor).transpose().map_err(StartError::Server)?;
    let web = Arc::new(Web {
        shared: Arc::clone(parts.shared),
        calls: RunCalls::new(Arc::clone(parts.shared)),
        tokens: parts.tokens,
        doorman: parts.doorman,
        artist: options.artist,
        lines: options.lines,
        version: options.version,
        snapshots: Default::default(),
        feeds: Default::default(),
        sessions: Default::default(),
        slots: Default::default(),
        pictures: Default::default(),
        traffic: Default::default(),
        heavy: Arc::new(Semaphore::new(HEAVY)),
        hosts: Hosts::new(parts.names),
        open: address.ip().to_canonical().is_loopback(),
        secure: acceptor.is_some(),
    });
    let (stop, stopped) = watch::channel(false);
    let tls = acceptor.is_some();
    let task = tokio::spawn(accept(socket, web, acceptor, stopped));
    Ok(HttpServer { address, tls, stop, task })
}

fn names(bound: IpAddr, hosts: &[String]) -> Vec<String> {
    let own = (!bound.is_unspecified()).then(|| bound.to_string());
    let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    hosts.iter().cloned().chain(own).chain(loopback).collect()
}

fn acceptor(tls: &Tls) -> Result<TlsAcceptor, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("the certificate of the page: {error}");
    let chain = CertificateDer::pem_slice_iter(tls.certificate.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| wrong(&error))?;
    let key = PrivateKeyDer::from_pem_slice(tls.key.as_bytes()).map_err(|error| wrong(&error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(&error))?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| wrong(&error))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn accept(
    socket: TcpListener,
    web: Arc<Web>,
    acceptor: Option<TlsAcceptor>,
    mut stopped: watch::Receiver<bool>,
) {
    let router = pages::router(&web);
    let all = MOST.min(files() / 4).max(16);
    let places = Arc::new(Semaphore::new(all));
    loop {
        let accepted = tokio::select! {
            accepted = socket.accept() => accepted,
            _ = stopped.changed() => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            web.traffic.crowded.fetch_add(1, Relaxed);
            continue;
        };
        let (router, acceptor) = (router.clone(), acceptor.clone());
        let (stopped, web) = (stopped.clone(), Arc::clone(&web));
        tokio::spawn(async move {
            web.traffic.connections.fetch_add(1, Relaxed);
            connection(stream, router, acceptor, stopped).await;
            web.traffic.connections.fetch_sub(1, Relaxed);
            drop(place);
        });
    }
    // Connections end by themselves: each watches for the stop.
    let _ = tokio::time::timeout(GRACE, async {
        while places.available_permits() < all {
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await;
}

/// A quarter of these are for browsers.
fn files() -> usize {
    rustix::process::getrlimit(rustix::process::Resource::Nofile)
        .current
        .map_or(MOST * 4, |most| usize::try_from(most).unwrap_or(MOST * 4))
}

async fn connection(
    stream: TcpStream,
    router: Router,
    acceptor: Option<TlsAcceptor>,
    stopped: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    match acceptor {
        None => serve(stream, router, stopped).await,
        Some(acceptor) => {
            let handshake = Duration::from_secs(limits::HANDSHAKE_SECONDS);
            if let Ok(Ok(stream)) = tokio::time::timeout(handshake, acceptor.accept(stream)).await {
                serve(stream, router, stopped).await;
            }
        }
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let stream = TokioIo::new(Patient::new(stream, UNREAD));
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_headers(HEADERS)
        .max_buf_size(HEAD_BYTES);
    let served = server.serve_connection(stream, TowerToHyperService::new(router));
    tokio::pin!(served);
    tokio::select! {
        // What goes wrong with a browser concerns nobody else.
        _ = &mut served => return,
        _ = stopped.wait_for(|stop| *stop) => {}
    }
    served.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(GRACE, served).await;
}
