//! A worker as the core knows it.

use std::collections::BTreeSet;

use super::ids::{Lease, Millis};

/// A worker's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Its display name.
    pub name: String,
    /// The machine.
    pub host: String,
    /// The process.
    pub pid: u32,
    /// Units that it computes at a time.
    pub threads: u32,
    /// Memory for its tables.
    pub memory_mib: u64,
    /// Labels chosen by its owner.
    pub labels: Vec<(String, String)>,
    /// Its version.
    pub version: String,
    /// The address it calls from.
    pub address: String,
    /// The name of its token; empty for one that several workers share.
    pub token: String,
    /// Whether only what it can prove is believed.
    pub stranger: bool,
    /// The name of the token that it calls with, shared or not.
    pub caller: String,
}

impl Introduction {
    /// Whether it has all these labels.
    #[must_use]
    pub fn has(&self, labels: &[(String, String)]) -> bool {
        labels.iter().all(|label| self.labels.contains(label))
    }
}

/// A worker.
pub struct Worker {
    /// Its description of itself.
    pub about: Introduction,
    /// Proves that a call comes from it.
    pub session: u64,
    /// The time of its last call.
    pub seen: Millis,
    /// It has called since the coordinator started.
    pub present: bool,
    /// It has not called since then, and is still waited for.
    pub(super) may_return: bool,
    /// The leases it holds, in order.
    pub(super) leases: Vec<Lease>,
    pub(super) commands: Commands,
    /// It got less than it asked for: its call waits, or it will call again.
    pub(super) waits: bool,
    /// How many leases it held after its last call for work.
    pub(super) had: usize,
    /// Its waiting call was woken since.
    pub(super) woken: bool,
    /// Leases that it was asked to return if it has not begun them.
    pub(super) asked: BTreeSet<Lease>,
    /// How many of them may still come back.
    pub(super) awaited: usize,
    /// Nodes it has reported, for its speed.
    pub nodes: u64,
}

/// Commands for a worker's next heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Stop; the outcome is no longer needed.
    pub cancelled: BTreeSet<Lease>,
    /// Stop and hand back.
    pub recalled: BTreeSet<Lease>,
    /// Hand back if not begun.
    pub unbegun: BTreeSet<Lease>,
    /// Fetch news from the store now.
    pub look: BTreeSet<Lease>,
    /// States that other workers are searching.
    pub others: BTreeSet<Lease>,
}

impl Commands {
    /// Whether there are no commands.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { cancelled, recalled, unbegun, look, others } = self;
        [cancelled, recalled, unbegun, look, others].iter().all(|leases| leases.is_empty())
    }
}

impl Worker {
    /// A worker that has just come, or may come back.
    pub(super) fn new(about: Introduction, session: u64, seen: Millis, present: bool) -> Self {
        Self {
            about,
            session,
            seen,
            present,
            may_return: false,
            leases: Vec::new(),
            commands: Commands::default(),
            waits: false,
            had: 0,
            woken: false,
            asked: BTreeSet::new(),
            awaited: 0,
            nodes: 0,
        }
    }

    /// Units that it computes at a time.
    pub(super) fn threads(&self) -> usize {
        self.about.threads.max(1) as usize
    }

    /// Threads that have nothing to do.
    pub(super) fn idle(&self) -> usize {
        self.threads().saturating_sub(self.leases.len())
    }

    /// Whether it has an idle thread and waits for work.
    pub(super) fn is_hungry(&self) -> bool {
        self.present && self.waits && self.idle() > 0
    }

    /// Units it holds ahead of its threads.
    pub(super) fn ahead(&self) -> usize {
        self.leases.len().saturating_sub(self.threads())
    }

    /// How many units it holds.
    #[must_use]
    pub fn leases(&self) -> usize {
        self.leases.len()
    }

    /// The leases it holds, and whether it is computing them.
    pub fn held(&self) -> impl Iterator<Item = (Lease, bool)> {
        let threads = self.about.threads.max(1) as usize;
        self.leases.iter().enumerate().map(move |(at, lease)| (*lease, at < threads))
    }

    /// The units it is computing: the first ones, one per thread.
    pub(super) fn computing(&self) -> impl Iterator<Item = &Lease> {
        self.leases.iter().take(self.threads())
    }
}
