//! The socket, bound before anything else is started: what it got is known, and told, first.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, ToSocketAddrs};
use tonic::transport::server::TcpIncoming;

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

    /// The callers, as they come. Messages are small and awaited: none is held back to be sent
    /// with the next.
    pub(super) fn incoming(self) -> TcpIncoming {
        TcpIncoming::from(self.socket).with_nodelay(Some(true))
    }
}
