//! How fast runs go: nodes and items a second, averaged, and when they may end.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::core::{Core, RunId};

/// The share of the newest sample.
const WEIGHT: f64 = 0.3;

/// Averages for all runs, sampled now and then.
#[derive(Default)]
pub struct Speeds {
    runs: BTreeMap<RunId, Speed>,
}

/// One run's averages.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    at: Instant,
    nodes_then: u64,
    ended_then: u64,
    /// Nodes a second.
    pub nodes: f64,
    /// Items a second.
    pub items: f64,
}

impl Speeds {
    /// Takes a sample of every run that is not over.
    pub fn sample(&mut self, core: &Core, at: Instant) {
        for run in core.runs().filter(|run| !run.is_over()) {
            let (nodes, ended) = (run.nodes(), run.counts().terminal());
            let first = Speed { at, nodes_then: nodes, ended_then: ended, nodes: 0.0, items: 0.0 };
            let speed = self.runs.entry(run.id).or_insert(first);
            let seconds = at.duration_since(speed.at).as_secs_f64();
            if seconds <= 0.0 {
                continue;
            }
            let rate = |now: u64, then: u64| now.saturating_sub(then) as f64 / seconds;
            let blend =
                |old: f64, new: f64| if old == 0.0 { new } else { old + WEIGHT * (new - old) };
            speed.nodes = blend(speed.nodes, rate(nodes, speed.nodes_then));
            speed.items = blend(speed.items, rate(ended, speed.ended_then));
            (speed.at, speed.nodes_then, speed.ended_then) = (at, nodes, ended);
        }
        self.runs.retain(|id, _| core.run(*id).is_some_and(|run| !run.is_over()));
    }

    /// The averages of a run; zeros if there are none.
    #[must_use]
    pub fn of(&self, run: RunId) -> (f64, f64) {
        self.runs.get(&run).map_or((0.0, 0.0), |speed| (speed.nodes, speed.items))
    }
}
