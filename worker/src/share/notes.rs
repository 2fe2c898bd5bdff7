//! Values that jobs share through the coordinator's store. A store that does not answer costs only
//! a little time: the job computes the values itself.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use hasami_andor::{Key, ProblemId};
use hasami_proto::pack::MAX_NOTES;
use hasami_values::value::shared::Notes;
use tokio::runtime::Handle;
use tracing::debug;

use super::store::Store;

/// After this many failures in a row the job stops asking the store.
const PATIENCE: u32 = 2;

/// The notes of the shared store, for one job.
pub struct SharedNotes {
    runtime: Handle,
    store: Store,
    failures: AtomicU32,
}

impl SharedNotes {
    pub(super) fn new(runtime: Handle, store: Store) -> Self {
        Self { runtime, store, failures: AtomicU32::new(0) }
    }

    fn gone(&self) -> bool {
        self.failures.load(Ordering::Relaxed) >= PATIENCE
    }

    fn heard<T>(&self, answer: Result<T, hasami_proto::Trouble>) -> Option<T> {
        match answer {
            Ok(answer) => {
                self.failures.store(0, Ordering::Relaxed);
                Some(answer)
            }
            Err(trouble) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                debug!("values are not shared: {trouble}");
                None
            }
        }
    }
}

impl Notes for SharedNotes {
    fn find(&self, family: ProblemId, keys: &[Key]) -> Vec<Option<Vec<u8>>> {
        let mut found = HashMap::new();
        for some in keys.chunks(MAX_NOTES) {
            if self.gone() {
                break;
            }
            let answer = self.runtime.block_on(self.store.notes(family, some));
            found.extend(self.heard(answer).unwrap_or_default());
        }
        keys.iter().map(|key| found.get(key).cloned()).collect()
    }

    fn keep(&self, family: ProblemId, notes: Vec<(Key, Vec<u8>)>) {
        for some in notes.chunks(MAX_NOTES) {
            if self.gone() {
                break;
            }
            let answer = self.runtime.block_on(self.store.keep_notes(family, some));
            self.heard(answer);
        }
    }
}
