//! The states between the root of a search and its current node, and the verdicts that hold on
//! exactly one such path (the graph history interaction problem, Kishimoto & Müller 2004).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::numbers::Verdict;
use crate::problem::Key;

/// Hasher for keys: they are already mixed, so the low half is the hash.
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

/// A map by key without a second hash.
pub(crate) type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;
type LowMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// The ancestors on the path that a verdict depends on, because one of its lines repeats them.
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

    /// Removes the ancestor at this depth, given that no deeper one is left.
    #[must_use]
    pub fn without(self, depth: u32) -> Self {
        if self.top >= depth {
            return Self::FREE;
        }
        let gone = if depth < Self::SHARED { 1 << depth } else { 0 };
        Self { mask: self.mask & !gone, top: self.top }
    }

    /// Larger for the verdict that depends on less.
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
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    fn on(depths: &BTreeSet<u32>) -> Dep {
        depths.iter().fold(Dep::FREE, |dep, &depth| dep.and(Dep::on(depth)))
    }

    fn depths() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(prop_oneof![0..70u32, 60..68u32, Just(100_000)], 0..6)
    }

    #[test]
    fn a_free_verdict_depends_on_nothing() {
        assert!(Dep::FREE.is_free());
        assert!((0..200).all(|depth| !Dep::FREE.depends_on(depth)));
        assert!(Dep::on(0).freedom() < Dep::on(1).freedom());
        assert!(Dep::on(100_000).freedom() < Dep::FREE.freedom());
    }

    #[test]
    fn a_loop_closed_at_its_head_depends_on_nothing_more() {
        for depth in [0, 1, 62, 63, 64, 1000] {
            assert!(Dep::on(depth).without(depth).is_free());
            assert!(!Dep::on(depth).is_free());
        }
    }

    #[test]
    fn depths_past_the_last_bit_are_not_lost_when_one_of_them_goes() {
        let dep = Dep::on(3).and(Dep::on(65)).and(Dep::on(80));
        let left = dep.without(80);
        assert!(left.depends_on(65) && left.depends_on(3));
        let left = left.without(65);
        assert!(left.depends_on(3) && !left.is_free());
        assert!(left.without(3).is_free());
    }

    proptest! {
        #[test]
        fn deps_are_sets_of_depths(a in depths(), b in depths(), c in depths()) {
            let both: BTreeSet<u32> = a.union(&b).copied().collect();
            prop_assert_eq!(on(&a).and(on(&b)), on(&both));
            prop_assert_eq!(on(&a).and(on(&b)), on(&b).and(on(&a)));
            prop_assert_eq!(on(&a).and(on(&b)).and(on(&c)), on(&a).and(on(&b).and(on(&c))));
            prop_assert_eq!(on(&a).and(on(&a)), on(&a));
            prop_assert_eq!(on(&a).and(Dep::FREE), on(&a));
            prop_assert_eq!(on(&a).is_free(), a.is_empty());
            prop_assert_eq!(on(&a).freedom(), a.first().copied().unwrap_or(u32::MAX));
        }

        #[test]
        fn a_dependence_is_never_denied_and_rarely_made_up(a in depths(), depth in 0..80u32) {
            let found = on(&a).depends_on(depth);
            prop_assert!(found || !a.contains(&depth));
            // Only depths that share a bit can be confused, and never one above the topmost.
            prop_assert!(!found || a.contains(&depth) || depth >= 63);
            prop_assert!(!found || a.first().is_some_and(|&top| top <= depth));
        }

        #[test]
        fn the_deepest_can_be_taken_away_one_by_one(a in depths()) {
            let (mut dep, mut left) = (on(&a), a);
            while let Some(deepest) = left.pop_last() {
                dep = dep.without(deepest);
                prop_assert_eq!(dep.is_free(), left.is_empty());
                prop_assert_eq!(dep.freedom(), on(&left).freedom());
                prop_assert!(left.iter().all(|&depth| dep.depends_on(depth)));
                for depth in 0..63 {
                    prop_assert_eq!(dep.depends_on(depth), left.contains(&depth));
                }
                // A second call changes nothing.
                prop_assert_eq!(dep.without(deepest), dep);
            }
        }
    }

    #[test]
    fn a_path_finds_its_states_by_key_and_by_low_half() {
        let mut path = Path::default();
        let keys: Vec<Key> = (0..100).map(Key::mixed).collect();
        for (depth, &key) in keys.iter().enumerate() {
            assert_eq!(path.depth(key), None);
            path.push(key, depth as u32);
        }
        for (depth, &key) in keys.iter().enumerate() {
            assert_eq!(path.depth(key), Some(depth as u32));
            assert_eq!(path.depth_of_low(key.0 as u64), Some(depth as u32));
            let stranger = Key(key.0 ^ 1 << 64);
            assert_eq!(path.depth(stranger), None, "only the low half is the same");
        }
        for &key in keys.iter().rev() {
            path.pop(key);
            assert_eq!(path.depth(key), None);
            assert_eq!(path.depth_of_low(key.0 as u64), None);
        }
        path.push(keys[0], 0);
        path.clear();
        assert_eq!(path.depth(keys[0]), None);
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
        let mut twins = Twins::default();
        assert_eq!(twins.lookup(5), None);
        twins.store(5, Verdict::Proven, Dep::on(2));
        twins.store(6, Verdict::Disproven, Dep::on(1));
        assert_eq!(twins.lookup(5), Some((Verdict::Proven, Dep::on(2))));
        assert_eq!(twins.lookup(6), Some((Verdict::Disproven, Dep::on(1))));
        assert_eq!(twins.lookup(5 | 1 << 64), None, "another path with the same low half");
        for path in 0..3 * MAX_TWINS as u128 {
            twins.store(path, Verdict::Proven, Dep::on(0));
            assert!(twins.slots.len() <= MAX_TWINS);
        }
    }
}
