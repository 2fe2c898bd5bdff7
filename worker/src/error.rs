//! Why a worker ends by itself: errors that only a change of the setup can resolve.

use std::io;
use std::path::PathBuf;

use hasami_proto::{ConnectError, Refusal};

/// Why a worker has given up. An unreachable coordinator is no reason.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The access file is unusable.
    #[error(transparent)]
    Access(#[from] ConnectError),
    /// The coordinator and this worker cannot communicate.
    #[error("the coordinator at {url} and this worker cannot work together: {message}")]
    Refused {
        /// The coordinator's address.
        url: String,
        /// What was refused.
        why: Refusal,
        /// The message.
        message: String,
    },
    /// The directory for certificates is unusable.
    #[error("the directory for certificates, {}, cannot be used: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A directory cannot be allowed.
    #[error("--allow-files {}: {source}", path.display())]
    Allowed {
        /// The directory.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A compute thread has panicked outside of a unit.
    #[error("a compute thread has ended by a fault in this program; the log tells which")]
    Broken,
    /// The system cannot start a thread.
    #[error("thread {number} of {threads} cannot be started: {source}")]
    Threads {
        /// The number of the thread, from 1.
        number: u32,
        /// How many were wanted.
        threads: u32,
        /// The system's message.
        source: io::Error,
    },
}
