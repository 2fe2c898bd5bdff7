//! The socket, bound before anything else is started: what it got is known, and told, first. Callers
//! are let in as long as there is room: a process that has no file descriptors left cannot write its
//! journal either, so that half of them are never given to callers.

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

/// Between two tries when the system has no room for a caller.
const PAUSE: Duration = Duration::from_millis(100);
/// Between two lines of the log about the same trouble.
const AGAIN: Duration = Duration::from_secs(60);
/// Callers at a time where the system does not say how many files may be open.
const USUAL: usize = 512;
/// However few that are.
const LEAST: usize = 8;

/// A bound socket that nobody serves yet: callers wait.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds an address; port 0 takes any that is free.
    ///
    /// # Errors
    /// When the system refuses: the port is taken, or the address is not of this machine.
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// The address, with the port that was really taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The callers, as they come. Those for whom there is no room wait until others have left.
    pub(super) fn incoming(self) -> ReceiverStream<io::Result<Caller>> {
        let (send, receive) = mpsc::channel(1);
        tokio::spawn(accept(self.socket, send, room()));
        ReceiverStream::new(receive)
    }
}

/// Lets callers in until nobody serves them any more.
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
                // Messages are small and awaited: none is held back to be sent with the next.
                let _ = caller.stream.set_nodelay(true);
                if callers.send(Ok(caller)).await.is_err() {
                    return;
                }
            }
            // A caller who has given up, or no descriptor for the next one: neither is an end.
            Err(error) => {
                if warning.is_due() {
                    tracing::warn!(%error, "a caller cannot be let in");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// When something that lasts was last told of.
#[derive(Default)]
struct LastWarning(Option<Instant>);

impl LastWarning {
    /// Whether to tell now: not more often than once a minute.
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

/// Somebody who has connected.
#[derive(Debug)]
pub struct Caller {
    stream: TcpStream,
    /// Free again when the connection is closed.
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
