//! The states between the root of a search and the node it is at, and the verdicts that hold on
//! exactly one such path (the graph history interaction problem, Kishimoto & Müller 2004).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::numbers::Verdict;
use crate::problem::Key;

/// Keys are mixed already: their low half is the hash.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only u64 and u128 are hashed here")
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
    fn write_u128(&mut self, value: u128) {
        self.0 = value as u64;
    }
}

/// A map by key that does not hash again.
pub(crate) type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;
type LowMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// "Depends on no ancestor."
pub(crate) const FREE: u32 = u32::MAX;

/// Finds ancestors by their key.
#[derive(Default)]
pub(crate) struct Path {
    depths: LowMap<(u32, u64)>,
}

impl Path {
    pub fn push(&mut self, key: Key, depth: u32) {
        self.depths.insert(key.0 as u64, (depth, (key.0 >> 64) as u64));
    }

    pub fn pop(&mut self, key: Key) {
        self.depths.remove(&(key.0 as u64));
    }

    /// The depth of the ancestor with this key.
    pub fn depth(&self, key: Key) -> Option<u32> {
        let &(depth, high) = self.depths.get(&(key.0 as u64))?;
        (high == (key.0 >> 64) as u64).then_some(depth)
    }

    /// The depth of the ancestor whose key has this low half.
    pub fn depth_of_low(&self, low: u64) -> Option<u32> {
        self.depths.get(&low).map(|&(depth, _)| depth)
    }

    pub fn clear(&mut self) {
        self.depths.clear();
    }
}

/// Name of a path: of the states on it, in order.
pub(crate) fn extend_path(path: u128, key: Key) -> u128 {
    Key::mixed(path ^ key.0.rotate_left(41)).0
}

/// Verdicts that hold on one path only. Forgetful: it saves work, nothing rests on it.
#[derive(Default)]
pub(crate) struct Twins {
    slots: KeyMap<(Verdict, u32)>,
}

const MAX_TWINS: usize = 1 << 16;

impl Twins {
    /// Remembers that the path ends in a state settled so, because of the ancestor at depth `dep`.
    pub fn store(&mut self, path: u128, verdict: Verdict, dep: u32) {
        if self.slots.len() >= MAX_TWINS {
            self.slots.clear();
        }
        self.slots.insert(Key(path), (verdict, dep));
    }

    pub fn lookup(&self, path: u128) -> Option<(Verdict, u32)> {
        self.slots.get(&Key(path)).copied()
    }
}
