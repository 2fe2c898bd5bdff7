//! The socket, bound before anything else starts, so that its address is known and reported first.
//! Connections are limited to half of the file descriptors: a process without descriptors cannot
//! write its journal either.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::{Connected, TcpConnectInfo};

/// Pause before accepting again when the system has no room for a connection.
const PAUSE: Duration = Duration::from_millis(100);
/// Pause between two log lines about the same problem.
const AGAIN: Duration = Duration::from_secs(60);
/// Connection limit if the system does not report how many files may be open.
const USUAL: usize = 512;
/// Connections that are always allowed.
const LEAST: usize = 8;

/// A bound socket that is not served yet: callers wait.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds an address; port 0 picks any free port.
    ///
    /// # Errors
    /// If the system refuses: the port is taken, or the address does not belong to this machine.
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// The address with the actual port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The stream of connections. Callers beyond the limit wait until others have left.
    pub(super) fn incoming(self) -> ReceiverStream<io::Result<Caller>> {
        let (send, receive) = mpsc::channel(1);
        tokio::spawn(accept(self.socket, send, room()));
        ReceiverStream::new(receive)
    }
}

/// Accepts connections until the server is gone.
async fn accept(socket: TcpListener, callers: mpsc::Sender<io::Result<Caller>>, room: usize) {
    let places = Arc::new(Semaphore::new(room));
    let mut warning = LastWarning::default();
    loop {
        if places.available_permits() == 0 && warning.is_due() {
            tracing::warn!(room, "as many callers as there is room for: others wait");
        }
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            let (stream, _) = socket.accept().await?;
            Ok(Caller { stream, _place: place })
        };
        let caller: io::Result<Caller> = tokio::select! {
            caller = next => caller,
            () = callers.closed() => return,
        };
        match caller {
            Ok(caller) => {
                // Messages are small and awaited: none is delayed to be sent with the next (Nagle).
                let _ = caller.stream.set_nodelay(true);
                if callers.send(Ok(caller)).await.is_err() {
                    return;
                }
            }
            // The caller has given up, or there is no descriptor for the next one: keep accepting.
            Err(error) => {
                if warning.is_due() {
                    tracing::warn!(%error, "a caller cannot be let in");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// The time of the last warning about a lasting problem.
#[derive(Default)]
struct LastWarning(Option<Instant>);

impl LastWarning {
    /// Whether to warn now: at most once a minute.
    fn is_due(&mut self) -> bool {
        let due = self.0.is_none_or(|last| last.elapsed() >= AGAIN);
        if due {
            self.0 = Some(Instant::now());
        }
        due
    }
}

/// Half of the files that may be open.
fn room() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    most.map_or(USUAL, |most| most / 2).clamp(LEAST, Semaphore::MAX_PERMITS)
}

/// An accepted connection.
#[derive(Debug)]
pub struct Caller {
    stream: TcpStream,
    /// Released when the connection closes.
    _place: OwnedSemaphorePermit,
}

impl Connected for Caller {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for Caller {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, bytes)
    }
}

impl AsyncWrite for Caller {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
