//! Locks of a store: one writer, or any number of readers. Relies on the system's advisory lock on
//! the directory, which changes nothing in it and ends with the process.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::StoreError;

/// A lock on a store, released on drop.
#[derive(Debug)]
pub(crate) struct Hold {
    _directory: File,
}

impl Hold {
    /// Exclusive: no other process may write or read.
    pub(crate) fn alone(path: &Path) -> Result<Self, StoreError> {
        Self::lock(path, File::try_lock)
    }

    /// Shared: others may read, no process may write.
    pub(crate) fn shared(path: &Path) -> Result<Self, StoreError> {
        Self::lock(path, File::try_lock_shared)
    }

    fn lock(
        path: &Path,
        lock: impl FnOnce(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, StoreError> {
        let directory = File::open(path).map_err(|error| StoreError::io(path, &error))?;
        match lock(&directory) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Busy { path: path.to_owned() });
            }
            // Some network file systems cannot lock directories. RocksDB's own lock still keeps a
            // second writer out; only a reader may be disturbed then.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(path = %path.display(), %error, "the store cannot be locked");
            }
        }
        Ok(Self { _directory: directory })
    }
}
