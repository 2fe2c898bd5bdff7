//! What a verdict depends on: a rank that is enough for a proof, or up to which a disproof holds.

use hasami_andor::Reason;

use crate::hand::{Hand, Rank};

/// A proof of a position holds for every rank of its family that dominates this one; a disproof for
/// every rank that this one dominates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound(pub Rank);

/// Of a position that nobody has settled.
impl Default for Bound {
    fn default() -> Self {
        Self(Rank { hand: Hand::EMPTY, left: 0 })
    }
}

impl Reason for Bound {
    const WORDS: usize = 1;
    const RANKED: bool = true;

    fn store(self, words: &mut [u64]) {
        words[0] = u64::from(self.0.bits());
    }

    fn load(words: &[u64]) -> Self {
        Self(Rank::from_bits(words[0] as u32))
    }
}
