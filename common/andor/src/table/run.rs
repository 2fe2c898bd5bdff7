//! Where states form families, a family lies in a *run*: one state after the other from the place of
//! its first, past states of other families, up to a slot that was never used.
//!
//! Some boards are met with two hands, some with fifty. Buckets would be too small for the one and
//! wasted on the other. While runs are short, a lookup reads one or two cache lines, so the table grows when
//! it is three eighths full. An entry that is removed leaves a *gap*, which does not end a run. When the
//! table is thinned out, the entries after the gaps move up.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::atomic::fence;
use super::entry::{solved, version_of, work_of};
use super::growth::Exclusive;
use super::store::worth;
use super::{BUCKET, Entry, HIGH, LOCK, LOW, META, NUMBERS, Table, link};
use crate::problem::{Key, Reason};

/// Slots in a run at most; what does not fit takes the place of something cheaper.
pub(super) const LONGEST: usize = if cfg!(loom) { BUCKET } else { 64 };
/// In the place of the upper half of a key: a slot that is empty again.
pub(super) const GAP: u64 = 1;

/// The share of slots in use, in eighths, at which the table grows, and at which it is thinned out if
/// it cannot grow.
const GROWS_AT: u64 = 5;
const THINS_AT: u64 = 6;

impl<R: Reason> Table<R> {
    /// The slots that seem to hold states of the family with this link, when `active` buckets are in
    /// use.
    #[inline]
    pub(super) fn relatives(&self, link: u64, active: u64) -> impl Iterator<Item = usize> {
        let first = self.bucket_of(link, active);
        (0..LONGEST)
            .map(move |place| first + place * self.stride)
            .map(|slot| (slot, self.word(slot + HIGH).load(Relaxed)))
            .take_while(|&(_, high)| high != 0)
            .filter(move |&(_, high)| high == link)
            .map(|(slot, _)| slot)
    }

    /// As [`Table::place`].
    pub(super) fn place_in_run(&self, key: Key, entry: &Entry<R>) -> u32 {
        let (low, link) = (key.0 as u64, link::<R>(key));
        let active = self.growth.active();
        let first = self.bucket_of(link, active);
        let mut free = None;
        for slot in (0..LONGEST).map(|place| first + place * self.stride) {
            let meta = self.word(slot + META).load(Acquire);
            let high = self.word(slot + HIGH).load(Relaxed);
            let numbers = self.word(slot + NUMBERS).load(Relaxed);
            if high == link && numbers != 0 && self.word(slot + LOW).load(Relaxed) == low {
                self.write(slot, meta, key, entry);
                return if solved(numbers) { u32::MAX } else { work_of(meta) };
            }
            if numbers == 0 && free.is_none() {
                free = Some((slot, meta, high));
            }
            if high == 0 {
                break;
            }
        }
        match free {
            Some((slot, meta, high)) => {
                self.write(slot, meta, key, entry);
                if high == 0 {
                    self.count_slot();
                    self.make_room(active);
                }
            }
            None => self.replace_in_run(key, entry, first, active),
        }
        0
    }

    /// A run is full: the table grows, or the cheapest entry gives way.
    #[cold]
    fn replace_in_run(&self, key: Key, entry: &Entry<R>, first: usize, active: u64) {
        let slots = || (0..LONGEST).map(|place| first + place * self.stride);
        let link = link::<R>(key);
        let own = slots().filter(|slot| self.word(slot + HIGH).load(Relaxed) == link).count();
        // A family that fills its own run would fill it in a larger table too.
        if own * 2 <= LONGEST && active < self.buckets && self.grow_from(active) {
            self.place_in_run(key, entry);
            return;
        }
        let settled = entry.numbers.settled();
        let cheapest = slots()
            .map(|slot| {
                let meta = self.word(slot + META).load(Acquire);
                (worth(self.word(slot + NUMBERS).load(Relaxed), meta, settled), slot, meta)
            })
            .min();
        match cheapest {
            Some((worth, slot, meta)) if worth < u64::MAX => self.write(slot, meta, key, entry),
            _ => self.note_drop(),
        }
    }

    /// A slot was used for the first time.
    pub(super) fn count_slot(&self) {
        if R::RANKED {
            self.taken.fetch_add(1, Relaxed);
        }
    }

    /// Grows or thins out the table if it is too full for short runs.
    #[inline]
    fn make_room(&self, active: u64) {
        let eighths = self.taken.load(Relaxed) * 8;
        let slots = active * BUCKET as u64;
        if active < self.buckets {
            if eighths > slots * GROWS_AT {
                self.grow_from(active);
            }
        } else if eighths > slots * THINS_AT
            && let Some(_exclusive) = Exclusive::take(&self.exclusive)
        {
            self.collect();
        }
    }

    /// Makes an empty slot the end of runs again.
    pub(super) fn end_run(&self, slot: usize, meta: u64) {
        let lock = self.word(slot + META);
        if R::RANKED
            && self.word(slot + HIGH).load(Relaxed) != 0
            && self.word(slot + NUMBERS).load(Relaxed) == 0
            && meta & LOCK == 0
            && lock.compare_exchange(meta, meta | LOCK, AcqRel, Relaxed).is_ok()
        {
            fence(Release);
            self.word(slot + HIGH).store(0, Relaxed);
            lock.store((version_of(meta) + 1) << 48 & !LOCK, Release);
        }
    }

    /// Moves entries up to the gaps before them. Afterwards no entry has an empty slot between its place
    /// and itself, so every empty slot may end a run. A search that reads meanwhile may miss an entry.
    pub(super) fn close_gaps(&self) {
        self.taken.store(0, Relaxed);
        let active = self.growth.active();
        for slot in (0..self.slots()).map(|i| i * self.stride) {
            let meta = self.word(slot + META).load(Acquire);
            let Some((key, entry)) = self.read(slot) else {
                continue;
            };
            let first = self.bucket_of(link::<R>(key), active);
            let before = (first..slot).step_by(self.stride);
            let mut empty = before.filter(|slot| self.word(slot + NUMBERS).load(Relaxed) == 0);
            if let Some(place) = empty.next() {
                self.clear(slot, meta);
                self.write(place, self.word(place + META).load(Acquire), key, &entry);
            }
            self.count_slot();
        }
        for slot in (0..self.slots()).map(|i| i * self.stride) {
            self.end_run(slot, self.word(slot + META).load(Acquire));
        }
    }
}
