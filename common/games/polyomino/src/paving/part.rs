//! Visits one part of an enumeration until it is to be split. The unvisited rest then becomes
//! further parts, so a long part can continue on many workers at once.

use super::prefix::Prefix;
use super::search::{Search, Step};

/// The rest of a visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Unvisited parts, the largest first; empty if everything was visited.
    pub parts: Vec<Prefix>,
    /// Number of nodes entered.
    pub nodes: u64,
}

/// The walk through a part.
pub(super) struct Walk<'w> {
    path: Vec<u32>,
    split: &'w mut dyn FnMut(u64) -> bool,
    visit: &'w mut dyn FnMut(&Search),
    /// From the current node upwards.
    rest: Vec<Prefix>,
}

impl<'w> Walk<'w> {
    /// A walk that starts at `prefix`.
    pub fn new(
        prefix: &Prefix,
        split: &'w mut dyn FnMut(u64) -> bool,
        visit: &'w mut dyn FnMut(&Search),
    ) -> Self {
        Self { path: prefix.0.clone(), split, visit, rest: Vec::new() }
    }

    /// Visits everything, or leaves a rest. The first step is always taken, so repeated splitting
    /// terminates.
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
                    if on && !(self.split)(search.nodes) {
                        on = self.part(search);
                    } else {
                        on = false;
                        self.defer(search);
                    }
                    search.leave(mark);
                    self.path.pop();
                }
                on
            }
        }
    }

    /// Leaves a node for later, unless it is empty or done at once.
    fn defer(&mut self, search: &mut Search) {
        match search.step() {
            Step::Dead => {}
            Step::Answer => (self.visit)(search),
            Step::Branch { .. } => self.rest.push(Prefix(self.path.clone())),
        }
    }

    /// The remaining parts, those nearest to the root first.
    pub fn rest(mut self) -> Vec<Prefix> {
        self.rest.sort_by_key(|prefix| prefix.0.len());
        self.rest
    }
}
