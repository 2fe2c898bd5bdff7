//! What can go wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Why a part of the work was not done.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {why}", file.display())]
    Bad {
        /// The file.
        file: PathBuf,
        /// Place and expectation.
        why: String,
    },
    /// Too little to learn from.
    #[error("{0}")]
    TooLittle(String),
    /// No memory for a table.
    #[error("{0}")]
    Memory(#[from] hasami_andor::table::OutOfMemory),
    /// Two searches of one position disagree, or a proof does not hold: a bug.
    #[error("contradiction: {0}")]
    Contradiction(String),
}

impl Trouble {
    pub(crate) fn io(file: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io { file: file.to_owned(), error }
    }

    pub(crate) fn bad(file: &Path, why: impl ToString) -> Self {
        Self::Bad { file: file.to_owned(), why: why.to_string() }
    }
}
