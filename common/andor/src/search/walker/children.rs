//! The children of the top node: their keys, what is known about them, what they hide, and whether
//! two of them lead to the same state.

use super::Walker;
use crate::numbers::{LIMIT, Numbers, Verdict};
use crate::problem::{Key, Listed, Problem, Rank, Reason};
use crate::search::dep::Dep;
use crate::search::frame::Child;
use crate::search::options::SumRule;
use crate::search::path::extend_path;
use crate::table::{MAX_DEPTH, implies, link};

/// Number of parent links that the double-count check follows.
const TRACE: usize = 32;
/// How many times larger a seed makes first numbers at most.
const VARIED: u64 = 3;

impl<P: Problem> Walker<'_, P> {
    /// Turns the moves in the buffer into children, without numbers yet.
    pub(super) fn list_moves(&mut self) {
        let frame = self.frames.last().expect("a node to list moves of");
        let rated = self.options.evaluate;
        for &Listed { mv, opens, first, group, weight } in &self.moves.list {
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
                group,
                weight,
                reason: P::Reason::default(),
            });
        }
    }

    /// Fills in the numbers of the top node's children from `next` on, and opens what they hide.
    /// Returns how many of them the table knew.
    pub(super) fn fill(&mut self, mut next: usize) -> usize {
        let depth = self.frames.len() - 1;
        let mut found = 0;
        let evaluates = P::EVALUATES
            && self.options.evaluate
            && self.problem.evaluates_after(&self.frames[depth].state);
        while next < self.children.len() {
            let key = self.children[next].key;
            self.counts.references += 1;
            let look = self.table.look(self.problem, key);
            match look.entry {
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
                None => {
                    if evaluates {
                        self.evaluate(next);
                    }
                    if P::DOMINATES {
                        self.learn_from_relatives(next, look.bounds);
                    }
                    self.vary(next);
                }
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
        if child.numbers.settled() {
            return;
        }
        let (problem, rank) = (self.problem, child.key.rank());
        let repeats = |above: Rank| implies(problem, repeated, above, rank);
        if let Some((depth, above)) = self.path.repeated(child.key, repeats) {
            (child.numbers, child.dep) = (repeated.into(), self.deps.on(depth));
            // As much as the ancestor will turn out to have (docs/design.md, "Repeated states").
            child.reason = self.problem.rank_reason(above);
            return;
        }
        let above = self.frames.last().expect("the parent of the child").path;
        if let Some(held) = self.provisional.lookup(child.key) {
            (child.numbers, child.dep) = (repeated.into(), held.dep);
            child.reason = held.entry.reason;
        } else if let Some((verdict, dep)) = self.twins.lookup(extend_path(above, child.key)) {
            (child.numbers, child.dep) = (verdict.into(), dep);
            child.reason = self.problem.rank_reason(rank);
        }
    }

    /// Raises the first numbers of a new child to those of its relatives.
    fn learn_from_relatives(&mut self, index: usize, bounds: Numbers) {
        let child = &mut self.children[index];
        child.numbers = child.numbers.or_larger(bounds);
    }

    /// Sets the initial numbers of a child that the table does not know.
    pub(super) fn evaluate(&mut self, index: usize) {
        let child = &mut self.children[index];
        let frame = self.frames.last().expect("the parent of the child");
        let state = self.problem.play(&frame.state, child.mv);
        // What the parent said of the move counts too.
        let found = self.problem.evaluate_after(&frame.state, child.mv, &state);
        child.numbers = found.or_larger(child.numbers);
        if let Some(verdict) = child.numbers.verdict()
            && P::Reason::WORDS > 0
        {
            child.reason = self.problem.reason(&state, verdict, &[]);
        }
    }

    /// Makes the proof number of a new child up to [`VARIED`] times larger, by its key and the seed.
    /// Only the choice between moves of the OR side changes: to disprove a state all of them must
    /// be searched anyway, in whatever order.
    fn vary(&mut self, index: usize) {
        let child = &mut self.children[index];
        if self.options.seed == 0 || child.numbers.settled() {
            return;
        }
        let chance = Key::mixed(child.key.0 ^ u128::from(self.options.seed)).0 as u32;
        let Numbers { proof, disproof } = child.numbers;
        let proof = u64::from(proof.min(LIMIT));
        let more = (proof * (VARIED - 1) * u64::from(chance)) >> 32;
        child.numbers = Numbers::open((proof + more).min(u64::from(LIMIT)) as u32, disproof);
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
        if parent == 0 || parent == link::<P::Reason>(self.frames[top].key) {
            return;
        }
        let (mut below, mut at) = (link::<P::Reason>(self.children[index].key), parent);
        for _ in 0..TRACE {
            if let Some(depth) = self.path.depth_of_link(at) {
                let depth = depth as usize;
                let first = self.frames[depth].first;
                let end = self.frames.get(depth + 1).map_or(self.children.len(), |f| f.first);
                let own = if depth == top { index } else { first + self.frames[depth].chosen };
                let other =
                    (first..end).find(|&i| link::<P::Reason>(self.children[i].key) == below);
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
