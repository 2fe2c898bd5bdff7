//! Small files that a coordinator on another machine needs: tokens and the authority of TLS. They
//! are kept beside the records where the journal is shared.

use super::backend::Batch;
use super::keys::META;
use super::{Journal, JournalError};

/// The key of a file.
pub(super) fn key(name: &str) -> Vec<u8> {
    format!("file {name}").into_bytes()
}

impl Journal {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn file(&self, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
        self.backend.get(META, &key(name))
    }

    /// Keeps a file; it is durable when this returns.
    ///
    /// # Errors
    /// If the engine fails, or another coordinator has taken over.
    pub fn keep_file(&self, name: &str, bytes: &[u8]) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.put(META, key(name), bytes);
        self.backend.commit(batch)
    }
}
