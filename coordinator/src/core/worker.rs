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
    /// The leases it holds, in order.
    pub(super) leases: Vec<Lease>,
    pub(super) commands: Commands,
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
    /// Fetch news from the store now.
    pub look: BTreeSet<Lease>,
    /// States that other workers are searching.
    pub others: BTreeSet<Lease>,
}

impl Commands {
    /// Whether there are no commands.
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

    /// The units it is computing: the first ones, one per thread.
    pub(super) fn computing(&self) -> impl Iterator<Item = &Lease> {
        self.leases.iter().take(self.about.threads.max(1) as usize)
    }
}
