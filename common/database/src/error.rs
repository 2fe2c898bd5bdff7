//! What can go wrong with a database.

use std::io;
use std::path::{Path, PathBuf};

/// Why a database cannot be built or read.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The system refuses.
    #[error("{}: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is damaged, or no database.
    #[error("{}: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was found and what was expected.
        what: String,
    },
    /// A shard that is not there.
    #[error("{}: missing; expected a shard that an earlier stage has made", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// A sound file that is about something else.
    #[error(
        "{}: found {found}; expected {expected}; remove it or use another directory",
        file.display()
    )]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What it is about.
        found: String,
        /// What it should be about.
        expected: String,
    },
    /// Another process builds it.
    #[error("{}: another process is building it", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// A value that does not fit into a byte.
    #[error("a game of {plies} plies; expected at most {} plies", crate::Value::MAX_PLIES)]
    TooLong {
        /// Its length.
        plies: u32,
    },
    /// Somebody wants it to stop; what is done is kept.
    #[error("stopped; what is done is kept, and the same command goes on from it")]
    Stopped,
    /// There is no memory for the values.
    #[error("no memory for {bytes} bytes of values")]
    NoMemory {
        /// How many are needed.
        bytes: u64,
    },
}

impl DatabaseError {
    /// An error of the system about a file.
    pub(crate) fn io(file: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io { file: file.to_owned(), error }
    }

    /// The file is not what it should be.
    pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { file: file.to_owned(), what: what.into() }
    }
}
