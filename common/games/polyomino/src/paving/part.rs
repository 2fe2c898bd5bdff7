//! One part of an enumeration, visited until somebody wants it split: then what has not been seen
//! comes back as further parts, so that a part that runs long can go on at many places at once.

use super::prefix::Prefix;
use super::search::{Search, Step};

/// What a visit has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Parts that were not visited, the largest first; empty if all was.
    pub parts: Vec<Prefix>,
    /// Nodes of the tree that were entered.
    pub nodes: u64,
}

/// The way through a part.
pub(super) struct Walk<'w> {
    path: Vec<u32>,
    split: &'w mut dyn FnMut(u64) -> bool,
    visit: &'w mut dyn FnMut(&Search),
    /// From the current point up.
    rest: Vec<Prefix>,
}

impl<'w> Walk<'w> {
    /// Ready to start where `prefix` leads to.
    pub fn new(
        prefix: &Prefix,
        split: &'w mut dyn FnMut(u64) -> bool,
        visit: &'w mut dyn FnMut(&Search),
    ) -> Self {
        Self { path: prefix.0.clone(), split, visit, rest: Vec::new() }
    }

    /// Visits everything, or leaves a rest. The first step is always taken: parts of parts of
    /// parts come to an end, however often they are split.
    pub fn part(&mut self, search: &mut Search) -> bool {
        match search.step() {
            Step::Dead => true,
            Step::Answer => {
                (self.visit)(search);
                true
            }
            Step::Branch { pairs, none } => {
                let mut on = true;
                for child in 0..pairs.len() + usize::from(none) {
                    self.path.push(child as u32);
                    let mark = search.enter(&pairs, child);
                    match on && !(self.split)(search.nodes) {
                        true => on = self.part(search),
                        false => {
                            on = false;
                            self.later(search);
                        }
                    }
                    search.leave(mark);
                    self.path.pop();
                }
                on
            }
        }
    }

    /// Leaves a node to others, unless there is nothing to do or it is done at once.
    fn later(&mut self, search: &mut Search) {
        match search.step() {
            Step::Dead => {}
            Step::Answer => (self.visit)(search),
            Step::Branch { .. } => self.rest.push(Prefix(self.path.clone())),
        }
    }

    /// The parts left, those nearest to the root first.
    pub fn rest(mut self) -> Vec<Prefix> {
        self.rest.sort_by_key(|prefix| prefix.0.len());
        self.rest
    }
}
