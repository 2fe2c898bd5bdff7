//! The states between the root of a search and its current node, and the verdicts that hold on
//! exactly one such path (the graph history interaction problem, Kishimoto & Müller 2004).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::marker::PhantomData;

use crate::numbers::Verdict;
use crate::problem::{Key, Rank, Reason};
use crate::search::dep::Dep;
use crate::table::link;

/// Hasher for keys: they are already mixed, at least in the upper half.
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
        self.0 = value as u64 ^ (value >> 64) as u64;
    }
}

/// A map by key without a second hash.
pub(crate) type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;
type LowMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// An ancestor, and the one above it that has the same link.
struct Ancestor {
    key: Key,
    above: u32,
}

/// No further ancestor.
const NONE: u32 = u32::MAX;

/// Finds ancestors by their key, or by their family. `R` decides what links are.
pub(crate) struct Path<R> {
    /// The deepest ancestor with each link.
    deepest: LowMap<u32>,
    ancestors: Vec<Ancestor>,
    reason: PhantomData<R>,
}

impl<R> Default for Path<R> {
    fn default() -> Self {
        Self { deepest: LowMap::default(), ancestors: Vec::new(), reason: PhantomData }
    }
}

impl<R: Reason> Path<R> {
    /// Adds a state below all others.
    pub fn push(&mut self, key: Key) {
        let depth = self.ancestors.len() as u32;
        let above = self.deepest.insert(link::<R>(key), depth).unwrap_or(NONE);
        self.ancestors.push(Ancestor { key, above });
    }

    /// Removes the deepest state.
    pub fn pop(&mut self) {
        let Some(Ancestor { key, above }) = self.ancestors.pop() else { return };
        if above == NONE {
            self.deepest.remove(&link::<R>(key));
        } else {
            self.deepest.insert(link::<R>(key), above);
        }
    }

    /// The depth of the ancestor that a state with this key repeats, and its rank. With families: the
    /// deepest one of the family for which `repeats` holds.
    #[inline]
    pub fn repeated(&self, key: Key, repeats: impl Fn(Rank) -> bool) -> Option<(u32, Rank)> {
        let mut depth = *self.deepest.get(&link::<R>(key))?;
        while let Some(ancestor) = self.ancestors.get(depth as usize) {
            let found = ancestor.key;
            if found == key || R::RANKED && found.family() == key.family() && repeats(found.rank())
            {
                return Some((depth, found.rank()));
            }
            depth = ancestor.above;
        }
        None
    }

    /// The depth of the deepest ancestor with this link.
    pub fn depth_of_link(&self, link: u64) -> Option<u32> {
        self.deepest.get(&link).copied()
    }

    pub fn clear(&mut self) {
        self.deepest.clear();
        self.ancestors.clear();
    }
}

/// Hash of the empty path. Not 0: the key 0 must change it.
pub(crate) const PATH_START: u128 = 0x6a09_e667_f3bc_c908_bb67_ae85_84ca_a73b;

/// Hash of a path: of its states in order.
pub(crate) fn extend_path(path: u128, key: Key) -> u128 {
    Key::mixed(path ^ key.0.rotate_left(41)).0
}

/// Verdicts that hold on one path only. Lossy: it saves work, and nothing depends on it.
#[derive(Default)]
pub(crate) struct Twins {
    slots: KeyMap<(Verdict, Dep)>,
}

const MAX_TWINS: usize = 1 << 16;

impl Twins {
    /// Stores that the path ends in a state with this verdict, because of the ancestors in `dep`.
    pub fn store(&mut self, path: u128, verdict: Verdict, dep: Dep) {
        if self.slots.len() >= MAX_TWINS {
            self.slots.clear();
        }
        self.slots.insert(Key(path), (verdict, dep));
    }

    pub fn clear(&mut self) {
        self.slots.clear();
    }

    pub fn lookup(&self, path: u128) -> Option<(Verdict, Dep)> {
        self.slots.get(&Key(path)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::dep::Deps;

    #[test]
    fn a_path_finds_its_states_by_key_and_by_link() {
        let mut path = Path::<()>::default();
        let keys: Vec<Key> = (0..100).map(Key::mixed).collect();
        let find = |path: &Path<()>, key| path.repeated(key, |_| true).map(|(depth, _)| depth);
        for &key in &keys {
            assert_eq!(find(&path, key), None);
            path.push(key);
        }
        for (depth, &key) in keys.iter().enumerate() {
            assert_eq!(find(&path, key), Some(depth as u32));
            assert_eq!(path.depth_of_link(key.0 as u64), Some(depth as u32));
            let stranger = Key(key.0 ^ 1 << 64);
            assert_eq!(find(&path, stranger), None, "only the low half is the same");
        }
        for &key in keys.iter().rev() {
            path.pop();
            assert_eq!(find(&path, key), None);
            assert_eq!(path.depth_of_link(key.0 as u64), None);
        }
        path.push(keys[0]);
        path.clear();
        assert_eq!(find(&path, keys[0]), None);
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Ranked;

    impl Reason for Ranked {
        const WORDS: usize = 0;
        const RANKED: bool = true;
        fn store(self, _: &mut [u64]) {}
        fn load(_: &[u64]) -> Self {
            Self
        }
    }

    #[test]
    fn of_a_family_the_deepest_ancestor_that_is_good_enough_is_found() {
        let mut path = Path::<Ranked>::default();
        let key = |family, rank| Key::ranked(family, Rank(rank));
        for (family, rank) in [(1, 5), (2, 9), (1, 7), (1, 2)] {
            path.push(key(family, rank));
        }
        let find = |path: &Path<Ranked>, rank| {
            path.repeated(key(1, rank), |found| found >= Rank(rank))
                .map(|(depth, at)| (depth, at.0))
        };
        assert_eq!(find(&path, 1), Some((3, 2)));
        assert_eq!(find(&path, 3), Some((2, 7)));
        assert_eq!(find(&path, 8), None, "another family has nine");
        path.pop();
        assert_eq!(find(&path, 1), Some((2, 7)));
        path.pop();
        assert_eq!(find(&path, 1), Some((0, 5)));
        assert_eq!(find(&path, 6), None);
    }

    #[test]
    fn paths_of_the_same_states_in_another_order_have_another_name() {
        let name = |states: &[u128]| {
            states.iter().fold(PATH_START, |at, &s| extend_path(at, Key::mixed(s)))
        };
        let mut names: Vec<u128> = Vec::new();
        for a in 0..6 {
            names.push(name(&[a]));
            for b in 0..6 {
                names.push(name(&[a, b]));
                (0..6).for_each(|c| names.push(name(&[a, b, c])));
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(name(&[1, 2, 3]), name(&[1, 2, 3]));
    }

    #[test]
    fn twins_remember_a_path_and_never_grow_without_end() {
        let (mut twins, mut deps) = (Twins::default(), Deps::new());
        let [on_0, on_1, on_2] = [0, 1, 2].map(|depth| deps.on(depth));
        assert_eq!(twins.lookup(5), None);
        twins.store(5, Verdict::Proven, on_2);
        twins.store(6, Verdict::Disproven, on_1);
        assert_eq!(twins.lookup(5), Some((Verdict::Proven, on_2)));
        assert_eq!(twins.lookup(6), Some((Verdict::Disproven, on_1)));
        assert_eq!(twins.lookup(5 | 1 << 64), None, "another path with the same low half");
        for path in 0..3 * MAX_TWINS as u128 {
            twins.store(path, Verdict::Proven, on_0);
            assert!(twins.slots.len() <= MAX_TWINS);
        }
    }
}
