//! The first fault of a merge. Merges run in RocksDB's threads and cannot return an error, so the
//! store checks here at every call. Relies on the merge having made the fault sticky on disk.

use std::path::Path;
use std::sync::OnceLock;

use hasami_andor::{Key, ProblemId};

use crate::error::StoreError;
use hasami_record::{Entry, Fault, Record};

#[derive(Debug, Default)]
pub(crate) struct Alarm {
    first: OnceLock<(ProblemId, Key, Fault)>,
}

impl Alarm {
    /// Stores the fault if it is the first, and logs it once.
    pub(crate) fn raise(&self, problem: ProblemId, key: Key, fault: Fault) {
        if self.first.set((problem, key, fault)).is_ok() {
            let contradiction = fault.contradiction();
            tracing::error!(
                %problem, %key, contradiction,
                "a state was told both proven and disproven, or its record is unreadable"
            );
        }
    }

    /// Decodes the bytes of an entry; raises a fault found in them.
    pub(crate) fn read(
        &self,
        place: &Path,
        problem: ProblemId,
        key: Key,
        bytes: &[u8],
    ) -> Result<Record, StoreError> {
        match Entry::decode(bytes) {
            Ok(Entry::Record(record)) => Ok(record),
            Ok(Entry::Fault(fault)) => {
                self.raise(problem, key, fault);
                Err(StoreError::fault(place, problem, key, fault))
            }
            Err(why) => Err(StoreError::unreadable(place, problem, key, &why.to_string())),
        }
    }

    /// The fault as an error, if there was one since the store was opened.
    pub(crate) fn check(&self, path: &Path) -> Result<(), StoreError> {
        match self.first.get() {
            None => Ok(()),
            Some(&(problem, key, fault)) => Err(StoreError::fault(path, problem, key, fault)),
        }
    }
}
