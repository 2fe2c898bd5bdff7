//! States that others search with tables of their own: they look worse here, so that this search goes
//! elsewhere while something else is about as good. Advice: a state that is taken for another costs
//! work only.

use crate::numbers::LIMIT;
use crate::problem::Key;

const WORDS: usize = 1 << 10;

/// A set of states at the top of the search.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    bits: Box<[u64; WORDS]>,
    /// Children of nodes below this depth are not among them.
    depth: usize,
}

impl Elsewhere {
    /// These states, none of them deeper.
    pub fn new(keys: &[Key], depth: usize) -> Self {
        let mut bits = Box::new([0; WORDS]);
        for key in keys {
            let (word, bit) = place(*key);
            bits[word] |= bit;
        }
        Self { bits, depth }
    }

    /// Whether a child of a node at this depth can be one of them.
    pub fn reaches(&self, depth: usize) -> bool {
        depth < self.depth
    }

    /// How much worse a child with this number looks: twice as bad. More makes no difference (measured).
    pub fn burden(&self, key: Key, one: u32) -> u32 {
        let (word, bit) = place(key);
        if self.bits[word] & bit == 0 { 0 } else { one.min(LIMIT) }
    }
}

fn place(key: Key) -> (usize, u64) {
    let hash = (key.0 >> 64) as usize;
    (hash / 64 % WORDS, 1 << (hash % 64))
}
