//! Writing: which slot an entry gets, and what gives way to it.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::atomic::fence;
use super::entry::{pack_meta, pack_numbers, solved, version_of, work_of};
use super::{
    BUCKET, Contradiction, EXTRA, Entry, HIGH, LOCK, LOW, MAX_REASON, META, NUMBERS, Table, link,
};
use crate::problem::{Key, Reason};

impl<R: Reason> Table<R> {
    /// From now on, entries that searches store with at least `min_work` are also collected for
    /// [`Table::drain`]. `u32::MAX` closes the outbox again.
    pub fn open_outbox(&self, min_work: u32) {
        self.outbox.open(min_work);
    }

    /// Appends what was stored since the last call and is worth sending to others.
    pub fn drain(&self, out: &mut Vec<(Key, Entry<R>)>) {
        self.outbox.drain(out);
    }

    /// Stores an entry if possible. An unsettled entry never replaces a settled one; among the
    /// others, the one with the least work is replaced.
    ///
    /// # Panics
    /// If a state was proven and disproven: the search is broken, and no answer is better than a
    /// wrong one.
    #[inline]
    pub fn store(&self, key: Key, entry: &Entry<R>) {
        let before = self.place(key, entry);
        if self.outbox.wants(entry, before) {
            self.outbox.post(key, entry);
        }
    }

    /// Like [`Table::store`] for an entry that comes from others: it is not sent back to them, and
    /// it does not replace an entry with more work.
    ///
    /// # Panics
    /// As [`Table::store`].
    pub fn absorb(&self, key: Key, entry: &Entry<R>) {
        let known = self.lookup(key);
        if known.is_none_or(|known| entry.numbers.settled() || entry.work > known.work) {
            self.place(key, entry);
        }
    }

    /// Finds a slot and fills it. Returns the work of the entry it replaces, if that is of the same
    /// state; the largest work if that was settled, because then there is no news.
    #[inline]
    pub(super) fn place(&self, key: Key, entry: &Entry<R>) -> u32 {
        if R::RANKED {
            return self.place_in_run(key, entry);
        }
        let low = key.0 as u64;
        let active = self.growth.active();
        let first = self.bucket_of(link::<R>(key), active);
        let new_solved = entry.numbers.settled();
        let mut before = 0;
        let mut victim = None;
        let mut victim_rank = u64::MAX;
        let mut slot = first;
        for _ in 0..BUCKET {
            let meta = self.word(slot + META).load(Acquire);
            let numbers = self.word(slot + NUMBERS).load(Relaxed);
            if self.word(slot + LOW).load(Relaxed) == low
                && self.word(slot + HIGH).load(Relaxed) == (key.0 >> 64) as u64
                && numbers != 0
            {
                victim = Some((slot, meta));
                victim_rank = 0;
                before = if solved(numbers) { u32::MAX } else { work_of(meta) };
                break;
            }
            let rank = worth(numbers, meta, new_solved);
            if rank < victim_rank {
                victim_rank = rank;
                victim = Some((slot, meta));
            }
            slot += self.stride;
        }
        let crowded = victim_rank > 0;
        if crowded
            && self.spills(active)
            && let Some(before) = self.place_after(key, entry, first, active)
        {
            return before;
        }
        if crowded && active < self.buckets && self.grow_from(active) {
            return self.place(key, entry);
        }
        match victim {
            Some((slot, meta)) => self.write(slot, meta, key, entry),
            None => self.note_drop(),
        }
        before
    }

    /// Replaces a slot if its meta word is still `meta`; drops the entry if another was faster.
    pub(super) fn write(&self, slot: usize, meta: u64, key: Key, entry: &Entry<R>) {
        let lock = self.word(slot + META);
        if meta & LOCK != 0 || lock.compare_exchange(meta, meta | LOCK, AcqRel, Relaxed).is_err() {
            return;
        }
        // Readers that see a word stored below must also see the lock.
        fence(Release);
        let old = self.word(slot + NUMBERS).load(Relaxed);
        if old != 0 && solved(old) {
            let same = self.word(slot + LOW).load(Relaxed) == key.0 as u64
                && self.word(slot + HIGH).load(Relaxed) == (key.0 >> 64) as u64;
            if !entry.numbers.settled() {
                lock.store(meta, Release);
                return;
            }
            if same && old != pack_numbers(entry.numbers) {
                lock.store(meta, Release);
                std::panic::panic_any(Contradiction { key });
            }
        }
        self.word(slot + LOW).store(key.0 as u64, Relaxed);
        self.word(slot + HIGH).store((key.0 >> 64) as u64, Relaxed);
        self.word(slot + NUMBERS).store(pack_numbers(entry.numbers), Relaxed);
        let mut extra = slot + EXTRA;
        if self.links {
            self.word(extra).store(entry.parent, Relaxed);
            self.word(extra + 1).store(entry.marks, Relaxed);
            extra += 2;
        }
        let mut words = [0; MAX_REASON];
        entry.reason.store(&mut words[..R::WORDS]);
        for (i, &word) in words[..R::WORDS].iter().enumerate() {
            self.word(extra + i).store(word, Relaxed);
        }
        lock.store(pack_meta(entry, version_of(meta) + 1), Release);
    }
}

/// What an entry must be worth more than to take this slot: empty slots come first, then unsettled
/// entries, then (for a settled one) settled entries.
#[inline]
pub(super) fn worth(numbers: u64, meta: u64, new_solved: bool) -> u64 {
    if numbers == 0 {
        0
    } else if !solved(numbers) {
        1 + u64::from(work_of(meta))
    } else if new_solved {
        1 << 32 | u64::from(work_of(meta))
    } else {
        u64::MAX
    }
}
