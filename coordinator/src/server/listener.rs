//! The socket, bound before anything else starts, so that its address is known and reported first.
//! Connections are limited to half of the file descriptors: a process without descriptors cannot
//! write its journal either. [`Doorman`] decides who stays.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::Connected;

use super::complaints::Complaints;
use super::doorman::{Connection, Doorman};

/// Pause before accepting again when the system has no room for a connection.
const PAUSE: Duration = Duration::from_millis(100);
/// Connection limit if the system does not report how many files may be open.
const USUAL: usize = 512;
/// Connections that are always allowed.
const LEAST: usize = 8;
/// Connections beyond which more descriptors change nothing.
const MOST: usize = 1 << 20;

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

    /// The stream of connections.
    pub(super) fn incoming(self, doorman: Arc<Doorman>) -> ReceiverStream<io::Result<Socket>> {
        let (send, receive) = mpsc::channel(1);
        tokio::spawn(accept(self.socket, send, doorman));
        ReceiverStream::new(receive)
    }
}

/// Accepts connections until the server is gone.
async fn accept(
    socket: TcpListener,
    callers: mpsc::Sender<io::Result<Socket>>,
    doorman: Arc<Doorman>,
) {
    let complaints = Complaints::default();
    loop {
        let accepted = tokio::select! {
            accepted = socket.accept() => accepted,
            () = callers.closed() => return,
        };
        match accepted {
            Ok((stream, address)) => {
                // Messages are small and awaited: none is delayed to be sent with the next (Nagle).
                let _ = stream.set_nodelay(true);
                let (connection, cut) = doorman.enter(address);
                let place = Place { connection, doorman: Arc::clone(&doorman) };
                if callers.send(Ok(Socket { stream, cut: Some(cut), place })).await.is_err() {
                    return;
                }
            }
            // The caller has given up, or there is no descriptor for the next one: keep accepting.
            Err(error) => {
                if let Some(left_out) = complaints.next() {
                    tracing::warn!(%error, left_out, "a caller cannot be let in");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Half of the files that may be open.
pub(super) fn room() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    most.map_or(USUAL, |most| most / 2).clamp(LEAST, MOST)
}

/// The place of a connection in the list; it is free when this is dropped.
struct Place {
    connection: Arc<Connection>,
    doorman: Arc<Doorman>,
}

/// An accepted connection.
pub(super) struct Socket {
    stream: TcpStream,
    /// Told when it has to end; `None` from then on.
    cut: Option<oneshot::Receiver<()>>,
    place: Place,
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.place.doorman.left(&self.place.connection);
    }
}

impl Connected for Socket {
    type ConnectInfo = Arc<Connection>;

    fn connect_info(&self) -> Arc<Connection> {
        Arc::clone(&self.place.connection)
    }
}

impl Socket {
    /// Fails once the connection has to end. Whatever the peer does, the task of the connection
    /// comes by here: it reads or writes, and is woken.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if let Some(cut) = &mut self.cut
            && Pin::new(cut).poll(context).is_ready()
        {
            self.cut = None;
        }
        match self.cut {
            Some(_) => Ok(()),
            None => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, bytes)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
