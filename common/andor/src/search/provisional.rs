//! Verdicts that hold as long as certain ancestors stay on the path.
//!
//! A verdict that rests on repetitions holds wherever the repeated states are on the path, because
//! a longer path only makes more repetitions. It is kept here until one of them leaves the path:
//! if that one ends with the same verdict, its own ancestors take its place, and when none is left
//! the verdict holds everywhere; if it ends otherwise, the verdict is forgotten.

use crate::problem::Key;
use crate::search::path::{Dep, KeyMap};
use crate::table::Entry;

/// More are not kept; what is not kept is searched again.
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

    /// How many there are: what is added below a node comes after.
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

    /// The node at `depth`, below which everything from `start` on was added, leaves the path.
    /// What now holds everywhere is handed to `promote`.
    pub fn leave(
        &mut self,
        start: usize,
        depth: u32,
        left: &Left,
        mut promote: impl FnMut(&Held<R>),
    ) {
        let mut kept = start;
        for index in start..self.held.len() {
            let held = &mut self.held[index];
            let mut keep = true;
            if held.dep.depends_on(depth) {
                match left {
                    Left::Settled(dep) => held.dep = held.dep.without(depth).and(*dep),
                    Left::Otherwise => keep = false,
                }
                if held.dep.is_free() {
                    promote(held);
                    keep = false;
                }
            }
            if keep {
                self.by_key.insert(held.key, kept);
                self.held.swap(kept, index);
                kept += 1;
            } else {
                self.by_key.remove(&held.key);
            }
        }
        self.held.truncate(kept);
    }

    pub fn clear(&mut self) {
        self.held.clear();
        self.by_key.clear();
    }
}
