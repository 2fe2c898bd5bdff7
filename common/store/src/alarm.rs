//! The faults that merges have met, by problem. Merges run in RocksDB's threads and cannot return an
//! error, so the store checks here at every call. Relies on the merge having made the fault sticky
//! on disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hasami_andor::{Key, ProblemId};

use crate::error::StoreError;
use hasami_record::{Entry, Fault, Record};

/// Problems whose faults are remembered; the faults themselves are on disk.
const MOST: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Alarm {
    /// Whether there is any: looked at by every call.
    any: AtomicBool,
    first: Mutex<BTreeMap<ProblemId, (Key, Fault)>>,
}

impl Alarm {
    fn first(&self) -> MutexGuard<'_, BTreeMap<ProblemId, (Key, Fault)>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the fault if it is the first of its problem, and logs it once.
    pub(crate) fn raise(&self, problem: ProblemId, key: Key, fault: Fault) {
        let mut first = self.first();
        if first.len() >= MOST || first.contains_key(&problem) {
            return;
        }
        first.insert(problem, (key, fault));
        self.any.store(true, Ordering::Release);
        let contradiction = fault.contradiction();
        tracing::error!(
            %problem, %key, contradiction,
            "a state was told both proven and disproven, or its record is unreadable"
        );
    }

    /// Forgets the fault of a problem whose records are gone.
    pub(crate) fn clear(&self, problem: ProblemId) {
        let mut first = self.first();
        first.remove(&problem);
        self.any.store(!first.is_empty(), Ordering::Release);
    }

    /// All faults since the store was opened, as errors.
    pub(crate) fn all(&self, path: &Path) -> Vec<StoreError> {
        if !self.any.load(Ordering::Acquire) {
            return Vec::new();
        }
        let error = |(&problem, &(key, fault))| StoreError::fault(path, problem, key, fault);
        self.first().iter().map(error).collect()
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

    /// The fault of a problem as an error, if there was one since the store was opened.
    pub(crate) fn check(&self, path: &Path, problem: ProblemId) -> Result<(), StoreError> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(());
        }
        match self.first().get(&problem) {
            None => Ok(()),
            Some(&(key, fault)) => Err(StoreError::fault(path, problem, key, fault)),
        }
    }
}
