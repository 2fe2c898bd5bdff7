//! The transposition table: bounded, lock-free, shared by any number of threads.
//!
//! Every entry is its own seqlock of plain atomics. A reader that meets a writer sees "not there";
//! a writer that meets a writer drops its entry. No thread ever waits, and no thread may rely on a
//! store having succeeded.

mod atomic;
mod collect;
mod growth;
mod memory;
mod outbox;

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use crate::numbers::Numbers;
use crate::problem::{Key, Reason};
use atomic::{AtomicBool, AtomicU64, fence};
use growth::Growth;
use memory::Lines;
use outbox::Outbox;

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

/// What the table knows about a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<R> {
    /// Proof and disproof number.
    pub numbers: Numbers,
    /// Nodes spent below this state so far.
    pub work: u32,
    /// Smallest depth at which it was met, saturating at [`MAX_DEPTH`].
    pub depth: u16,
    /// The move that settled it or looked best, [`NO_MOVE`] if unknown. Only a hint.
    pub best: u16,
    /// Low half of the key of the state it was last searched from; 0 if links are off.
    pub parent: u64,
    /// Moves (by index, the first 64) that share descendants with others: count them with "max".
    pub marks: u64,
    /// What a verdict depends on; meaningless while unsettled.
    pub reason: R,
}

impl<R: Reason> Entry<R> {
    /// An entry with only numbers and work.
    #[must_use]
    pub fn new(numbers: Numbers, work: u32) -> Self {
        Self { numbers, work, depth: 0, best: NO_MOVE, parent: 0, marks: 0, reason: R::default() }
    }
}

/// Index of an unknown move.
pub const NO_MOVE: u16 = (1 << 10) - 1;
/// Depths saturate here.
pub const MAX_DEPTH: u16 = (1 << 10) - 1;

const WORK_BITS: u32 = 28;
const MAX_WORK: u32 = (1 << WORK_BITS) - 1;
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

/// The meta word: lock 1, version 15, depth 10, best 10, work 28 bits.
fn pack_meta<R>(entry: &Entry<R>, version: u64) -> u64 {
    (version & 0x7fff) << 48
        | u64::from(entry.depth.min(MAX_DEPTH)) << 38
        | u64::from(entry.best.min(NO_MOVE)) << 28
        | u64::from(entry.work.min(MAX_WORK))
}

fn version_of(meta: u64) -> u64 {
    (meta >> 48) & 0x7fff
}

fn work_of(meta: u64) -> u32 {
    (meta & u64::from(MAX_WORK)) as u32
}

fn pack_numbers(numbers: Numbers) -> u64 {
    u64::from(numbers.proof) << 32 | u64::from(numbers.disproof)
}

/// `None` for an empty slot: no state has both numbers 0.
fn unpack_numbers(word: u64) -> Option<Numbers> {
    (word != 0).then_some(Numbers { proof: (word >> 32) as u32, disproof: word as u32 })
}

fn solved(numbers: u64) -> bool {
    numbers >> 32 == 0 || numbers as u32 == 0
}

/// A bounded number of entries that any thread may read and write.
pub struct Table<R> {
    lines: Lines,
    /// Buckets that fit into the memory; [`Growth`] holds how many are in use.
    buckets: u64,
    growth: Growth,
    stride: usize,
    links: bool,
    dropped: AtomicU64,
    collections: AtomicU64,
    /// Held while the table grows or is thinned out.
    exclusive: AtomicBool,
    outbox: Outbox<R>,
    reason: PhantomData<R>,
}

impl<R: Reason> Table<R> {
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
            lines: Lines::zeroed((buckets * BUCKET * stride).div_ceil(8))?,
            buckets: buckets as u64,
            growth: Growth::new(buckets as u64, BUCKET * stride * 8),
            stride,
            links,
            dropped: AtomicU64::new(0),
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

    /// Entries of the buckets in use.
    fn slots(&self) -> usize {
        self.growth.active() as usize * BUCKET
    }

    fn bucket(&self, low: u64) -> usize {
        self.bucket_of(low, self.growth.active())
    }

    /// The first word of a bucket when `active` buckets are in use.
    #[inline]
    fn bucket_of(&self, low: u64, active: u64) -> usize {
        let spread = low.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bucket = (u128::from(spread) * u128::from(active)) >> 64;
        bucket as usize * BUCKET * self.stride
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
            let bucket = self.bucket(key.0 as u64);
            for slot in [bucket, bucket + BUCKET / 2 * self.stride] {
                let word: *const AtomicU64 = self.word(slot);
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
        let low = key.0 as u64;
        let mut slot = self.bucket_of(low, active);
        for _ in 0..BUCKET {
            if self.word(slot + LOW).load(Relaxed) == low
                && let Some((found, entry)) = self.read(slot)
                && found == key
            {
                return Some(entry);
            }
            slot += self.stride;
        }
        None
    }

    /// The parent link of the state whose key has this low half.
    #[must_use]
    pub fn parent(&self, low: u64) -> Option<u64> {
        let mut slot = self.bucket(low);
        for _ in 0..BUCKET {
            if self.word(slot + LOW).load(Relaxed) == low
                && let Some((_, entry)) = self.read(slot)
            {
                return (entry.parent != 0).then_some(entry.parent);
            }
            slot += self.stride;
        }
        None
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
            depth: (before >> 38) as u16 & MAX_DEPTH,
            best: (before >> 28) as u16 & NO_MOVE,
            parent,
            marks,
            reason: R::load(&words[..R::WORDS]),
        };
        Some((Key(u128::from(low) | u128::from(high) << 64), entry))
    }

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
    fn place(&self, key: Key, entry: &Entry<R>) -> u32 {
        let low = key.0 as u64;
        let active = self.growth.active();
        let first = self.bucket_of(low, active);
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
            // Empty slots first, then unsettled ones, then (for a settled entry) settled ones.
            let rank = if numbers == 0 {
                0
            } else if !solved(numbers) {
                1 + u64::from(work_of(meta))
            } else if new_solved {
                1 << 32 | u64::from(work_of(meta))
            } else {
                u64::MAX
            };
            if rank < victim_rank {
                victim_rank = rank;
                victim = Some((slot, meta));
            }
            slot += self.stride;
        }
        if victim_rank > 0 && active < self.buckets && self.grow_from(active) {
            return self.place(key, entry);
        }
        match victim {
            Some((slot, meta)) => self.write(slot, meta, key, entry),
            None => self.note_drop(),
        }
        before
    }

    /// Replaces a slot if its meta word is still `meta`; drops the entry if another was faster.
    fn write(&self, slot: usize, meta: u64, key: Key, entry: &Entry<R>) {
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
        let step = (count / 4096).max(1);
        let (mut seen, mut used) = (0u32, 0u32);
        for i in (0..count).step_by(step) {
            seen += 1;
            used += u32::from(self.word(i * self.stride + NUMBERS).load(Relaxed) != 0);
        }
        f64::from(used) / f64::from(seen) * count as f64 / self.capacity() as f64
    }
}
