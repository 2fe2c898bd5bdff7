//! Errors of a database.

use std::io;
use std::path::{Path, PathBuf};

/// Error of building or reading a database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The system refused an operation.
    #[error("{}: {error}", file.display())]
    Io {
        /// Path of the file.
        file: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is damaged or not a database.
    #[error("{}: {what}", file.display())]
    Damaged {
        /// Path of the file.
        file: PathBuf,
        /// What was found and what was expected.
        what: String,
    },
    /// A shard does not exist.
    #[error("{}: missing; expected a shard that an earlier stage has made", file.display())]
    Missing {
        /// Path of the file.
        file: PathBuf,
    },
    /// A sound file of something else.
    #[error(
        "{}: found {found}; expected {expected}; remove it or use another directory",
        file.display()
    )]
    Foreign {
        /// Path of the file.
        file: PathBuf,
        /// What the file is about.
        found: String,
        /// What it should be about.
        expected: String,
    },
    /// Another process is building it.
    #[error("{}: another process is building it", file.display())]
    Busy {
        /// Path of the file.
        file: PathBuf,
    },
    /// A value that does not fit into a byte.
    #[error("a game of {plies} plies; expected at most {} plies", crate::Value::MAX_PLIES)]
    TooLong {
        /// Length of the game.
        plies: u32,
    },
    /// The build was asked to stop; finished work is preserved.
    #[error("stopped; what is done is kept, and the same command goes on from it")]
    Stopped,
    /// There is not enough memory for the values.
    #[error("no memory for {bytes} bytes of values")]
    NoMemory {
        /// Bytes needed.
        bytes: u64,
    },
}

impl DatabaseError {
    /// Converts an error of the system about a file.
    pub(crate) fn io(file: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io { file: file.to_owned(), error }
    }

    /// The error for a damaged file.
    pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { file: file.to_owned(), what: what.into() }
    }
}
