//! Errors of a store, with what a person needs to act on them. Relies on the text of RocksDB's
//! errors, because it provides nothing else. For a store without a directory, `path` is its url.

use std::io;
use std::path::{Path, PathBuf};

use hasami_andor::{Key, ProblemId};

use hasami_record::Fault;
use hasami_record::RecordError;

/// Error of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no store, and the caller did not ask to create one.
    #[error("there is no store in {}", path.display())]
    Missing {
        /// Where it was expected.
        path: PathBuf,
    },
    /// The directory holds something else, which must not be touched.
    #[error("{} holds files but no store; nothing was changed", path.display())]
    NotAStore {
        /// The directory.
        path: PathBuf,
    },
    /// The directory is a checkpoint; working in it would spoil it.
    #[error("{} is a checkpoint: restore it into a directory of its own", path.display())]
    IsCheckpoint {
        /// The directory.
        path: PathBuf,
    },
    /// The directory is not a complete checkpoint.
    #[error("{} is no checkpoint, or one that was never finished", path.display())]
    NotACheckpoint {
        /// The directory.
        path: PathBuf,
    },
    /// Another version wrote it, or its version cannot be read.
    #[error("{} has store format {found:?}, this program reads format {expected}", path.display())]
    Format {
        /// The store or checkpoint.
        path: PathBuf,
        /// The version that was found.
        found: String,
        /// The version that this program reads.
        expected: u32,
    },
    /// Another process is using the store.
    #[error("the store {} is open in another process", path.display())]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// The bytes on disk are not what was written.
    #[error("the store {} is damaged: {detail}", path.display())]
    Damaged {
        /// The store or checkpoint.
        path: PathBuf,
        /// Description of the damage.
        detail: String,
    },
    /// An operation of the file system failed: no space, no permission, too many open files.
    #[error("the store {} cannot be used: {detail}", path.display())]
    Io {
        /// The store or the file.
        path: PathBuf,
        /// The error of the system.
        detail: String,
    },
    /// A checkpoint or restore would overwrite something.
    #[error("{} exists already; nothing was changed", path.display())]
    Exists {
        /// The path in the way.
        path: PathBuf,
    },
    /// One state was published as proven and as disproven: a kernel or a game is wrong.
    #[error("state {key} of problem {problem} was told both proven and disproven")]
    Contradiction {
        /// The problem of the state.
        problem: ProblemId,
        /// The key of the state.
        key: Key,
    },
    /// Not the name of a store.
    #[error("this is no store: found {found}, expected {expected}")]
    Url {
        /// The part that is wrong, without any password.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// The servers of a store do not answer, or not within the time limit. Some of a publish may
    /// have arrived; publishing it again is safe.
    #[error("the store {url} cannot be reached: {detail}")]
    Unreachable {
        /// The url of the store, without its password.
        url: String,
        /// The last failure, and how long the client retried.
        detail: String,
    },
    /// A record that no state can have; nothing of its batch was written.
    #[error("the record for state {key} of problem {problem} cannot be: {source}")]
    Record {
        /// The problem of the state.
        problem: ProblemId,
        /// The key of the state.
        key: Key,
        /// What is wrong with it.
        source: RecordError,
    },
}

impl StoreError {
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::Io { path: path.to_owned(), detail: error.to_string() }
    }

    pub(crate) fn damaged(path: &Path, detail: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), detail: detail.into() }
    }

    pub(crate) fn fault(path: &Path, problem: ProblemId, key: Key, fault: Fault) -> Self {
        if fault.contradiction() {
            Self::Contradiction { problem, key }
        } else {
            Self::unreadable(path, problem, key, "bytes that are no record were met")
        }
    }

    pub(crate) fn unreadable(path: &Path, problem: ProblemId, key: Key, why: &str) -> Self {
        Self::damaged(path, format!("state {key} of problem {problem}: {why}"))
    }

    /// Converts an error of RocksDB while the store is in use.
    pub(crate) fn rocks(path: &Path, error: rocksdb::Error) -> Self {
        match error.kind() {
            rocksdb::ErrorKind::Corruption => Self::damaged(path, error.into_string()),
            _ => Self::Io { path: path.to_owned(), detail: error.into_string() },
        }
    }

    /// Converts an error of RocksDB while opening a store that must exist.
    pub(crate) fn opening(path: &Path, error: rocksdb::Error) -> Self {
        use rocksdb::ErrorKind::{Corruption, InvalidArgument, NotFound};
        let held = |text: &str| {
            text.contains("lock hold by current process")
                || text.contains("While lock file") && text.contains("temporarily unavailable")
        };
        if held(error.as_ref()) {
            return Self::Busy { path: path.to_owned() };
        }
        // The database names a file or column family that does not exist: it was lost.
        let lost = error.as_ref().contains("No such file");
        match error.kind() {
            Corruption | InvalidArgument | NotFound => Self::damaged(path, error.into_string()),
            _ if lost => Self::damaged(path, error.into_string()),
            _ => Self::rocks(path, error),
        }
    }
}
