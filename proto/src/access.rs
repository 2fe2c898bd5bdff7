//! The access file: where the coordinator is and what proves that one may speak to it. It holds
//! secrets, so that it is readable by its owner only, and is refused when it is not.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use serde::{Deserialize, Serialize};

/// The mode of an access file: its owner reads it, nobody writes it.
const MODE: u32 = 0o400;

/// Who speaks to the coordinator. Each has a token of its own and services of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A person, through the command line: `hasami.v1.Runs`.
    Client,
    /// A worker: `hasami.v1.Work` and `hasami.v1.Positions`.
    Worker,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client => "client",
            Self::Worker => "worker",
        })
    }
}

/// How to reach a coordinator. Without any token the coordinator is open to everybody who can
/// reach it; without a CA nothing is encrypted.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// `http://host:port` or `https://host:port`; the scheme may be left out.
    pub url: String,
    /// What a client shows. A worker's copy of the file does without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_token: Option<String>,
    /// What a worker shows. A client's copy of the file does without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_token: Option<String>,
    /// The authority that has signed the coordinator's certificate. With it, TLS is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_pem: Option<String>,
}

/// Why there is no access file to be had.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The system refuses.
    #[error("the access file {} cannot be {doing}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// "read" or "written".
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Others than the owner may read or write it.
    #[error(
        "the access file {path} has mode {mode:04o}, so that others can use its tokens; expected \
         mode 0400: chmod 0400 {path}",
        path = path.display()
    )]
    TooOpen {
        /// The file.
        path: PathBuf,
        /// The mode found.
        mode: u32,
    },
    /// It is not what [`Access::write`] writes.
    #[error("{} is no access file: {detail}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        detail: String,
    },
}

impl Access {
    /// Reads an access file.
    ///
    /// # Errors
    /// When there is none, when others than its owner may use it, or when it is something else.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, AccessError> {
        let path = path.as_ref();
        let failed = |source| AccessError::Io { path: path.to_owned(), doing: "read", source };
        let mut file = File::open(path).map_err(failed)?;
        // Of the open file, not of the path: nobody can exchange it in between.
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o7777;
        if mode & 0o077 != 0 {
            return Err(AccessError::TooOpen { path: path.to_owned(), mode });
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // The place of an error is told, never the text there: it may be a token.
        serde_json::from_str(&text).map_err(|error| AccessError::Malformed {
            path: path.to_owned(),
            detail: format!(
                "line {}, column {}: expected a JSON object with \"url\" and, as far as needed, \
                 \"client_token\", \"worker_token\" and \"ca_pem\", all of them strings",
                error.line(),
                error.column()
            ),
        })
    }

    /// Writes an access file with mode 0400, in place of one that was there: a reader finds the
    /// old one or the new one, whole.
    ///
    /// # Errors
    /// When the system refuses; an old file is unchanged then.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), AccessError> {
        let path = path.as_ref();
        self.replace(path).map_err(|source| AccessError::Io {
            path: path.to_owned(),
            doing: "written",
            source,
        })
    }

    fn replace(&self, path: &Path) -> io::Result<()> {
        let mut draft = Draft::with_mode(path, MODE)?;
        serde_json::to_writer_pretty(&mut draft, self)?;
        draft.write_all(b"\n")?;
        draft.finish()
    }

    /// The token of `who`.
    #[must_use]
    pub fn token(&self, who: Who) -> Option<&str> {
        match who {
            Who::Client => self.client_token.as_deref(),
            Who::Worker => self.worker_token.as_deref(),
        }
    }

    /// A copy that is enough for `who` and of no use to the other.
    #[must_use]
    pub fn only(&self, who: Who) -> Self {
        let mut copy = self.clone();
        match who {
            Who::Client => copy.worker_token = None,
            Who::Worker => copy.client_token = None,
        }
        copy
    }
}

/// Tells which secrets there are, not what they are.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access")
            .field("url", &self.url)
            .field("client_token", &self.client_token.as_ref().map(|_| "…"))
            .field("worker_token", &self.worker_token.as_ref().map(|_| "…"))
            .field("ca_pem", &self.ca_pem.as_ref().map(|_| "…"))
            .finish()
    }
}

#[cfg(test)]
mod tests;
