//! How fast runs and workers are: nodes and items a second, averaged.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::core::{Core, RunId, WorkerId};

/// The share of the newest sample.
const WEIGHT: f64 = 0.3;

/// Averages for all runs and workers, sampled now and then.
#[derive(Default)]
pub struct Speeds {
    runs: BTreeMap<RunId, RunSpeed>,
    workers: BTreeMap<WorkerId, Rate>,
}

#[derive(Clone, Copy, Debug)]
struct RunSpeed {
    nodes: Rate,
    items: Rate,
}

/// The average growth of a counter.
#[derive(Clone, Copy, Debug)]
struct Rate {
    at: Instant,
    count: u64,
    per_second: f64,
}

impl Rate {
    fn new(count: u64, at: Instant) -> Self {
        Self { at, count, per_second: 0.0 }
    }

    fn sample(&mut self, count: u64, at: Instant) {
        let seconds = at.duration_since(self.at).as_secs_f64();
        if seconds > 0.0 {
            let now = count.saturating_sub(self.count) as f64 / seconds;
            let old = self.per_second;
            self.per_second = if old == 0.0 { now } else { old + WEIGHT * (now - old) };
            (self.at, self.count) = (at, count);
        }
    }
}

impl Speeds {
    /// Takes a sample of every run that is not over, and of every worker.
    pub fn sample(&mut self, core: &Core, at: Instant) {
        for run in core.runs().filter(|run| !run.is_over()) {
            let (nodes, ended) = (run.nodes(), run.counts().terminal());
            let first = RunSpeed { nodes: Rate::new(nodes, at), items: Rate::new(ended, at) };
            let speed = self.runs.entry(run.id).or_insert(first);
            speed.nodes.sample(nodes, at);
            speed.items.sample(ended, at);
        }
        self.runs.retain(|id, _| core.run(*id).is_some_and(|run| !run.is_over()));
        let mut before = std::mem::take(&mut self.workers);
        for (id, worker) in core.workers().filter(|(_, worker)| worker.present) {
            let mut rate = before.remove(&id).unwrap_or_else(|| Rate::new(worker.nodes, at));
            rate.sample(worker.nodes, at);
            self.workers.insert(id, rate);
        }
    }

    /// Nodes and items a second of a run; zeros if there is no average yet.
    #[must_use]
    pub fn of(&self, run: RunId) -> (f64, f64) {
        let speed = self.runs.get(&run);
        speed.map_or((0.0, 0.0), |speed| (speed.nodes.per_second, speed.items.per_second))
    }

    /// Nodes a second of a worker; 0 if there is no average yet.
    #[must_use]
    pub fn of_worker(&self, worker: WorkerId) -> f64 {
        self.workers.get(&worker).map_or(0.0, |rate| rate.per_second)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_rate_follows_its_counter_and_falls_to_nothing_with_it() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut rate = Rate::new(500, start);
        rate.sample(500, start);
        assert_eq!(rate.per_second, 0.0, "no time has passed");
        rate.sample(2_500, at(2));
        assert_eq!(rate.per_second, 1_000.0);
        rate.sample(3_500, at(3));
        assert_eq!(rate.per_second, 1_000.0);
        (4..60).for_each(|second| rate.sample(3_500, at(second)));
        assert!(rate.per_second < 1.0, "{}", rate.per_second);
    }
}
