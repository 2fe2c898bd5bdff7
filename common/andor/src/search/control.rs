//! Shared between a running search and its owner: the budget, cancellation and progress.

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::numbers::Numbers;
use crate::problem::Key;
use crate::split::PathNode;

/// Shared by reference between one or more searches and their owner.
#[derive(Debug, Default)]
pub struct Control {
    budget: AtomicU64,
    cancelled: AtomicBool,
    expired: AtomicBool,
    nodes: AtomicU64,
    root: AtomicU64,
    news: AtomicBool,
    path_wanted: AtomicBool,
    path: Mutex<Vec<PathNode>>,
    others_moved: AtomicBool,
    others: Mutex<(Vec<Key>, usize)>,
}

impl Control {
    /// Allows `budget` nodes in total; see [`Control::extend`].
    #[must_use]
    pub fn with_budget(budget: u64) -> Self {
        let control = Self::default();
        control.budget.store(budget, Relaxed);
        control
    }

    /// No limit except [`Control::cancel`].
    #[must_use]
    pub fn unlimited() -> Self {
        Self::with_budget(u64::MAX)
    }

    /// Allows this many more nodes. A search that stopped for its budget can then run again.
    pub fn extend(&self, nodes: u64) {
        let budget = self.budget.load(Relaxed);
        self.budget.store(budget.saturating_add(nodes), Relaxed);
    }

    /// Allows at most this many more nodes, and never more than before.
    pub fn limit(&self, nodes: u64) {
        self.budget.fetch_min(self.nodes().saturating_add(nodes), Relaxed);
    }

    /// Does some work with at most this many more nodes, and gives back what is left of the budget.
    pub fn within<T>(&self, nodes: u64, work: impl FnOnce() -> T) -> T {
        let budget = self.budget.fetch_min(self.nodes().saturating_add(nodes), Relaxed);
        let done = work();
        self.budget.store(budget, Relaxed);
        if self.is_expired() {
            self.budget.store(0, Relaxed);
        }
        done
    }

    /// The time is up: the search ends as if its budget were used up.
    pub fn expire(&self) {
        self.expired.store(true, Relaxed);
        self.budget.store(0, Relaxed);
    }

    /// Whether the time is up.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.expired.load(Relaxed)
    }

    /// Whether the budget is used up.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.nodes() >= self.budget.load(Relaxed)
    }

    /// Number of nodes at which the search stops.
    fn end(&self) -> u64 {
        self.budget.load(Relaxed)
    }

    /// Asks the search to stop soon. It can continue after [`Control::resume`].
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Withdraws a cancellation.
    pub fn resume(&self) {
        self.cancelled.store(false, Relaxed);
    }

    /// Whether the search was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    /// Whether work other than a search should end: it was asked to stop, or the time is up.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.is_cancelled() || self.is_expired()
    }

    /// Signals that others have written into the table: a search that runs alone should look up the
    /// nodes of its path again.
    pub fn tell_news(&self) {
        self.news.store(true, Relaxed);
    }

    pub(crate) fn take_news(&self) -> bool {
        self.news.load(Relaxed) && self.news.swap(false, Relaxed)
    }

    /// Reports the states that others search, none deeper than `depth`. A search that runs alone
    /// avoids them while another child is about as good.
    pub fn tell_others(&self, keys: Vec<Key>, depth: usize) {
        if let Ok(mut others) = self.others.lock() {
            *others = (keys, depth);
            self.others_moved.store(true, Relaxed);
        }
    }

    /// The latest states given to [`Control::tell_others`] since the last call.
    #[must_use]
    pub fn take_others(&self) -> Option<(Vec<Key>, usize)> {
        if self.others_moved.load(Relaxed) && self.others_moved.swap(false, Relaxed) {
            return self.others.lock().ok().map(|mut others| std::mem::take(&mut *others));
        }
        None
    }

    /// Asks the search to report its path from now on.
    pub fn want_path(&self) {
        self.path_wanted.store(true, Relaxed);
    }

    pub(crate) fn is_path_wanted(&self) -> bool {
        self.path_wanted.load(Relaxed)
    }

    /// The path that the search reported last, from the root down; empty before that.
    #[must_use]
    pub fn path(&self) -> Vec<PathNode> {
        self.path.lock().map_or_else(|_| Vec::new(), |path| path.clone())
    }

    pub(crate) fn report_path(&self, path: Vec<PathNode>) {
        if let Ok(mut current) = self.path.lock() {
            *current = path;
        }
    }

    /// Nodes of all searches under this control so far, slightly behind.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The latest numbers at the root; (0, 0) before there are any.
    #[must_use]
    pub fn root(&self) -> Numbers {
        let word = self.root.load(Relaxed);
        Numbers { proof: (word >> 32) as u32, disproof: word as u32 }
    }

    /// Publishes the numbers of the root.
    pub fn report_root(&self, numbers: Numbers) {
        let word = u64::from(numbers.proof) << 32 | u64::from(numbers.disproof);
        self.root.store(word, Relaxed);
    }

    /// Adds nodes to the count. Returns whether the search may go on.
    pub(crate) fn spend(&self, nodes: u64) -> bool {
        let spent = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        spent < self.end() && !self.is_cancelled()
    }

    /// Adds nodes to the count regardless of the budget: a certificate is always finished.
    pub fn note(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Nodes that may still be spent.
    pub(crate) fn left(&self) -> u64 {
        if self.is_cancelled() {
            return 0;
        }
        self.end().saturating_sub(self.nodes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_budget_for_some_work_ends_with_it() {
        let control = Control::with_budget(100);
        assert!(control.spend(10));
        assert_eq!(control.within(5, || (control.left(), control.spend(5))), (5, false));
        assert_eq!(control.left(), 85);
        assert_eq!(control.within(1000, || control.left()), 85, "never more than there was");
        control.within(50, || control.expire());
        assert_eq!(control.left(), 0, "the time stays up");
    }
}
