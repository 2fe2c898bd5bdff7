//! What a verdict depends on, as a few words beside it in the table.

use std::fmt;

/// What a settled verdict depends on, if a game wants it stored with the verdict: the zone of a
/// polyomino proof, the hand of a shogi proof. Most games use `()`.
pub trait Reason: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Number of 64-bit words in the table (at most 4).
    const WORDS: usize;
    /// Whether a reason names a [`crate::problem::Rank`]: the table then keeps the states of a family
    /// together. Must be the same as [`crate::Problem::DOMINATES`].
    const RANKED: bool = false;
    /// Writes the reason into `WORDS` words.
    fn store(self, words: &mut [u64]);
    /// Reads the reason back.
    fn load(words: &[u64]) -> Self;
}

impl Reason for () {
    const WORDS: usize = 0;
    fn store(self, _: &mut [u64]) {}
    fn load(_: &[u64]) -> Self {}
}

impl Reason for u64 {
    const WORDS: usize = 1;
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
    fn load(words: &[u64]) -> Self {
        words[0]
    }
}

impl Reason for u128 {
    const WORDS: usize = 2;
    fn store(self, words: &mut [u64]) {
        words[0] = self as u64;
        words[1] = (self >> 64) as u64;
    }
    fn load(words: &[u64]) -> Self {
        u128::from(words[0]) | u128::from(words[1]) << 64
    }
}
