//! A worker as the core knows it.

use std::collections::BTreeSet;

use super::ids::{Lease, Millis};

/// What a worker says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// A name for people.
    pub name: String,
    /// The machine.
    pub host: String,
    /// The process.
    pub pid: u32,
    /// Units that it computes at a time.
    pub threads: u32,
    /// Memory for its tables.
    pub memory_mib: u64,
    /// Whatever its owner says of it.
    pub labels: Vec<(String, String)>,
    /// Its version.
    pub version: String,
    /// Where it calls from.
    pub address: String,
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
    /// What it says of itself.
    pub about: Introduction,
    /// Proves that a call comes from it.
    pub session: u64,
    /// When it was last heard of.
    pub seen: Millis,
    /// It has been heard of since the coordinator started.
    pub present: bool,
    /// What it holds, in the order in which it was given.
    pub(super) leases: Vec<Lease>,
    pub(super) commands: Commands,
    /// Nodes that it has reported, for its speed.
    pub nodes: u64,
}

/// What a worker is to be told at its next heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Stop; nobody wants the outcome.
    pub cancelled: BTreeSet<Lease>,
    /// Stop and hand back.
    pub recalled: BTreeSet<Lease>,
    /// Look into the store now.
    pub look: BTreeSet<Lease>,
    /// Hear where the others are.
    pub others: BTreeSet<Lease>,
}

impl Commands {
    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { cancelled, recalled, look, others } = self;
        [cancelled, recalled, look, others].iter().all(|leases| leases.is_empty())
    }
}

impl Worker {
    /// How many units it holds.
    #[must_use]
    pub fn leases(&self) -> usize {
        self.leases.len()
    }

    /// The units that it is computing: the first ones, one a thread.
    pub(super) fn computing(&self) -> impl Iterator<Item = &Lease> {
        self.leases.iter().take(self.about.threads.max(1) as usize)
    }
}
