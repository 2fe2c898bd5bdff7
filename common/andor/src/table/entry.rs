//! One entry, and its words in the table.

use crate::numbers::Numbers;
use crate::problem::{Key, Reason};

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
    /// The link of the state it was last searched from; 0 if links are off.
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
pub const MAX_DEPTH: u16 = u16::MAX;

/// Bits of the work that are stored; a larger one is rounded down to so many leading bits.
const WORK_DIGITS: u32 = 18;
const WORK: u64 = (1 << (WORK_DIGITS + 4)) - 1;

/// The meta word: lock 1, version 15, depth 16, best 10, work 22 bits.
pub(super) fn pack_meta<R>(entry: &Entry<R>, version: u64) -> u64 {
    (version & 0x7fff) << 48
        | u64::from(entry.depth) << 32
        | u64::from(entry.best.min(NO_MOVE)) << 22
        | pack_work(entry.work)
}

pub(super) fn version_of(meta: u64) -> u64 {
    (meta >> 48) & 0x7fff
}

pub(super) fn depth_of(meta: u64) -> u16 {
    (meta >> 32) as u16
}

pub(super) fn best_of(meta: u64) -> u16 {
    (meta >> 22) as u16 & NO_MOVE
}

/// Its leading digits, and how many are missing: at most 14, which takes four bits.
fn pack_work(work: u32) -> u64 {
    let missing = (u32::BITS - work.leading_zeros()).saturating_sub(WORK_DIGITS);
    u64::from(missing << WORK_DIGITS | work >> missing)
}

pub(super) fn work_of(meta: u64) -> u32 {
    let packed = (meta & WORK) as u32;
    (packed & ((1 << WORK_DIGITS) - 1)) << (packed >> WORK_DIGITS)
}

pub(super) fn pack_numbers(numbers: Numbers) -> u64 {
    u64::from(numbers.proof) << 32 | u64::from(numbers.disproof)
}

/// `None` for an empty slot: no state has both numbers 0.
pub(super) fn unpack_numbers(word: u64) -> Option<Numbers> {
    (word != 0).then_some(Numbers { proof: (word >> 32) as u32, disproof: word as u32 })
}

pub(super) fn solved(numbers: u64) -> bool {
    numbers >> 32 == 0 || numbers as u32 == 0
}

/// The part of a key that names a state in parent links, and that its place depends on: the low half,
/// or part of the family, because the states of a family lie together.
#[inline]
pub(crate) fn link<R: Reason>(key: Key) -> u64 {
    if R::RANKED { (key.0 >> 64) as u64 } else { key.0 as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_work_is_exact_and_large_work_is_rounded_down_by_little() {
        for work in (0..1 << 18).step_by(7).chain([(1 << 18) - 1, 1 << 18, 1 << 28, 3 << 20]) {
            assert_eq!(work_of(pack_work(work)), work);
        }
        for work in [u32::MAX, (1 << 28) - 1, 300_001, 123_456_789] {
            let found = work_of(pack_work(work));
            assert!(found <= work && work - found <= work >> 17, "{found} for {work}");
        }
    }

    #[test]
    fn the_fields_of_a_meta_word_do_not_touch() {
        let entry = Entry { depth: u16::MAX, best: 0, ..Entry::<()>::new(Numbers::UNKNOWN, 0) };
        let meta = pack_meta(&entry, 0);
        assert_eq!(
            (depth_of(meta), best_of(meta), work_of(meta), version_of(meta)),
            (u16::MAX, 0, 0, 0)
        );
        let entry =
            Entry { depth: 0, best: NO_MOVE, ..Entry::<()>::new(Numbers::UNKNOWN, u32::MAX) };
        let meta = pack_meta(&entry, 0x7fff);
        assert_eq!((depth_of(meta), best_of(meta), version_of(meta)), (0, NO_MOVE, 0x7fff));
        assert!(work_of(meta) > u32::MAX - (1 << 14) && meta >> 63 == 0);
    }
}
