//! Why a worker ends by itself: somebody must change something first.

use std::io;
use std::path::PathBuf;

use hasami_proto::{ConnectError, Refusal};

/// Why a worker has given up. A coordinator that is away is no reason.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The access file cannot be used as it is.
    #[error(transparent)]
    Access(#[from] ConnectError),
    /// The coordinator and this worker cannot speak to each other.
    #[error("the coordinator at {url} and this worker cannot work together: {message}")]
    Refused {
        /// Where it is.
        url: String,
        /// What was refused.
        why: Refusal,
        /// In words.
        message: String,
    },
    /// There is no place for certificates.
    #[error("the directory for certificates, {}, cannot be used: {source}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system gives no threads.
    #[error("thread {number} of {threads} cannot be started: {source}")]
    Threads {
        /// Which one, from 1.
        number: u32,
        /// How many were wanted.
        threads: u32,
        /// What the system said.
        source: io::Error,
    },
}
