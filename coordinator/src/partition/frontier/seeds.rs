//! The seeds of searches that are out: small numbers, so that a worker that asks again tends to get
//! the seed it had and continues with its table.

use std::collections::BTreeSet;

/// Seeds in use. 0 is none.
#[derive(Default)]
pub(super) struct Seeds(BTreeSet<u64>);

impl Seeds {
    /// The smallest one that is not in use.
    pub fn take(&mut self) -> u64 {
        let gap = self.0.iter().zip(1..).find(|&(&used, seed)| used != seed);
        let seed = gap.map_or(self.0.len() as u64 + 1, |(_, seed)| seed);
        self.0.insert(seed);
        seed
    }

    pub fn give_back(&mut self, seed: u64) {
        self.0.remove(&seed);
    }

    /// How many are in use.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_free_seed_comes_next() {
        let mut seeds = Seeds::default();
        assert_eq!([(); 3].map(|()| seeds.take()), [1, 2, 3]);
        seeds.give_back(2);
        seeds.give_back(9);
        assert_eq!((seeds.len(), seeds.take(), seeds.take()), (2, 2, 4));
    }
}
