//! What can go wrong with a store, with what a person needs to act on it. Relies on the text of
//! RocksDB's errors, which is all that it hands over. Where a store has no directory, `path` is
//! its url.

use std::io;
use std::path::{Path, PathBuf};

use hasami_andor::{Key, ProblemId};

use hasami_record::Fault;
use hasami_record::RecordError;

/// Why a store did not do as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no store, and none was to be created.
    #[error("there is no store in {}", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The directory holds something else, which must not be touched.
    #[error("{} holds files but no store; nothing was changed", path.display())]
    NotAStore {
        /// The directory.
        path: PathBuf,
    },
    /// The directory is a checkpoint, which would be spoilt by working in it.
    #[error("{} is a checkpoint: restore it into a directory of its own", path.display())]
    IsCheckpoint {
        /// The directory.
        path: PathBuf,
    },
    /// The directory is no whole checkpoint.
    #[error("{} is no checkpoint, or one that was never finished", path.display())]
    NotACheckpoint {
        /// The directory.
        path: PathBuf,
    },
    /// Written by another version, or the word about it cannot be read.
    #[error("{} has store format {found:?}, this program reads format {expected}", path.display())]
    Format {
        /// The store or checkpoint.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What this program reads.
        expected: u32,
    },
    /// Somebody else is working with the store.
    #[error("the store {} is open in another process", path.display())]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// The bytes on the disk are not what was written.
    #[error("the store {} is damaged: {detail}", path.display())]
    Damaged {
        /// The store or checkpoint.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The disk does not do as asked: no space, no permission, too many open files.
    #[error("the store {} cannot be used: {detail}", path.display())]
    Io {
        /// The store or the file.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// A checkpoint or a restored store would overwrite something.
    #[error("{} exists already; nothing was changed", path.display())]
    Exists {
        /// What is in the way.
        path: PathBuf,
    },
    /// One state was told proven and told disproven: a kernel or a game is wrong.
    #[error("state {key} of problem {problem} was told both proven and disproven")]
    Contradiction {
        /// The problem.
        problem: ProblemId,
        /// The state.
        key: Key,
    },
    /// The name of a store that cannot be one.
    #[error("this is no store: found {found}, expected {expected}")]
    Url {
        /// The part that is wrong, without any password.
        found: String,
        /// What is understood.
        expected: &'static str,
    },
    /// The servers of a store do not answer, or not within the time limit. Of what was being
    /// published some may have arrived; to publish it again does no harm.
    #[error("the store {url} cannot be reached: {detail}")]
    Unreachable {
        /// The store.
        url: String,
        /// What happened last, and how long it was tried.
        detail: String,
    },
    /// A record to be published that no state can have; nothing of its batch was written.
    #[error("the record for state {key} of problem {problem} cannot be: {source}")]
    Record {
        /// The problem.
        problem: ProblemId,
        /// The state.
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

    /// An error of RocksDB while the store is in use.
    pub(crate) fn rocks(path: &Path, error: rocksdb::Error) -> Self {
        match error.kind() {
            rocksdb::ErrorKind::Corruption => Self::damaged(path, error.into_string()),
            _ => Self::Io { path: path.to_owned(), detail: error.into_string() },
        }
    }

    /// An error of RocksDB while opening a store that must be there.
    pub(crate) fn opening(path: &Path, error: rocksdb::Error) -> Self {
        use rocksdb::ErrorKind::{Corruption, InvalidArgument, NotFound};
        let held = |text: &str| {
            text.contains("lock hold by current process")
                || text.contains("While lock file") && text.contains("temporarily unavailable")
        };
        if held(error.as_ref()) {
            return Self::Busy { path: path.to_owned() };
        }
        // A file or a column family that the database names but cannot find was lost.
        let lost = error.as_ref().contains("No such file");
        match error.kind() {
            Corruption | InvalidArgument | NotFound => Self::damaged(path, error.into_string()),
            _ if lost => Self::damaged(path, error.into_string()),
            _ => Self::rocks(path, error),
        }
    }
}
