//! Thinning out a full table: cheap entries go, so that new ones find a place.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::atomic::fence;
use super::entry::{solved, version_of, work_of};
use super::growth::Exclusive;
use super::run::GAP;
use super::{HIGH, LOCK, LOW, META, NUMBERS, Table};
use crate::problem::Reason;

impl<R: Reason> Table<R> {
    /// Counts a store that found only settled entries. When there are too many, the table is full
    /// of results too cheap to be worth their place.
    pub(super) fn note_drop(&self) {
        let dropped = self.dropped.fetch_add(1, Relaxed) + 1;
        if dropped >= (self.capacity() as u64 / 4).max(16)
            && let Some(_exclusive) = Exclusive::take(&self.exclusive)
        {
            self.collect();
            self.dropped.store(0, Relaxed);
        }
    }

    /// Drops the cheaper half: of the unsettled entries always, of the settled ones only if they
    /// fill more than half of the table. Runs concurrently with readers and writers.
    pub fn collect(&self) {
        self.collections.fetch_add(1, Relaxed);
        let count = self.slots();
        let slots = || (0..count).map(|i| i * self.stride);
        // Odd, because the slots of a bucket fill in order.
        let step = (count / 4096) | 1;
        let (mut open, mut settled) = (Vec::new(), Vec::new());
        for slot in slots().step_by(step) {
            let numbers = self.word(slot + NUMBERS).load(Relaxed);
            if numbers != 0 {
                let work = work_of(self.word(slot + META).load(Relaxed));
                if solved(numbers) { settled.push(work) } else { open.push(work) }
            }
        }
        let crowded = settled.len() * step * 2 > count;
        let (open, settled) = (median(&mut open), median(&mut settled));
        for slot in slots() {
            let meta = self.word(slot + META).load(Acquire);
            let numbers = self.word(slot + NUMBERS).load(Relaxed);
            let limit = if solved(numbers) { settled.filter(|_| crowded) } else { open };
            if numbers != 0 && limit.is_some_and(|limit| self.is_cheaper(slot, meta, limit)) {
                self.clear(slot, meta);
            }
        }
        if R::RANKED {
            self.close_gaps();
        }
    }

    /// Empties a slot if its meta word is still `meta`.
    pub(super) fn clear(&self, slot: usize, meta: u64) {
        let lock = self.word(slot + META);
        if meta & LOCK == 0 && lock.compare_exchange(meta, meta | LOCK, AcqRel, Relaxed).is_ok() {
            fence(Release);
            self.word(slot + NUMBERS).store(0, Relaxed);
            self.word(slot + LOW).store(0, Relaxed);
            if R::RANKED {
                self.word(slot + HIGH).store(GAP, Relaxed);
            }
            lock.store((version_of(meta) + 1) << 48 & !LOCK, Release);
        }
    }

    /// Whether an entry is in the cheaper half. Of those at the median, every other one is.
    fn is_cheaper(&self, slot: usize, meta: u64, median: u32) -> bool {
        // The states of a family differ in the low half only.
        let half = if R::RANKED { LOW } else { HIGH };
        let coin = self.word(slot + half).load(Relaxed) & 1 == 1;
        work_of(meta) < median || work_of(meta) == median && coin
    }
}

fn median(values: &mut [u32]) -> Option<u32> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable(middle).1)
}
