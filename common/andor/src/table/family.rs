//! Families: states that differ only in their rank. A verdict at one rank settles others: a proof all
//! that are at least as good, a disproof all that are no better (docs/design.md, "Dominance").

use std::sync::atomic::Ordering::Acquire;

use super::{Contradiction, Entry, META, Table, link};
use crate::numbers::{Numbers, Verdict};
use crate::problem::{Key, Problem, Rank, Reason};

/// First numbers from relatives are at most this: they may have grown in ways that do not concern the
/// state at hand.
const MOST_BOUND: u32 = 128;

/// What the table knows about a state and its family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look<R> {
    /// A verdict that holds for the state, from itself or from a relative; else its own entry.
    pub entry: Option<Entry<R>>,
    /// Whether the entry is of the state itself.
    pub own: bool,
    /// Without an entry: lower bounds from unsettled relatives. A better one is not easier to
    /// disprove, a worse one not easier to prove.
    pub bounds: Numbers,
}

impl<R> Look<R> {
    const NOTHING: Self = Self { entry: None, own: false, bounds: Numbers::UNKNOWN };

    /// The entry, if it is a verdict.
    #[must_use]
    pub fn settled(self) -> Option<Entry<R>> {
        self.entry.filter(|entry| entry.numbers.settled())
    }
}

/// Whether a verdict at rank `a` implies the same verdict at rank `b`.
#[inline]
pub(crate) fn implies<P: Problem>(problem: &P, verdict: Verdict, a: Rank, b: Rank) -> bool {
    match verdict {
        Verdict::Proven => problem.at_least(b, a),
        Verdict::Disproven => problem.at_least(a, b),
    }
}

impl<R: Reason> Table<R> {
    /// What the table knows about a state: [`Table::lookup`], and in games with families also what
    /// follows from relatives.
    #[inline]
    #[must_use]
    pub fn look<P: Problem<Reason = R>>(&self, problem: &P, key: Key) -> Look<R> {
        const { assert!(P::DOMINATES == R::RANKED, "DOMINATES follows from the reason") }
        if !P::DOMINATES {
            return Look { entry: self.lookup(key), own: true, ..Look::NOTHING };
        }
        let found = self.look_at(problem, key, self.growth.active());
        match self.growth.previous() {
            Some(previous) if found.entry.is_none() => self.look_at(problem, key, previous),
            _ => found,
        }
    }

    fn look_at<P: Problem<Reason = R>>(&self, problem: &P, key: Key, active: u64) -> Look<R> {
        let mut look = Look::NOTHING;
        for slot in self.relatives(link::<R>(key), active) {
            let Some((found, entry)) = self.read(slot) else { continue };
            if found.family() != key.family() {
                continue;
            }
            if let Some(verdict) = entry.numbers.verdict() {
                let claimed = problem.reason_rank(entry.reason);
                if found == key || implies(problem, verdict, claimed, key.rank()) {
                    return Look { entry: Some(entry), own: found == key, ..Look::NOTHING };
                }
            } else if found == key {
                (look.entry, look.own) = (Some(entry), true);
            } else {
                let Numbers { proof, disproof } = entry.numbers;
                if problem.at_least(found.rank(), key.rank()) {
                    look.bounds.proof = look.bounds.proof.max(proof.min(MOST_BOUND));
                } else if problem.at_least(key.rank(), found.rank()) {
                    look.bounds.disproof = look.bounds.disproof.max(disproof.min(MOST_BOUND));
                }
            }
        }
        look
    }

    /// Stores an entry as [`Table::store`] does. In games with families a verdict takes the place of
    /// the relatives that follow from it, and what follows from a relative is not stored.
    ///
    /// # Panics
    /// As [`Table::store`], also if a verdict contradicts that of a relative.
    #[inline]
    pub fn keep<P: Problem<Reason = R>>(&self, problem: &P, key: Key, entry: &Entry<R>) {
        if !P::DOMINATES || self.displace_relatives(problem, key, entry) {
            self.store(key, entry);
        }
    }

    /// Removes what follows from this entry. False if it follows itself from a relative.
    fn displace_relatives<P: Problem<Reason = R>>(
        &self,
        problem: &P,
        key: Key,
        entry: &Entry<R>,
    ) -> bool {
        let verdict = entry.numbers.verdict();
        let claimed = verdict.map_or(key.rank(), |_| problem.reason_rank(entry.reason));
        for slot in self.relatives(link::<R>(key), self.growth.active()) {
            let meta = self.word(slot + META).load(Acquire);
            let Some((found, other)) = self.read(slot) else { continue };
            if found.family() != key.family() {
                continue;
            }
            let known = other.numbers.verdict();
            let known_claim = known.map(|known| (known, problem.reason_rank(other.reason)));
            match (verdict, known_claim) {
                (Some(new), Some((old, rank))) if new == old => {
                    if implies(problem, new, rank, claimed) {
                        return false;
                    }
                    if found != key && implies(problem, new, claimed, rank) {
                        self.clear(slot, meta);
                    }
                }
                (Some(Verdict::Proven), Some((_, failed))) if problem.at_least(failed, claimed) => {
                    std::panic::panic_any(Contradiction { key });
                }
                (Some(Verdict::Disproven), Some((_, enough)))
                    if problem.at_least(claimed, enough) =>
                {
                    std::panic::panic_any(Contradiction { key });
                }
                (None, Some((old, rank))) if implies(problem, old, rank, key.rank()) => {
                    return false;
                }
                (Some(new), None)
                    if found != key && implies(problem, new, claimed, found.rank()) =>
                {
                    self.clear(slot, meta);
                }
                _ => {}
            }
        }
        true
    }
}
