//! Verdicts that hold while certain ancestors stay on the path.
//!
//! A verdict that depends on repetitions holds wherever the repeated states are on the path,
//! because a longer path only adds repetitions. It is stored here until one of them leaves the
//! path. If that one ends with the same verdict, its own ancestors replace it; when no ancestor is
//! left, the verdict holds everywhere. If it ends otherwise, the verdict is dropped.

use crate::problem::Key;
use crate::search::dep::{Dep, Deps};
use crate::search::path::KeyMap;
use crate::table::Entry;

/// Maximum number of entries; what does not fit is searched again.
const MOST: usize = 1 << 20;

pub(crate) struct Held<R> {
    pub key: Key,
    pub dep: Dep,
    pub entry: Entry<R>,
}

/// How a node left the path.
pub(crate) enum Left {
    /// With the verdict of repetitions, depending on these ancestors.
    Settled(Dep),
    /// In any other way.
    Otherwise,
}

pub(crate) struct Provisional<R> {
    held: Vec<Held<R>>,
    by_key: KeyMap<usize>,
}

impl<R: Copy> Provisional<R> {
    pub fn new() -> Self {
        Self { held: Vec::new(), by_key: KeyMap::default() }
    }

    /// Number of entries; those added below a node come after it.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    pub fn lookup(&self, key: Key) -> Option<&Held<R>> {
        self.by_key.get(&key).map(|&index| &self.held[index])
    }

    pub fn push(&mut self, held: Held<R>) {
        if self.held.len() < MOST && !self.by_key.contains_key(&held.key) {
            self.by_key.insert(held.key, self.held.len());
            self.held.push(held);
        }
    }

    /// The node at `depth` leaves the path; everything from `start` on was added below it. Verdicts
    /// that now hold everywhere are passed to `promote`.
    pub fn leave(
        &mut self,
        start: usize,
        depth: u32,
        left: &Left,
        deps: &mut Deps,
        mut promote: impl FnMut(&Held<R>),
    ) {
        let mut end = start;
        for index in start..self.held.len() {
            let held = &mut self.held[index];
            let mut keep = true;
            if deps.depends_on(held.dep, depth) {
                match left {
                    Left::Settled(dep) => {
                        let others = deps.without(held.dep, depth);
                        held.dep = deps.and(others, *dep);
                    }
                    Left::Otherwise => keep = false,
                }
                if held.dep.is_free() {
                    promote(held);
                    keep = false;
                }
            }
            if keep {
                self.by_key.insert(held.key, end);
                self.held.swap(end, index);
                end += 1;
            } else {
                self.by_key.remove(&held.key);
            }
        }
        self.held.truncate(end);
    }

    /// What each verdict depends on.
    pub fn deps(&mut self) -> impl Iterator<Item = &mut Dep> {
        self.held.iter_mut().map(|held| &mut held.dep)
    }

    pub fn clear(&mut self) {
        self.held.clear();
        self.by_key.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::numbers::Numbers;
    use proptest::prelude::*;

    /// Shallow sets need no lists.
    fn on(depths: &[u32]) -> Dep {
        crate::search::dep::tests::set(&mut Deps::new(), &depths.iter().copied().collect())
    }

    fn held(key: u128, dep: Dep) -> Held<()> {
        Held { key: Key(key), dep, entry: Entry::new(Numbers::DISPROVEN, key as u32) }
    }

    fn with(all: &[(u128, Dep)]) -> Provisional<()> {
        let mut provisional = Provisional::new();
        all.iter().for_each(|&(key, dep)| provisional.push(held(key, dep)));
        provisional
    }

    /// Calls `leave` and returns what was promoted, by key.
    fn leave(from: &mut Provisional<()>, start: usize, depth: u32, left: Left) -> Vec<u128> {
        let mut promoted = Vec::new();
        from.leave(start, depth, &left, &mut Deps::new(), |held| promoted.push(held.key.0));
        promoted
    }

    fn dep_of(provisional: &Provisional<()>, key: u128) -> Option<Dep> {
        let held = provisional.lookup(Key(key))?;
        assert_eq!((held.key, held.entry.work), (Key(key), key as u32), "its own entry");
        Some(held.dep)
    }

    #[test]
    fn a_verdict_whose_ancestor_ends_otherwise_is_forgotten() {
        let mut provisional = with(&[(1, on(&[2])), (2, on(&[1])), (3, on(&[2]))]);
        assert_eq!(leave(&mut provisional, 0, 2, Left::Otherwise), []);
        assert_eq!(dep_of(&provisional, 1), None);
        assert_eq!(dep_of(&provisional, 2), Some(on(&[1])));
        assert_eq!(dep_of(&provisional, 3), None);
        assert_eq!(provisional.len(), 1);
    }

    #[test]
    fn a_verdict_whose_last_ancestor_ends_the_same_holds_everywhere() {
        let mut provisional = with(&[(1, on(&[2])), (2, on(&[1]))]);
        assert_eq!(leave(&mut provisional, 0, 2, Left::Settled(Dep::FREE)), [1]);
        assert_eq!(dep_of(&provisional, 1), None);
        assert_eq!(dep_of(&provisional, 2), Some(on(&[1])));
    }

    #[test]
    fn the_ancestors_of_an_ancestor_take_its_place() {
        let mut provisional = with(&[(1, on(&[5])), (2, on(&[5, 3]))]);
        assert_eq!(leave(&mut provisional, 0, 5, Left::Settled(on(&[1]))), []);
        assert_eq!(dep_of(&provisional, 1), Some(on(&[1])));
        assert_eq!(dep_of(&provisional, 2), Some(on(&[1, 3])));
        assert_eq!(leave(&mut provisional, 0, 3, Left::Settled(on(&[1]))), []);
        assert_eq!(leave(&mut provisional, 0, 1, Left::Settled(Dep::FREE)), [1, 2]);
        assert_eq!(provisional.len(), 0);
    }

    #[test]
    fn what_was_added_before_the_node_was_entered_is_left_alone() {
        let mut provisional = with(&[(1, on(&[2])), (2, on(&[2]))]);
        leave(&mut provisional, 1, 2, Left::Otherwise);
        assert_eq!(dep_of(&provisional, 1), Some(on(&[2])));
        assert_eq!(dep_of(&provisional, 2), None);
    }

    #[test]
    fn the_first_verdict_of_a_state_is_kept_until_it_goes() {
        let mut provisional = with(&[(1, on(&[2])), (1, on(&[3]))]);
        assert_eq!(provisional.len(), 1);
        assert_eq!(dep_of(&provisional, 1), Some(on(&[2])));
        leave(&mut provisional, 0, 2, Left::Otherwise);
        provisional.push(held(1, on(&[1])));
        assert_eq!(dep_of(&provisional, 1), Some(on(&[1])));
        provisional.clear();
        assert_eq!((provisional.len(), dep_of(&provisional, 1)), (0, None));
    }

    #[derive(Clone, Debug)]
    enum Event {
        Enter,
        Hold { key: u128, depths: Vec<prop::sample::Index> },
        Leave { settled: Option<Vec<prop::sample::Index>> },
    }

    fn event() -> impl Strategy<Value = Event> {
        let depths = || prop::collection::vec(any::<prop::sample::Index>(), 1..3);
        prop_oneof![
            2 => Just(Event::Enter),
            3 => (0..20u128, depths()).prop_map(|(key, depths)| Event::Hold { key, depths }),
            2 => prop::option::of(depths()).prop_map(|settled| Event::Leave { settled }),
        ]
    }

    proptest! {
        /// A search goes down and up; the entries are compared with plain sets of depths.
        #[test]
        fn verdicts_are_held_as_by_the_naive_bookkeeper(
            events in prop::collection::vec(event(), 1..120),
        ) {
            let mut provisional = Provisional::new();
            let mut model: Vec<(u128, BTreeSet<u32>)> = Vec::new();
            // The start of each node of the path.
            let mut starts = vec![0usize];
            let set = |depths: &[prop::sample::Index], below: usize| -> BTreeSet<u32> {
                depths.iter().map(|index| index.index(below) as u32).collect()
            };
            let dep = |set: &BTreeSet<u32>| on(&Vec::from_iter(set.iter().copied()));
            for event in events {
                match event {
                    Event::Enter if starts.len() == 60 => {}
                    Event::Enter => starts.push(provisional.len()),
                    Event::Hold { key, depths } => {
                        let set = set(&depths, starts.len());
                        provisional.push(held(key, dep(&set)));
                        if model.iter().all(|(other, _)| *other != key) {
                            model.push((key, set));
                        }
                    }
                    Event::Leave { settled } => {
                        let start = starts.pop().unwrap();
                        let depth = starts.len() as u32;
                        // Only ancestors of the node that leaves can replace it.
                        let instead = settled.map(|depths| match starts.len() {
                            0 => BTreeSet::new(),
                            above => set(&depths, above),
                        });
                        let mut expected = Vec::new();
                        let mut at = 0;
                        model.retain_mut(|(key, depths)| {
                            at += 1;
                            if at <= start || !depths.remove(&depth) {
                                return true;
                            }
                            let Some(instead) = &instead else {
                                return false;
                            };
                            depths.extend(instead);
                            if depths.is_empty() {
                                expected.push(*key);
                            }
                            !depths.is_empty()
                        });
                        let left = match &instead {
                            Some(instead) => Left::Settled(dep(instead)),
                            None => Left::Otherwise,
                        };
                        let promoted = leave(&mut provisional, start, depth, left);
                        prop_assert_eq!(promoted, expected);
                        if starts.is_empty() {
                            provisional.clear();
                            model.clear();
                            starts.push(0);
                        }
                    }
                }
                prop_assert_eq!(provisional.len(), model.len());
                for key in 0..20 {
                    let expected = model.iter().find(|(other, _)| *other == key);
                    prop_assert_eq!(dep_of(&provisional, key), expected.map(|(_, set)| dep(set)));
                }
            }
        }
    }
}
