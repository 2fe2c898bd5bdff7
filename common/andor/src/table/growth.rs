//! A table uses the start of its memory, and more of it as the search goes on: a question of a
//! thousand nodes must not pay for clearing the memory of one of a billion.
//!
//! It grows as soon as a bucket and those after it are full, before an entry has to give way. A search with one thread
//! therefore forgets nothing that it would remember in a table of full size, and visits the same nodes.
//!
//! The high bits of a hash choose the bucket, so in a larger table every entry lies at the same
//! place or further on. One thread moves them, from the last bucket to the first, and never
//! overwrites one that it has not moved yet. The others go on: an entry that is not at its new
//! place is looked for at the old one, and missed at worst. An entry stored under the old size meanwhile may be lost, as
//! any entry may.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::atomic::AtomicBool;
use super::{BUCKET, Entry, META, Table, link};
use crate::problem::{Key, Reason};

/// Bytes that a table uses at first.
const FIRST_BYTES: usize = 256 << 10;
/// Growth factor.
const STEP: u64 = 2;

/// How much of a table is in use. Plain atomics: a thread that reads an old size misses an entry,
/// which is always allowed.
pub(super) struct Growth {
    /// Buckets in use.
    active: AtomicU64,
    /// Buckets in use before the current growth; 0 if the table is not growing.
    previous: AtomicU64,
}

impl Growth {
    /// For a table of `buckets` buckets of `bucket_bytes` bytes each.
    pub fn new(buckets: u64, bucket_bytes: usize) -> Self {
        let first = (FIRST_BYTES / bucket_bytes) as u64;
        Self { active: AtomicU64::new(buckets.min(first)), previous: AtomicU64::new(0) }
    }

    #[inline]
    pub fn active(&self) -> u64 {
        self.active.load(Relaxed)
    }

    /// The old size, under which entries may still lie, if the table is growing.
    #[inline]
    pub fn previous(&self) -> Option<u64> {
        let previous = self.previous.load(Relaxed);
        (previous != 0).then_some(previous)
    }
}

/// Held by the one thread that grows a table or thins it out.
pub(super) struct Exclusive<'a>(&'a AtomicBool);

impl<'a> Exclusive<'a> {
    /// `None` if another thread holds it.
    pub fn take(flag: &'a AtomicBool) -> Option<Self> {
        flag.compare_exchange(false, true, Acquire, Relaxed).is_ok().then_some(Self(flag))
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

impl<R: Reason> Table<R> {
    /// Whether some memory is not in use yet.
    #[inline]
    pub(super) fn can_grow(&self) -> bool {
        self.growth.active() < self.buckets
    }

    /// A bucket is full. True if the table has grown since it had `active` buckets in use.
    #[cold]
    pub(super) fn grow_from(&self, active: u64) -> bool {
        let Some(_exclusive) = Exclusive::take(&self.exclusive) else { return false };
        // Another thread may have been faster.
        if self.growth.active() == active && self.can_grow() {
            self.grow();
        }
        self.growth.active() > active
    }

    /// Uses all of the memory from now on.
    pub(super) fn grow_fully(&self) {
        while self.can_grow() {
            if let Some(_exclusive) = Exclusive::take(&self.exclusive) {
                self.grow();
            }
        }
    }

    /// Uses more of the memory and moves the entries to their new places.
    fn grow(&self) {
        let old = self.growth.active();
        let new = old.saturating_mul(STEP).min(self.buckets);
        self.lines.prefer_huge_pages((new as usize + Self::BEYOND) * BUCKET * self.stride / 8);
        self.growth.previous.store(old, Relaxed);
        self.growth.active.store(new, Relaxed);
        self.taken.store(0, Relaxed);
        for slot in (0..(old as usize + Self::BEYOND) * BUCKET).rev().map(|i| i * self.stride) {
            let meta = self.word(slot + META).load(Acquire);
            let Some((key, entry)) = self.read(slot) else {
                self.end_run(slot, meta);
                continue;
            };
            if self.belongs(slot, key) {
                self.count_slot();
            } else {
                // First out of the way: it might be found as its own new place.
                self.clear(slot, meta);
                self.end_run(slot, self.word(slot + META).load(Acquire));
                self.carry(key, &entry);
            }
        }
        self.growth.previous.store(0, Relaxed);
    }

    fn belongs(&self, slot: usize, key: Key) -> bool {
        let first = self.bucket(link::<R>(key));
        // Further on in its run, it might not be found.
        let places = if R::RANKED { 1 } else { BUCKET };
        (first..first + places * self.stride).contains(&slot)
    }

    /// Moves an old entry, unless more is known by now.
    fn carry(&self, key: Key, entry: &Entry<R>) {
        let known = self.find(key, self.growth.active());
        if known.is_none_or(|known| entry.numbers.settled() || entry.work > known.work) {
            self.place(key, entry);
        }
    }
}
