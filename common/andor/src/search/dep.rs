//! The ancestors that a verdict depends on, because one of its lines repeats them: a set of depths.
//!
//! Most sets are small and shallow, and every child has one. So depths below 64 are bits, and deeper
//! ones a list that is shared: each distinct list exists once, its deepest member first, because the
//! deepest ancestor leaves the path first.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

/// Depths below this are bits.
const SHALLOW: u32 = 64;
/// The empty list.
const EMPTY: u32 = 0;
/// Lists are thinned out when there are this many.
const MANY: usize = 1 << 20;

/// A set of depths. Deep ones are in a [`Deps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dep {
    /// One bit for each depth below [`SHALLOW`].
    mask: u64,
    /// The list of the others.
    deep: u32,
    /// The smallest depth.
    top: u32,
}

impl Dep {
    /// Depends on no ancestor: holds on every path.
    pub const FREE: Self = Self { mask: 0, deep: EMPTY, top: u32::MAX };

    pub fn is_free(self) -> bool {
        self.top == u32::MAX
    }

    /// Larger for the verdict that depends on less.
    pub fn freedom(self) -> u32 {
        self.top
    }
}

#[derive(Clone, Copy)]
struct Cell {
    depth: u32,
    /// The list of the smaller depths.
    next: u32,
    /// The smallest depth.
    top: u32,
}

/// The lists of deep ancestors of one search.
pub(crate) struct Deps {
    cells: Vec<Cell>,
    by_content: HashMap<(u32, u32), u32, FxBuildHasher>,
    merging: Vec<u32>,
    /// Thin out when there are this many.
    limit: usize,
}

impl Deps {
    pub fn new() -> Self {
        let empty = Cell { depth: 0, next: EMPTY, top: u32::MAX };
        let (by_content, merging) = (HashMap::default(), Vec::new());
        Self { cells: vec![empty], by_content, merging, limit: MANY }
    }

    /// Depends on the ancestor at this depth.
    #[inline]
    pub fn on(&mut self, depth: u32) -> Dep {
        if depth < SHALLOW {
            return Dep { mask: 1 << depth, deep: EMPTY, top: depth };
        }
        Dep { mask: 0, deep: self.cell(depth, EMPTY), top: depth }
    }

    /// The list that begins with a depth, before smaller ones.
    fn cell(&mut self, depth: u32, next: u32) -> u32 {
        let cells = &mut self.cells;
        *self.by_content.entry((depth, next)).or_insert_with(|| {
            let top = if next == EMPTY { depth } else { cells[next as usize].top };
            cells.push(Cell { depth, next, top });
            (cells.len() - 1) as u32
        })
    }

    /// The depths of both.
    #[inline]
    #[must_use]
    pub fn and(&mut self, a: Dep, b: Dep) -> Dep {
        let deep = match (a.deep, b.deep) {
            (deep, EMPTY) | (EMPTY, deep) => deep,
            (one, other) if one == other => one,
            (one, other) => self.merged(one, other),
        };
        Dep { mask: a.mask | b.mask, deep, top: a.top.min(b.top) }
    }

    fn merged(&mut self, mut a: u32, mut b: u32) -> u32 {
        let mut merging = std::mem::take(&mut self.merging);
        merging.clear();
        while a != EMPTY && b != EMPTY && a != b {
            let [one, other] = [a, b].map(|list| self.cells[list as usize]);
            merging.push(one.depth.max(other.depth));
            a = if one.depth >= other.depth { one.next } else { a };
            b = if other.depth >= one.depth { other.next } else { b };
        }
        let rest = if a == EMPTY { b } else { a };
        let list = merging.iter().rev().fold(rest, |list, &depth| self.cell(depth, list));
        self.merging = merging;
        list
    }

    #[inline]
    pub fn depends_on(&self, dep: Dep, depth: u32) -> bool {
        if depth < SHALLOW {
            return dep.mask >> depth & 1 == 1;
        }
        let at = self.from(dep.deep, depth + 1);
        at != EMPTY && self.cells[at as usize].depth == depth
    }

    /// The part of a list that is less deep than `depth`.
    fn from(&self, mut list: u32, depth: u32) -> u32 {
        while list != EMPTY && self.cells[list as usize].depth >= depth {
            list = self.cells[list as usize].next;
        }
        list
    }

    /// Removes the ancestor at this depth, given that no deeper one is left.
    #[inline]
    #[must_use]
    pub fn without(&self, dep: Dep, depth: u32) -> Dep {
        if dep.top >= depth {
            return Dep::FREE;
        }
        if depth < SHALLOW {
            return Dep { mask: dep.mask & ((1 << depth) - 1), deep: EMPTY, top: dep.top };
        }
        Dep { deep: self.from(dep.deep, depth), ..dep }
    }

    /// Whether it is time for [`Deps::keep`].
    #[inline]
    pub fn is_full(&self) -> bool {
        self.cells.len() > self.limit
    }

    /// Forgets all lists but those of these sets.
    pub fn keep<'a>(&mut self, used: impl Iterator<Item = &'a mut Dep>) {
        let old = std::mem::replace(self, Self::new());
        let mut depths = Vec::new();
        for dep in used.filter(|dep| dep.deep != EMPTY) {
            depths.clear();
            let mut at = dep.deep;
            while at != EMPTY {
                depths.push(old.cells[at as usize].depth);
                at = old.cells[at as usize].next;
            }
            dep.deep = depths.iter().rev().fold(EMPTY, |list, &depth| self.cell(depth, list));
        }
        self.limit = MANY.max(2 * self.cells.len());
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    /// A set of depths as a [`Dep`].
    pub(crate) fn set(deps: &mut Deps, depths: &BTreeSet<u32>) -> Dep {
        depths.iter().fold(Dep::FREE, |dep, &depth| {
            let one = deps.on(depth);
            deps.and(dep, one)
        })
    }

    fn depths() -> impl Strategy<Value = BTreeSet<u32>> {
        let depth = prop_oneof![0..70u32, 60..68u32, 64..80u32, Just(65_535), Just(100_000)];
        prop::collection::btree_set(depth, 0..8)
    }

    #[test]
    fn a_free_verdict_depends_on_nothing() {
        let mut deps = Deps::new();
        assert!(Dep::FREE.is_free());
        assert!((0..200).all(|depth| !deps.depends_on(Dep::FREE, depth)));
        assert!(deps.on(0).freedom() < deps.on(1).freedom());
        assert!(deps.on(100_000).freedom() < Dep::FREE.freedom());
    }

    proptest! {
        #[test]
        fn deps_are_sets_of_depths(a in depths(), b in depths(), c in depths()) {
            let mut deps = Deps::new();
            let both: BTreeSet<u32> = a.union(&b).copied().collect();
            let [x, y, z, both] = [&a, &b, &c, &both].map(|depths| set(&mut deps, depths));
            prop_assert_eq!(deps.and(x, y), both);
            prop_assert_eq!(deps.and(y, x), both);
            let (left, right) = (deps.and(both, z), deps.and(y, z));
            prop_assert_eq!(deps.and(x, right), left);
            prop_assert_eq!(deps.and(x, x), x);
            prop_assert_eq!(deps.and(x, Dep::FREE), x);
            prop_assert_eq!(x.is_free(), a.is_empty());
            prop_assert_eq!(x.freedom(), a.first().copied().unwrap_or(u32::MAX));
            for depth in (0..130).chain([65_534, 65_535, 99_999, 100_000]) {
                prop_assert_eq!(deps.depends_on(x, depth), a.contains(&depth));
            }
        }

        #[test]
        fn the_deepest_can_be_taken_away_one_by_one(a in depths()) {
            let mut deps = Deps::new();
            let (mut dep, mut left) = (set(&mut deps, &a), a);
            while let Some(deepest) = left.pop_last() {
                dep = deps.without(dep, deepest);
                prop_assert_eq!(dep, set(&mut deps, &left));
                // A second call changes nothing.
                prop_assert_eq!(deps.without(dep, deepest), dep);
            }
        }

        #[test]
        fn sets_in_use_survive_a_collection(sets in prop::collection::vec(depths(), 1..20)) {
            let mut deps = Deps::new();
            let mut used: Vec<Dep> = sets.iter().map(|depths| set(&mut deps, depths)).collect();
            (64..600).for_each(|depth| assert!(!deps.on(depth).is_free()));
            deps.keep(used.iter_mut());
            prop_assert!(deps.cells.len() <= 1 + sets.iter().map(BTreeSet::len).sum::<usize>());
            for (dep, depths) in used.iter().zip(&sets) {
                prop_assert_eq!(*dep, set(&mut deps, depths));
            }
        }
    }
}
