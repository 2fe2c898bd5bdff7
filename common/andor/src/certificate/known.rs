//! The states of a proof by key. A proof has millions of them, and most questions are answered with
//! no, so an entry is eight bytes and the keys are elsewhere.

use hashbrown::HashTable;

use super::NodeId;
use crate::problem::Key;

/// The keys of states, and the number of the state with each.
#[derive(Default)]
pub(super) struct Known {
    keys: Vec<Key>,
    /// Part of the key, and the number.
    entries: HashTable<(u32, NodeId)>,
}

impl Known {
    /// The key of a state.
    pub fn key(&self, id: NodeId) -> Key {
        self.keys[id as usize]
    }

    /// The state with this key.
    pub fn find(&self, key: Key) -> Option<NodeId> {
        let part = part_of(key);
        let here = |&(other, id): &(u32, NodeId)| other == part && self.keys[id as usize] == key;
        self.entries.find(hash_of(part), here).map(|&(_, id)| id)
    }

    /// Adds a state whose key is new; returns its number.
    pub fn add(&mut self, key: Key) -> NodeId {
        let id = NodeId::try_from(self.keys.len()).expect("fewer states than memory has room for");
        self.keys.push(key);
        let part = part_of(key);
        self.entries.insert_unique(hash_of(part), (part, id), |&(part, _)| hash_of(part));
        id
    }
}

/// Keys are mixed already, but for ranks in the lowest bits.
fn part_of(key: Key) -> u32 {
    (key.0 >> 64) as u32 ^ (key.0 as u32).wrapping_mul(0x9e37_79b1)
}

/// Spreads the bits: the table looks at the highest and at the lowest ones.
fn hash_of(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_by_the_whole_key() {
        let mut known = Known::default();
        let key = |n: u128| Key((n << 96) | ((n % 7) << 64) | ((n % 3) << 32));
        for n in 0..1000 {
            assert_eq!(known.find(key(n)), None, "many keys have the same part");
            assert_eq!(known.add(key(n)), n as NodeId);
        }
        assert!((0..1000).all(|n| known.find(key(n)) == Some(n as NodeId)));
        assert!((0..1000).all(|n| known.key(n as NodeId) == key(n)));
        assert_eq!(known.find(Key(1)), None);
    }
}
