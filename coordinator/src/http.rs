//! The page, the metrics and the health of the coordinator over HTTP.
//!
//! Thin: [`hasami_page`] renders, and what changes anything goes through the same calls as gRPC.
//! Readers never wait inside the scheduler: they share snapshots that are taken at most twice a second
//! ([`snapshot`]), and whoever does not read is cut off ([`patient`]).

mod calls;
mod feeds;
mod guard;
mod items;
mod lines;
mod metrics;
mod pages;
mod patient;
mod pictures;
mod post;
mod serve;
mod session;
mod snapshot;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use hasami_page::Picture;
use hasami_spec::Question;
use hasami_sweep::Answer;
use tokio::sync::Semaphore;

use crate::server::{Doorman, Tokens};
use crate::services::{RunCalls, Shared};

pub use lines::LogLines;
pub(crate) use serve::{HttpServer, Parts, start};

/// Draws the position that a question is about.
pub type Diagram = Arc<dyn Fn(&Question) -> Option<String> + Send + Sync>;
/// Draws an answer, from the files of its certificates.
pub type Draw = Arc<dyn Fn(&Question, &Answer, &[PathBuf]) -> Picture + Send + Sync>;

/// Draws items. The coordinator knows no rules: whoever starts it passes functions that do.
#[derive(Clone)]
pub struct Artist {
    /// The position that a question is about, as SVG.
    pub diagram: Diagram,
    /// The picture of an answer, from the files of its certificates.
    pub picture: Draw,
}

/// Options of the HTTP server.
#[derive(Clone)]
pub struct HttpOptions {
    /// The address to listen on; port 0 picks any free port.
    pub listen: SocketAddr,
    /// Draws items.
    pub artist: Artist,
    /// The latest log lines.
    pub lines: LogLines,
    /// The program's version and commit, for reports.
    pub version: String,
}

/// What all requests share.
pub(crate) struct Web {
    shared: Arc<Shared>,
    calls: RunCalls,
    tokens: Tokens,
    doorman: Arc<Doorman>,
    artist: Artist,
    lines: LogLines,
    version: String,
    snapshots: snapshot::Snapshots,
    feeds: feeds::Feeds,
    sessions: session::Sessions,
    slots: items::Cache,
    pictures: pictures::Pictures,
    traffic: Traffic,
    /// Requests that compute something large at a time.
    heavy: Arc<Semaphore>,
    hosts: guard::Hosts,
    /// Reading needs no token.
    open: bool,
    /// Over TLS.
    secure: bool,
}

/// Counts of requests, for the metrics.
#[derive(Default)]
struct Traffic {
    /// Answered requests, by the first digit of their status.
    answered: [AtomicU64; 6],
    /// Requests that the guard has refused.
    refused: AtomicU64,
    /// Connections that were closed at once for want of a place.
    crowded: AtomicU64,
    /// Open connections.
    connections: AtomicU64,
    /// Open streams of changes.
    streams: AtomicU64,
}
