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

/// The ancestors on the path that a verdict depends on, because a line of it repeats them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dep {
    /// One bit for each depth; the last bit stands for all depths from 63 on.
    mask: u64,
    /// The smallest depth.
    top: u32,
}

impl Dep {
    /// Depends on no ancestor: holds on every path.
    pub const FREE: Self = Self { mask: 0, top: u32::MAX };
    const SHARED: u32 = 63;

    /// Depends on the ancestor at this depth.
    pub fn on(depth: u32) -> Self {
        Self { mask: 1 << depth.min(Self::SHARED), top: depth }
    }

    pub fn is_free(self) -> bool {
        self.top == u32::MAX
    }

    pub fn depends_on(self, depth: u32) -> bool {
        self.mask >> depth.min(Self::SHARED) & 1 == 1 && self.top <= depth
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { mask: self.mask | other.mask, top: self.top.min(other.top) }
    }

    /// The same without the ancestor at this depth, where nothing deeper is left.
    #[must_use]
    pub fn without(self, depth: u32) -> Self {
        if self.top >= depth {
            return Self::FREE;
        }
        let gone = if depth < Self::SHARED { 1 << depth } else { 0 };
        Self { mask: self.mask & !gone, top: self.top }
    }

    /// Of two ways to a verdict, the one that depends on less is larger.
    pub fn freedom(self) -> u32 {
        self.top
    }
}

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
    slots: KeyMap<(Verdict, Dep)>,
}

const MAX_TWINS: usize = 1 << 16;

impl Twins {
    /// Remembers that the path ends in a state settled so, because of the ancestors in `dep`.
    pub fn store(&mut self, path: u128, verdict: Verdict, dep: Dep) {
        if self.slots.len() >= MAX_TWINS {
            self.slots.clear();
        }
        self.slots.insert(Key(path), (verdict, dep));
    }

    pub fn lookup(&self, path: u128) -> Option<(Verdict, Dep)> {
        self.slots.get(&Key(path)).copied()
    }
}
