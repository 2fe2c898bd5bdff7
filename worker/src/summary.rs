//! What a worker has done, for the log and the caller.

use std::time::{Duration, Instant};

use tracing::info;

use crate::lease_queue::LeaseQueue;
use crate::session::Session;

/// Interval of the log line.
const EVERY: Duration = Duration::from_secs(120);

/// Counts since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Units handed in and acknowledged.
    pub units: u64,
    /// Units handed back.
    pub handed_back: u64,
    /// Nodes of units that have left their threads.
    pub nodes: u64,
    /// Time that threads have waited for the units they got.
    pub idle: Duration,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// The totals.
    pub tally: Tally,
    /// Nodes of units that are being computed.
    pub running: u64,
    /// Number of units held.
    pub held: usize,
    /// The time of the counts.
    pub at: Instant,
}

/// Totals of a worker's lifetime.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Units handed in and acknowledged.
    pub units: u64,
    /// States searched.
    pub nodes: u64,
    /// From its start to its end.
    pub seconds: f64,
    /// Units handed back unfinished.
    pub handed_back: u64,
    /// Seconds that threads have waited between units, all threads together. The wait for the first
    /// unit and after the last one does not count.
    pub idle_seconds: f64,
}

impl Snapshot {
    /// Total nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.tally.nodes + self.running
    }

    /// The summary of a worker that started at `started`.
    #[must_use]
    pub fn since(&self, started: Instant) -> Summary {
        let Tally { units, handed_back, idle, .. } = self.tally;
        let seconds = self.at.duration_since(started).as_secs_f64();
        let idle_seconds = idle.as_secs_f64();
        Summary { units, nodes: self.nodes(), seconds, handed_back, idle_seconds }
    }
}

/// Logs a line every two minutes.
pub async fn tell(queue: &LeaseQueue, session: &Session) {
    let mut before = queue.snapshot();
    loop {
        tokio::time::sleep(EVERY).await;
        let now = queue.snapshot();
        let seconds = now.at.duration_since(before.at).as_secs_f64();
        let units = now.tally.units - before.tally.units;
        let nodes = now.nodes().saturating_sub(before.nodes());
        info!(
            coordinator = session.current().coordinator,
            units,
            nodes,
            nodes_per_second = (nodes as f64 / seconds) as u64,
            held = now.held,
            idle_seconds = (now.tally.idle - before.tally.idle).as_secs_f64(),
            units_in_all = now.tally.units,
            "the last two minutes"
        );
        before = now;
    }
}
