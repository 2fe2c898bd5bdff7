//! The transposition table: bounded, lock-free, shared by any number of threads.
//!
//! Every entry is its own seqlock of plain atomics. A reader that meets a writer sees "not there";
//! a writer that meets a writer drops its entry. No thread ever waits, and no thread may rely on a
//! store having succeeded.

mod atomic;
mod collect;
mod entry;
mod family;
mod growth;
mod memory;
mod outbox;
mod run;
mod spill;
mod store;

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use crate::problem::{Key, Reason};
use atomic::{AtomicBool, AtomicU64, fence};
use entry::{best_of, depth_of, unpack_numbers, work_of};
use growth::Growth;
use memory::Lines;
use outbox::Outbox;

pub(crate) use entry::link;
pub use entry::{Entry, MAX_DEPTH, NO_MOVE};
pub use family::Look;
pub(crate) use family::implies;
pub use memory::OutOfMemory;

/// A state was both proven and disproven: a kernel or a game is wrong. Payload of the panic of
/// [`Table::store`], which has no other way to report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Key of the state.
    pub key: Key,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state {} was both proven and disproven", self.key)
    }
}

const LOCK: u64 = 1 << 63;
const BUCKET: usize = 4;
// Loom can explore every order of only one bucket.
const MIN_BUCKETS: usize = if cfg!(loom) { 1 } else { 16 };

// The words of an entry: key low, key high, numbers, meta, then links if enabled, then the reason.
const LOW: usize = 0;
const HIGH: usize = 1;
const NUMBERS: usize = 2;
const META: usize = 3;
const EXTRA: usize = 4;
const MAX_REASON: usize = 4;

/// A bounded number of entries that any thread may read and write.
pub struct Table<R> {
    lines: Lines,
    /// Buckets that fit into the memory; [`Growth`] holds how many are in use.
    buckets: u64,
    growth: Growth,
    stride: usize,
    links: bool,
    dropped: AtomicU64,
    /// Slots at which runs do not end; only counted where states form families.
    taken: AtomicU64,
    collections: AtomicU64,
    /// Held while the table grows or is thinned out.
    exclusive: AtomicBool,
    outbox: Outbox<R>,
    reason: PhantomData<R>,
}

impl<R: Reason> Table<R> {
    /// Buckets beyond the last one that entries may lie in.
    const BEYOND: usize = if R::RANKED { run::LONGEST / BUCKET } else { 0 };

    /// A table of at most `mib` MiB, reserved now and used as the search needs it. With `links`,
    /// entries also store [`Entry::parent`] and [`Entry::marks`], which the hybrid sum rule needs.
    ///
    /// # Errors
    /// If the system does not have this much memory.
    pub fn with_mib(mib: usize, links: bool) -> Result<Self, OutOfMemory> {
        let bytes = mib.checked_mul(1 << 20).ok_or(OutOfMemory { mib })?;
        Self::of_size(bytes / (Self::stride(links) * 8), links)
    }

    /// A table of about `entries` entries, never fewer than 64.
    ///
    /// # Panics
    /// If the system does not have the memory.
    #[must_use]
    pub fn with_entries(entries: usize, links: bool) -> Self {
        Self::of_size(entries, links).expect("memory for the table")
    }

    fn of_size(entries: usize, links: bool) -> Result<Self, OutOfMemory> {
        const { assert!(R::WORDS <= MAX_REASON) }
        let stride = Self::stride(links);
        let buckets = (entries / BUCKET).max(MIN_BUCKETS);
        Ok(Self {
            lines: Lines::zeroed(((buckets + Self::BEYOND) * BUCKET * stride).div_ceil(8))?,
            buckets: buckets as u64,
            growth: Growth::new(buckets as u64, BUCKET * stride * 8),
            stride,
            links,
            dropped: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            collections: AtomicU64::new(0),
            exclusive: AtomicBool::new(false),
            outbox: Outbox::closed(),
            reason: PhantomData,
        })
    }

    /// Size of one entry in bytes.
    #[must_use]
    pub fn entry_bytes(links: bool) -> usize {
        Self::stride(links) * 8
    }

    fn stride(links: bool) -> usize {
        EXTRA + if links { 2 } else { 0 } + R::WORDS
    }

    /// Maximum number of entries.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buckets as usize * BUCKET
    }

    /// Whether entries store parents and marks.
    #[must_use]
    pub fn links(&self) -> bool {
        self.links
    }

    /// How often the table was full and had to be thinned out.
    #[must_use]
    pub fn collections(&self) -> u64 {
        self.collections.load(Relaxed)
    }

    /// Number of entries whose memory is in use, filled or not.
    #[must_use]
    pub fn slots(&self) -> usize {
        (self.growth.active() as usize + Self::BEYOND) * BUCKET
    }

    fn bucket(&self, link: u64) -> usize {
        self.bucket_of(link, self.growth.active())
    }

    /// The first word of a bucket, or of a run, when `active` buckets are in use.
    #[inline]
    fn bucket_of(&self, link: u64, active: u64) -> usize {
        let spread = link.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Families begin at any slot.
        let (places, size) = if R::RANKED { (active * BUCKET as u64, 1) } else { (active, BUCKET) };
        let place = (u128::from(spread) * u128::from(places)) >> 64;
        place as usize * size * self.stride
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        &self.lines[index / 8].0[index % 8]
    }

    /// Prefetches what [`Table::lookup`] of this key will read.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(link::<R>(key));
            for half in 0..2 {
                let word: *const AtomicU64 = self.word(bucket + half * BUCKET / 2 * self.stride);
                // SAFETY: the pointer comes from a live reference, and a prefetch reads nothing
                // that the program could observe.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(word.cast()) };
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What the table knows about a state, if the entry is still there.
    #[inline]
    #[must_use]
    pub fn lookup(&self, key: Key) -> Option<Entry<R>> {
        let found = self.find(key, self.growth.active());
        if found.is_none()
            && let Some(previous) = self.growth.previous()
        {
            return self.find(key, previous);
        }
        found
    }

    /// Looks up a state with `active` buckets in use.
    #[inline]
    fn find(&self, key: Key, active: u64) -> Option<Entry<R>> {
        if R::RANKED {
            let read = |slot| self.read(slot).filter(|(found, _)| *found == key);
            return self.relatives(link::<R>(key), active).find_map(read).map(|(_, entry)| entry);
        }
        let bucket = self.bucket_of(link::<R>(key), active);
        let is_key = |(found, _): &(Key, Entry<R>)| *found == key;
        self.find_in(bucket, active, (LOW, key.0 as u64), is_key).map(|(_, entry)| entry)
    }

    /// Looks for an entry in the run of a bucket: one that has this value in one of the words of its
    /// key, and that is the one.
    #[inline]
    fn find_in(
        &self,
        bucket: usize,
        active: u64,
        half: (usize, u64),
        is_it: impl Fn(&(Key, Entry<R>)) -> bool,
    ) -> Option<(Key, Entry<R>)> {
        let (word, value) = half;
        let mut full = true;
        for slot in (0..BUCKET).map(|place| bucket + place * self.stride) {
            let found = self.word(slot + word).load(Relaxed);
            if found == value
                && let Some(entry) = self.read(slot).filter(&is_it)
            {
                return Some(entry);
            }
            full &= found != 0;
        }
        if full && self.spills(active) {
            self.find_after(bucket, active, half, is_it)
        } else {
            None
        }
    }

    /// The parent link of the state with this link (of a family: of one of its states).
    #[must_use]
    pub fn parent(&self, link: u64) -> Option<u64> {
        let active = self.growth.active();
        let found = if R::RANKED {
            self.relatives(link, active).find_map(|slot| self.read(slot))
        } else {
            self.find_in(self.bucket_of(link, active), active, (LOW, link), |_| true)
        };
        found.map(|(_, entry)| entry.parent).filter(|parent| *parent != 0)
    }

    /// Reads a slot exactly as one writer left it, or not at all.
    #[inline]
    fn read(&self, slot: usize) -> Option<(Key, Entry<R>)> {
        let before = self.word(slot + META).load(Acquire);
        if before & LOCK != 0 {
            return None;
        }
        let low = self.word(slot + LOW).load(Relaxed);
        let high = self.word(slot + HIGH).load(Relaxed);
        let numbers = self.word(slot + NUMBERS).load(Relaxed);
        let mut extra = slot + EXTRA;
        let (mut parent, mut marks) = (0, 0);
        if self.links {
            parent = self.word(extra).load(Relaxed);
            marks = self.word(extra + 1).load(Relaxed);
            extra += 2;
        }
        let mut words = [0; MAX_REASON];
        for (i, word) in words[..R::WORDS].iter_mut().enumerate() {
            *word = self.word(extra + i).load(Relaxed);
        }
        fence(Acquire);
        if self.word(slot + META).load(Relaxed) != before {
            return None;
        }
        let numbers = unpack_numbers(numbers)?;
        let entry = Entry {
            numbers,
            work: work_of(before),
            depth: depth_of(before),
            best: best_of(before),
            parent,
            marks,
            reason: R::load(&words[..R::WORDS]),
        };
        Some((Key(u128::from(low) | u128::from(high) << 64), entry))
    }

    /// Visits every readable entry, in no order; for publishing and statistics.
    pub fn for_each(&self, mut visit: impl FnMut(Key, Entry<R>)) {
        for slot in (0..self.slots()).map(|i| i * self.stride) {
            if let Some((key, entry)) = self.read(slot) {
                visit(key, entry);
            }
        }
    }

    /// Makes the system provide all the memory now, so that a measurement does not pay for it.
    pub fn touch(&self) {
        self.grow_fully();
        for line in self.lines.iter().step_by(4096 / 64) {
            line.0[0].fetch_or(0, Relaxed);
        }
    }

    /// The share of slots in use, estimated from a sample.
    #[must_use]
    pub fn fill(&self) -> f64 {
        let count = self.slots();
        // Odd, because the slots of a bucket fill in order.
        let step = (count / 4096) | 1;
        let (mut seen, mut used) = (0u32, 0u32);
        for i in (0..count).step_by(step) {
            seen += 1;
            used += u32::from(self.word(i * self.stride + NUMBERS).load(Relaxed) != 0);
        }
        f64::from(used) / f64::from(seen) * count as f64 / self.capacity() as f64
    }
}
