//! The access file: the coordinator's address and the credentials to call it. It holds secrets, so
//! only its owner may read it; otherwise it is refused.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use serde::{Deserialize, Serialize};

/// The longest access file that is read.
const LONGEST: u64 = 1 << 20;

/// The mode of an access file: only its owner can read it, nobody can write it.
const MODE: u32 = 0o400;

/// Kinds of callers. Each has its own token and its own services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A person, through the command line: `hasami.v1.RunService`, and for operators
    /// `hasami.v1.AccessService`.
    Client,
    /// A worker: `hasami.v1.WorkService` and `hasami.v1.PositionService`.
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

/// How to reach a coordinator. Without tokens it is open to everyone who can reach it; without a CA
/// nothing is encrypted.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// `http://host:port` or `https://host:port`; the scheme may be left out. Several, with commas
    /// between, if other coordinators stand by.
    pub url: String,
    /// A client's token. Missing in a worker's copy of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_token: Option<String>,
    /// A worker's token. Missing in a client's copy of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_token: Option<String>,
    /// The authority that signed the coordinator's certificate. If present, TLS is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_pem: Option<String>,
}

/// Why there is no usable access file.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A file operation failed.
    #[error("the access file {} cannot be {doing}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// "read" or "written".
        doing: &'static str,
        /// The system's message.
        source: io::Error,
    },
    /// It is accessible to others than its owner.
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
    /// It does not have the format that [`Access::write`] writes.
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
    /// If it is missing, accessible to others than its owner, or has another format.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, AccessError> {
        let path = path.as_ref();
        let failed = |source| AccessError::Io { path: path.to_owned(), doing: "read", source };
        let mut file = File::open(path).map_err(failed)?;
        // Of the open file, not of the path, so that it cannot be exchanged in between.
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o7777;
        if mode & 0o077 != 0 {
            return Err(AccessError::TooOpen { path: path.to_owned(), mode });
        }
        let mut text = String::new();
        (&mut file).take(LONGEST).read_to_string(&mut text).map_err(failed)?;
        // Report the position of an error, never the text there: it may be a token.
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

    /// Writes an access file with mode 0400, replacing an old one atomically: a reader finds the
    /// old file or the new one, complete.
    ///
    /// # Errors
    /// If a file operation fails; an old file is unchanged then.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), AccessError> {
        let path = path.as_ref();
        self.replace(path).map_err(|source| AccessError::Io {
            path: path.to_owned(),
            doing: "written",
            source,
        })
    }

    /// The text of an access file.
    ///
    /// # Errors
    /// Never for what can be written at all.
    pub fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    fn replace(&self, path: &Path) -> io::Result<()> {
        let mut draft = Draft::with_mode(path, MODE)?;
        draft.write_all(self.text()?.as_bytes())?;
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

    /// A copy that is enough for `who` and useless to the other kind.
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

/// Shows which secrets are present, not their values.
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
