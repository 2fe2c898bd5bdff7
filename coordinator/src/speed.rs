//! How fast runs go: nodes a second, averaged, and when they may end by the pace of their latest
//! items.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use hasami_proto::v1::ItemState;

use crate::core::{Core, RunId};

/// The share of the newest sample.
const WEIGHT: f64 = 0.3;
/// Samples that the pace of items is measured over: about a minute of those with news.
const SAMPLES: usize = 60;

/// Averages for all runs, sampled now and then.
#[derive(Default)]
pub struct Speeds {
    runs: BTreeMap<RunId, Speed>,
}

/// One run's averages.
#[derive(Clone, Debug)]
struct Speed {
    at: Instant,
    nodes_then: u64,
    /// Nodes a second.
    nodes: f64,
    pace: Pace,
}

impl Speeds {
    /// Takes a sample of every run that is not over.
    pub fn sample(&mut self, core: &Core, at: Instant) {
        for run in core.runs().filter(|run| !run.is_over()) {
            let counts = run.counts();
            let (nodes, ended) = (run.nodes(), counts.terminal());
            let first = || Speed { at, nodes_then: nodes, nodes: 0.0, pace: Pace::default() };
            let speed = self.runs.entry(run.id).or_insert_with(first);
            speed.pace.sample(at, ended, run.sweep.len() as u64, counts.of(ItemState::Running));
            let seconds = at.duration_since(speed.at).as_secs_f64();
            if seconds <= 0.0 {
                continue;
            }
            let rate = nodes.saturating_sub(speed.nodes_then) as f64 / seconds;
            speed.nodes =
                if speed.nodes == 0.0 { rate } else { speed.nodes + WEIGHT * (rate - speed.nodes) };
            (speed.at, speed.nodes_then) = (at, nodes);
        }
        self.runs.retain(|id, _| core.run(*id).is_some_and(|run| !run.is_over()));
    }

    /// Nodes a second of a run; 0 if nothing is known.
    #[must_use]
    pub fn nodes(&self, run: RunId) -> f64 {
        self.runs.get(&run).map_or(0.0, |speed| speed.nodes)
    }

    /// How long a run may still take, where its latest items say.
    #[must_use]
    pub fn left(&self, run: RunId) -> Option<Duration> {
        let speed = self.runs.get(&run)?;
        speed.pace.left(speed.at)
    }
}

/// The pace of the latest items of a run.
#[derive(Clone, Debug, Default)]
struct Pace {
    /// How many items had ended when; only when that number had changed.
    ends: VecDeque<(Instant, u64)>,
    items: u64,
    running: u64,
}

impl Pace {
    fn sample(&mut self, at: Instant, ended: u64, items: u64, running: u64) {
        (self.items, self.running) = (items, running);
        if self.ends.back().is_none_or(|(_, last)| *last != ended) {
            self.ends.push_back((at, ended));
            if self.ends.len() > SAMPLES {
                self.ends.pop_front();
            }
        }
    }

    /// `None` where the pace says nothing: too few items have ended; none has for longer than all
    /// that are left should take; or only those are left that are being computed, and these are
    /// the ones that take longer than the others.
    fn left(&self, now: Instant) -> Option<Duration> {
        let (&(begun, before), &(latest, ended)) = (self.ends.front()?, self.ends.back()?);
        let left = self.items.saturating_sub(ended);
        let fresh = ended.saturating_sub(before);
        if fresh < 3 || left <= self.running {
            return None;
        }
        // Until now, so that a pause after the last item counts.
        let each = now.duration_since(begun).as_secs_f64() / fresh as f64;
        let seconds = each * left as f64;
        let silent = now.duration_since(latest).as_secs_f64();
        (silent <= seconds.max(3.0 * each)).then(|| Duration::from_secs_f64(seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(at: u64) -> Duration {
        Duration::from_secs(at)
    }

    #[test]
    fn an_even_pace_is_told_to_the_second() {
        let (begun, mut pace) = (Instant::now(), Pace::default());
        for at in 0..=10 {
            pace.sample(begun + seconds(at), at * 5, 100, 2);
        }
        assert_eq!(pace.left(begun + seconds(10)), Some(seconds(10)));
    }

    #[test]
    fn nothing_is_told_before_items_have_ended_nor_of_the_last_ones() {
        let (begun, mut pace) = (Instant::now(), Pace::default());
        pace.sample(begun, 0, 100, 2);
        pace.sample(begun + seconds(1), 2, 100, 2);
        assert_eq!(pace.left(begun + seconds(1)), None);
        pace.sample(begun + seconds(2), 98, 100, 2);
        assert_eq!(pace.left(begun + seconds(2)), None, "both are being computed");
    }

    #[test]
    fn a_pace_that_has_broken_down_says_nothing() {
        let (begun, mut pace) = (Instant::now(), Pace::default());
        for at in 0..=9 {
            pace.sample(begun + seconds(at), at * 10, 100, 1);
        }
        // Ten are left, at ten a second.
        assert_eq!(pace.left(begun + seconds(9)), Some(seconds(1)));
        assert_eq!(pace.left(begun + seconds(60)), None);
    }
}
