//! While a table can still grow, an entry whose bucket is full lies in one of the next buckets.
//!
//! Growing at the first full bucket would leave most of the memory empty: of a million buckets of
//! four, one is full when the table has about a twentieth of its entries. All the memory would be touched
//! for it, which takes longer than the search. With the next buckets the table is a quarter full when it
//! grows, and still forgets nothing. Only lookups that meet a full bucket look further.

use std::sync::atomic::Ordering::{Acquire, Relaxed};

use super::entry::{solved, work_of};
use super::{BUCKET, Entry, HIGH, LOW, META, NUMBERS, Table};
use crate::problem::{Key, Reason};

/// How many buckets after its own an entry may lie in.
const NEXT: usize = 2;

impl<R: Reason> Table<R> {
    /// Whether entries may lie outside of their buckets. At full size none does; families have
    /// several buckets anyway.
    #[inline]
    pub(super) fn spills(&self, active: u64) -> bool {
        !R::RANKED && active < self.buckets
    }

    /// The slots after a bucket in which its entries may lie.
    fn slots_after(&self, bucket: usize, active: u64) -> impl Iterator<Item = usize> {
        let (width, active) = (BUCKET * self.stride, active as usize);
        let next = (1..=NEXT).map(move |step| (bucket / width + step) % active * width);
        next.flat_map(move |first| (0..BUCKET).map(move |slot| first + slot * self.stride))
    }

    /// Looks up a state whose bucket is full of others.
    #[cold]
    pub(super) fn find_after(
        &self,
        bucket: usize,
        active: u64,
        (word, value): (usize, u64),
        is_it: impl Fn(&(Key, Entry<R>)) -> bool,
    ) -> Option<(Key, Entry<R>)> {
        let slots = self.slots_after(bucket, active);
        let mut alike = slots.filter(|slot| self.word(slot + word).load(Relaxed) == value);
        alike.find_map(|slot| self.read(slot).filter(&is_it))
    }

    /// Stores an entry whose bucket is full of others, if there is room after it. Returns the work of
    /// the entry of the same state that it replaces, as [`Table::place`] does.
    #[cold]
    pub(super) fn place_after(
        &self,
        key: Key,
        entry: &Entry<R>,
        bucket: usize,
        active: u64,
    ) -> Option<u32> {
        let mut empty = None;
        for slot in self.slots_after(bucket, active) {
            let meta = self.word(slot + META).load(Acquire);
            let numbers = self.word(slot + NUMBERS).load(Relaxed);
            if numbers == 0 {
                empty = empty.or(Some((slot, meta)));
            } else if self.word(slot + LOW).load(Relaxed) == key.0 as u64
                && self.word(slot + HIGH).load(Relaxed) == (key.0 >> 64) as u64
            {
                self.write(slot, meta, key, entry);
                return Some(if solved(numbers) { u32::MAX } else { work_of(meta) });
            }
        }
        let (slot, meta) = empty?;
        self.write(slot, meta, key, entry);
        Some(0)
    }
}
