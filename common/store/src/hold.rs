//! Who is in a store: one that writes, or any number that only look. Relies on the system's
//! advisory lock of the directory, which changes nothing in it and ends with the process.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::StoreError;

/// A place in a store, given up when dropped.
#[derive(Debug)]
pub(crate) struct Hold {
    _directory: File,
}

impl Hold {
    /// Nobody else may be there, not even to look.
    pub(crate) fn alone(path: &Path) -> Result<Self, StoreError> {
        Self::lock(path, File::try_lock)
    }

    /// Others may look, nobody may write.
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
            // Some network file systems lock no directories. RocksDB's own lock still keeps a
            // second writer out; only somebody who looks may then be disturbed.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(path = %path.display(), %error, "the store cannot be locked");
            }
        }
        Ok(Self { _directory: directory })
    }
}
