//! How a node leaves the stack: what is stored about it, and where, and what its parent learns.

use super::{Answer, Walker, place};
use crate::numbers::{INFINITE, Numbers, Verdict};
use crate::problem::{Problem, Reason};
use crate::search::dep::Dep;
use crate::search::frame::decide;
use crate::search::provisional::{Held, Left};
use crate::table::{Entry, NO_MOVE, implies, link};

impl<P: Problem> Walker<'_, P> {
    /// Leaves a node that its children settle.
    pub(super) fn leave_settled(&mut self, verdict: Verdict) {
        if self.deps.is_full() {
            self.twins.clear();
            let children = self.children.iter_mut().map(|child| &mut child.dep);
            self.deps.keep(children.chain(self.provisional.deps()));
        }
        let depth = self.frames.len() as u32 - 1;
        let frame = self.frames.last().expect("the node to leave");
        let (key, path) = (frame.key, frame.path);
        let children = &self.children[frame.first..];
        let one_is_enough = verdict == frame.turn.wish();
        let results = children.iter().map(|child| (child.numbers, child.dep));
        let (best, dep) = decide(frame.turn, results, verdict, &mut self.deps);
        // A loop that does not lead above this node is closed: the verdict holds on every path.
        let dep = self.deps.without(dep, depth);
        let mut reason = P::Reason::default();
        if P::Reason::WORDS > 0 {
            let basis = if one_is_enough { &children[best..=best] } else { children };
            self.basis.clear();
            self.basis.extend(basis.iter().map(|child| (child.mv, child.reason)));
            reason = self.problem.reason(&frame.state, verdict, &self.basis);
            debug_assert!(
                !P::DOMINATES
                    || implies(self.problem, verdict, self.problem.reason_rank(reason), key.rank()),
                "a reason covers its own state"
            );
        }
        if depth == 0 && one_is_enough {
            self.winner = Some(children[best].key);
        }
        let best = if one_is_enough { place(best) } else { NO_MOVE };
        let numbers = verdict.into();
        let work = self.work_of_top();
        if self.repeated == Some(verdict) {
            self.settle_provisional(Left::Settled(dep));
        }
        if P::RECALLS && dep.is_free() {
            let frame = self.frames.last().expect("the node to leave");
            self.problem.learn(&frame.state, verdict, reason, work);
        }
        if dep.is_free() {
            self.remember(numbers, best, reason);
        } else {
            self.twins.store(path, verdict, dep);
            let entry = Entry { best, reason, ..Entry::new(numbers, work) };
            self.provisional.push(Held { key, dep, entry });
        }
        self.drop_top();
        if let (Some(seat), true) = (&self.seat, dep.is_free()) {
            seat.mail(key);
        }
        self.deliver(numbers, dep, reason, work, best);
    }

    /// Leaves a node that has reached a threshold.
    pub(super) fn leave_open(&mut self, numbers: Numbers, best: usize) {
        let (best, reason) = (place(best), P::Reason::default());
        self.remember(numbers, best, reason);
        let work = self.work_of_top();
        self.drop_top();
        self.deliver(numbers, Dep::FREE, reason, work, best);
    }

    pub(super) fn work_of_top(&self) -> u32 {
        let frame = self.frames.last().expect("a node with work");
        let here = (self.counts.nodes - frame.entered + 1).min(u64::from(INFINITE)) as u32;
        frame.work.saturating_add(here)
    }

    /// Writes the top node into the table.
    pub(super) fn remember(&mut self, numbers: Numbers, best: u16, reason: P::Reason) {
        let frame = self.frames.last().expect("a node to remember");
        let (mut parent, mut marks) = (0, 0);
        if self.table.links() {
            if let Some(above) = self.frames.len().checked_sub(2) {
                parent = link::<P::Reason>(self.frames[above].key);
            }
            for (i, child) in self.children[frame.first..].iter().take(64).enumerate() {
                marks |= u64::from(child.mark) << i;
            }
        }
        let entry = Entry {
            numbers,
            work: self.work_of_top(),
            depth: frame.depth,
            best,
            parent,
            marks,
            reason,
        };
        self.table.keep(self.problem, frame.key, &entry);
    }

    /// Updates the provisional verdicts when the top node is about to leave the path.
    pub(super) fn settle_provisional(&mut self, left: Left) {
        let frame = self.frames.last_mut().expect("the node that leaves");
        let start = std::mem::replace(&mut frame.provisional, usize::MAX);
        if start < self.provisional.len() {
            let depth = self.frames.len() as u32 - 1;
            let (table, problem) = (self.table, self.problem);
            self.provisional.leave(start, depth, &left, &mut self.deps, |held| {
                table.keep(problem, held.key, &held.entry)
            });
        }
    }

    /// Pops the top node without storing it.
    pub(super) fn drop_top(&mut self) {
        self.settle_provisional(Left::Otherwise);
        let frame = self.frames.pop().expect("a node to drop");
        self.children.truncate(frame.first);
        if self.keeps_path {
            self.path.pop();
        }
        if let (Some(seat), true) = (&self.seat, frame.watched) {
            seat.leave(frame.key);
        }
    }

    /// Passes a result to the new top node, or to the caller.
    pub(super) fn deliver(
        &mut self,
        numbers: Numbers,
        dep: Dep,
        reason: P::Reason,
        work: u32,
        best: u16,
    ) {
        let Some(frame) = self.frames.last() else {
            let best = (best != NO_MOVE).then_some(best);
            self.answer = Some(Answer { numbers, reason, best, winner: self.winner });
            return;
        };
        let index = frame.first + frame.chosen;
        let refresh = frame.watched || self.frames.len() <= self.stale;
        let child = &mut self.children[index];
        child.stalled = frame.fresh == self.counts.fresh;
        child.numbers = numbers;
        child.dep = dep;
        child.reason = reason;
        child.work = work.max(1);
        let before = self.children.len();
        self.open_hidden(index);
        if self.children.len() > before {
            self.fill(before);
        }
        if refresh {
            self.stale = self.stale.min(self.frames.len() - 1);
            self.refresh();
        }
    }

    /// Picks up what others wrote into the table while this search was paused.
    pub fn catch_up(&mut self) {
        self.cut();
        if self.answer.is_none() && !self.frames.is_empty() {
            self.stale = self.frames.len() - 1;
            self.refresh();
        }
    }

    /// Looks up the children of the top node again, because others may have searched them.
    pub(super) fn refresh(&mut self) {
        let first = self.frames.last().expect("a node to refresh").first;
        let mut index = first;
        while index < self.children.len() {
            let child = &self.children[index];
            if !child.numbers.settled()
                && let Some(entry) = self.table.look(self.problem, child.key).entry
                && (entry.numbers.settled() || entry.work > child.work)
            {
                let child = &mut self.children[index];
                child.numbers = entry.numbers;
                child.work = entry.work;
                child.reason = entry.reason;
                let before = self.children.len();
                self.open_hidden(index);
                self.fill(before);
            }
            index += 1;
        }
    }
}
