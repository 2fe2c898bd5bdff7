//! Who makes a call.

use std::net::SocketAddr;
use std::sync::Arc;

use hasami_proto::Role;

/// The token behind a call. Every request that reaches a service has one in its extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The name of the token.
    pub name: Arc<str>,
    /// What it may do.
    pub role: Role,
    /// Where the call comes from.
    pub address: Option<SocketAddr>,
}

impl Caller {
    /// The caller of a request.
    ///
    /// # Panics
    /// If the request has not passed the guard: no service is reached in another way.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Self {
        request.extensions().get::<Self>().cloned().expect("a request that was let in")
    }
}
