//! The children of the top node: their keys, what is known about them, what they hide, and whether
//! two of them lead to the same state.

use super::Walker;
use crate::numbers::{Numbers, Verdict};
use crate::problem::{Listed, Problem, Reason};
use crate::search::frame::Child;
use crate::search::options::SumRule;
use crate::search::path::{Dep, extend_path};
use crate::table::MAX_DEPTH;

/// Number of parent links that the double-count check follows.
const TRACE: usize = 32;

impl<P: Problem> Walker<'_, P> {
    /// Turns the moves in the buffer into children, without numbers yet.
    pub(super) fn list_moves(&mut self) {
        let frame = self.frames.last().expect("a node to list moves of");
        let rated = self.options.evaluate;
        for &Listed { mv, opens, first } in &self.moves.list {
            let key = self.problem.key_after(&frame.state, mv);
            self.table.prefetch(key);
            self.children.push(Child {
                key,
                mv,
                numbers: if rated { first } else { Numbers::UNKNOWN },
                given: Numbers { proof: 0, disproof: 0 },
                work: 0,
                depth: MAX_DEPTH,
                dep: Dep::FREE,
                tries: 0,
                stalled: false,
                opens,
                mark: false,
                reason: P::Reason::default(),
            });
        }
    }

    /// Fills in the numbers of the top node's children from `next` on, and opens what they hide.
    /// Returns how many of them the table knew.
    pub(super) fn fill(&mut self, mut next: usize) -> usize {
        let depth = self.frames.len() - 1;
        let mut found = 0;
        while next < self.children.len() {
            let key = self.children[next].key;
            self.counts.references += 1;
            let entry = self.table.lookup(key);
            match entry {
                Some(entry) => {
                    found += 1;
                    let child = &mut self.children[next];
                    child.numbers = entry.numbers;
                    child.work = entry.work.max(1);
                    child.depth = entry.depth;
                    child.reason = entry.reason;
                    if !entry.numbers.settled() {
                        // A child met nearer to the root may lead back up.
                        self.raising |= self.options.tca
                            && self.repeated.is_some()
                            && usize::from(entry.depth) <= depth;
                        if self.options.sum == SumRule::Hybrid {
                            self.check_double_count(next, entry.parent);
                        }
                    }
                }
                None if P::EVALUATES && self.options.evaluate => self.evaluate(next),
                None => {}
            }
            if let Some(repeated) = self.repeated {
                self.look_back(next, repeated);
            }
            self.open_hidden(next);
            next += 1;
        }
        found
    }

    /// Checks whether a child repeats a state of the path, or has a verdict on this exact path.
    pub(super) fn look_back(&mut self, index: usize, repeated: Verdict) {
        let child = &mut self.children[index];
        if let Some(dep) = self.path.depth(child.key) {
            if child.numbers != Numbers::from(repeated) {
                (child.numbers, child.dep) = (repeated.into(), Dep::on(dep));
            }
        } else if !child.numbers.settled() {
            let above = self.frames.last().expect("the parent of the child").path;
            if let Some(held) = self.provisional.lookup(child.key) {
                (child.numbers, child.dep) = (repeated.into(), held.dep);
                child.reason = held.entry.reason;
            } else if let Some((verdict, dep)) = self.twins.lookup(extend_path(above, child.key)) {
                (child.numbers, child.dep) = (verdict.into(), dep);
            }
        }
    }

    /// Sets the initial numbers of a child that the table does not know.
    pub(super) fn evaluate(&mut self, index: usize) {
        let child = &mut self.children[index];
        let frame = self.frames.last().expect("the parent of the child");
        let state = self.problem.play(&frame.state, child.mv);
        child.numbers = self.problem.evaluate(&state);
        if let Some(verdict) = child.numbers.verdict()
            && P::Reason::WORDS > 0
        {
            child.reason = self.problem.reason(&state, verdict, &[]);
        }
    }

    /// If the child is settled against the side to move and hides moves, lists them.
    pub(super) fn open_hidden(&mut self, index: usize) {
        let child = &self.children[index];
        let frame = self.frames.last().expect("the parent of the child");
        let lost = Numbers::from(frame.turn.wish().opposite());
        if !child.opens || child.numbers != lost {
            return;
        }
        self.moves.clear();
        self.problem.open(&frame.state, child.mv, Some(child.reason), &mut self.moves);
        self.list_moves();
    }

    /// Follows the links up from a child. If they reach the path by another edge than the path's
    /// own, both edges lead to the child and must not both be summed (Kishimoto 2010).
    pub(super) fn check_double_count(&mut self, index: usize, parent: u64) {
        let top = self.frames.len() - 1;
        if parent == 0 || parent == self.frames[top].key.0 as u64 {
            return;
        }
        let (mut below, mut at) = (self.children[index].key.0 as u64, parent);
        for _ in 0..TRACE {
            if let Some(depth) = self.path.depth_of_low(at) {
                let depth = depth as usize;
                let first = self.frames[depth].first;
                let end = self.frames.get(depth + 1).map_or(self.children.len(), |f| f.first);
                let own = if depth == top { index } else { first + self.frames[depth].chosen };
                let other = (first..end).find(|&i| self.children[i].key.0 as u64 == below);
                if let Some(other) = other.filter(|&other| other != own) {
                    self.children[own].mark = true;
                    self.children[other].mark = true;
                }
                return;
            }
            let Some(next) = self.table.parent(at) else {
                return;
            };
            (below, at) = (at, next);
        }
    }
}
