//! Databases that a worker holds in memory while they are built: each stage needs the values of all
//! earlier ones, and reading them again for every item would take longer than computing them.

use std::sync::{Arc, Mutex, PoisonError};

use hasami_database::Shards;

use super::DatabasePart;
use crate::JobError;

/// The databases under construction on this worker.
#[derive(Default)]
pub struct OpenDatabases {
    /// Memory limit in MiB; 0 means no limit.
    memory_mib: u64,
    open: Mutex<Vec<(DatabasePart, Arc<Shards>)>>,
}

impl std::fmt::Debug for OpenDatabases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenDatabases")
            .field("memory_mib", &self.memory_mib)
            .finish_non_exhaustive()
    }
}

impl OpenDatabases {
    /// Creates an empty collection with this memory limit.
    #[must_use]
    pub fn new(memory_mib: u64) -> Self {
        Self { memory_mib, ..Self::default() }
    }

    /// The shards that a part belongs to.
    ///
    /// # Errors
    /// If they do not fit into memory, or their directory cannot be created.
    pub(super) fn shards(&self, part: &DatabasePart) -> Result<Arc<Shards>, JobError> {
        let key = key(part);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, shards)) = open.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(shards));
        }
        // Drop databases that no job is using.
        open.retain(|(_, shards)| Arc::strong_count(shards) > 1);
        let plan = part.subject.plan();
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        let needed = mib(plan.header().values);
        let used: u64 = open.iter().map(|(_, shards)| mib(shards.values())).sum();
        if self.memory_mib > 0 && used + needed > self.memory_mib {
            return Err(JobError::Io(format!(
                "the values take {needed} MiB of memory, and this worker has {} MiB for databases (a half \
                 of its memory), {used} of them in use; start it with a larger --memory",
                self.memory_mib
            )));
        }
        let shards = Arc::new(Shards::new(plan, &part.directory, part.slices)?);
        open.push((key, Arc::clone(&shards)));
        Ok(shards)
    }

    /// Memory in use, in MiB.
    #[must_use]
    pub fn used_mib(&self) -> u64 {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().map(|(_, shards)| shards.values().div_ceil(1 << 20)).sum()
    }

    /// Drops the database of a part that is finished.
    pub(super) fn close(&self, part: &DatabasePart) {
        let key = key(part);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(known, _)| *known != key);
    }
}

/// What all parts of a database have in common.
fn key(part: &DatabasePart) -> DatabasePart {
    DatabasePart { stage: 0, slice: 0, ..part.clone() }
}
