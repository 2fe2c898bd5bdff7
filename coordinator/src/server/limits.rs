//! Limits of one connection: no caller can starve the others.

use std::time::Duration;

use hasami_proto::{KEEPALIVE, limits};
use tonic::transport::Server;

/// Calls that the coordinator itself has reset and still remembers.
const OWN_RESETS: usize = 1024;

/// A server with limits for every connection and keep-alive for silent peers. Each service limits
/// the size of its messages, and the layer before them the rest.
#[must_use]
pub fn limited() -> Server {
    Server::builder()
        .concurrency_limit_per_connection(limits::STREAMS as usize)
        .max_concurrent_streams(limits::STREAMS)
        .http2_max_pending_accept_reset_streams(Some(limits::RESETS))
        .http2_max_local_error_reset_streams(Some(OWN_RESETS))
        .http2_max_header_list_size(limits::HEADERS)
        .http2_adaptive_window(Some(true))
        .http2_keepalive_interval(Some(KEEPALIVE))
        // More patient than the workers: a worker that was suspended for a moment may resume.
        .http2_keepalive_timeout(Some(KEEPALIVE + Duration::from_secs(5)))
}
