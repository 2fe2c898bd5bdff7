//! Recent results of a table's searches, for others that search with their own table.

use std::sync::Mutex;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::Entry;
use crate::problem::{Key, Reason};

/// Maximum number of entries; beyond it, more are dropped, because no reader fetches them.
const MOST: usize = 1 << 16;

/// Entries waiting to be sent. Losing some of them costs others work, never a verdict.
pub(super) struct Outbox<R> {
    min_work: AtomicU32,
    waiting: Mutex<Vec<(Key, Entry<R>)>>,
}

impl<R: Reason> Outbox<R> {
    pub fn closed() -> Self {
        Self { min_work: AtomicU32::new(u32::MAX), waiting: Mutex::new(Vec::new()) }
    }

    pub fn open(&self, min_work: u32) {
        self.min_work.store(min_work, Relaxed);
    }

    /// Whether an entry is news after one of the same state with the work `before`: enough work,
    /// and settled or past the next power of two, so that a state is sent rarely but repeatedly.
    #[inline]
    pub fn wants(&self, entry: &Entry<R>, before: u32) -> bool {
        let min_work = self.min_work.load(Relaxed);
        entry.work >= min_work
            && before != u32::MAX
            && (entry.numbers.settled()
                || before < min_work
                || entry.work.leading_zeros() < before.leading_zeros())
    }

    #[cold]
    pub fn post(&self, key: Key, entry: &Entry<R>) {
        if let Ok(mut waiting) = self.waiting.lock()
            && waiting.len() < MOST
        {
            waiting.push((key, *entry));
        }
    }

    pub fn drain(&self, out: &mut Vec<(Key, Entry<R>)>) {
        if let Ok(mut waiting) = self.waiting.lock() {
            out.append(&mut waiting);
        }
    }
}
