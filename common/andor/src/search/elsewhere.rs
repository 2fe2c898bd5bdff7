//! States that others search with their own tables. They look worse here, so that this search
//! avoids them while another child is about as good. This is advice: a hash collision costs only
//! work.

use crate::numbers::LIMIT;
use crate::problem::Key;

const WORDS: usize = 1 << 10;

/// A set of states at the top of the search.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    bits: Box<[u64; WORDS]>,
    /// Children of nodes at this depth or below are not in the set.
    depth: usize,
}

impl Elsewhere {
    /// The set of `keys`, none of them deeper than `depth`.
    pub fn new(keys: &[Key], depth: usize) -> Self {
        let mut bits = Box::new([0; WORDS]);
        for key in keys {
            let (word, bit) = place(*key);
            bits[word] |= bit;
        }
        Self { bits, depth }
    }

    /// Whether a child of a node at this depth can be in the set.
    pub fn reaches(&self, depth: usize) -> bool {
        depth < self.depth
    }

    /// How much worse a child with this number looks: twice as bad (measured: more is no better).
    pub fn burden(&self, key: Key, one: u32) -> u32 {
        let (word, bit) = place(key);
        if self.bits[word] & bit == 0 { 0 } else { one.min(LIMIT) }
    }
}

fn place(key: Key) -> (usize, u64) {
    let hash = (key.0 >> 64) as usize;
    (hash / 64 % WORDS, 1 << (hash % 64))
}
