//! Limits of one connection: no caller can starve the others.

use std::time::Duration;

use hasami_proto::KEEPALIVE;
use tonic::transport::Server;

/// Concurrent calls of one connection, including those that wait for work or for news.
pub const PER_CONNECTION: u32 = 256;

/// Headers of one call, in bytes.
const HEADERS: u32 = 16 << 10;

/// A server with limits for every connection and keep-alive for silent peers. Each service limits
/// the size of its messages with `hasami_proto::MAX_MESSAGE`.
#[must_use]
pub fn limited() -> Server {
    Server::builder()
        .concurrency_limit_per_connection(PER_CONNECTION as usize)
        .max_concurrent_streams(PER_CONNECTION)
        .http2_max_header_list_size(HEADERS)
        .http2_adaptive_window(Some(true))
        .http2_keepalive_interval(Some(KEEPALIVE))
        // More patient than the workers: a worker that was suspended for a moment may resume.
        .http2_keepalive_timeout(Some(KEEPALIVE + Duration::from_secs(5)))
}
