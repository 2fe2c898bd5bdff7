//! Speeds of runs and workers in nodes per second, averaged, and the estimated end of runs by the
//! pace of their latest items.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use hasami_unit::ItemState;

use crate::core::{Core, RunId, WorkerId};

/// The weight of the newest sample.
const WEIGHT: f64 = 0.3;
/// Samples used for the pace of items: about a minute of those with news.
const SAMPLES: usize = 60;

/// Items that must have ended for an estimate.
const FEWEST: u64 = 5;
/// The halves of the latest items may differ by this factor.
const SPREAD: f64 = 3.0;
/// So many items for each one being computed must be left besides.
const FEW_LEFT: u64 = 3;

/// Averages of all runs, sampled regularly.
#[derive(Default)]
pub struct Speeds {
    runs: BTreeMap<RunId, Speed>,
    workers: BTreeMap<WorkerId, Rate>,
    times: BTreeMap<WorkerId, Times>,
    /// Of all workers, also of those that have left.
    all: Times,
    /// When times were last counted.
    counted: Option<Instant>,
}

/// What threads have done with their time, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// They had a unit.
    pub busy: f64,
    /// They had nothing to do.
    pub idle: f64,
    /// Nodes that were reported.
    pub nodes: u64,
}

/// One run's averages.
#[derive(Clone, Debug)]
struct Speed {
    nodes: Rate,
    pace: Pace,
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
    /// Samples every active run and every worker.
    pub fn sample(&mut self, core: &Core, at: Instant) {
        for run in core.runs().filter(|run| !run.is_over()) {
            let counts = run.counts();
            let (nodes, ended) = (run.nodes(), counts.terminal());
            let first = || Speed { nodes: Rate::new(nodes, at), pace: Pace::default() };
            let speed = self.runs.entry(run.id).or_insert_with(first);
            speed.pace.sample(at, ended, run.sweep.len() as u64, counts.of(ItemState::Running));
            speed.nodes.sample(nodes, at);
        }
        self.runs.retain(|id, _| core.run(*id).is_some_and(|run| !run.is_over()));
        self.count(core, at);
        let mut before = std::mem::take(&mut self.workers);
        for (id, worker) in core.workers().filter(|(_, worker)| worker.present) {
            let mut rate = before.remove(&id).unwrap_or_else(|| Rate::new(worker.nodes, at));
            rate.sample(worker.nodes, at);
            self.workers.insert(id, rate);
        }
    }

    /// Adds the time since the last sample to the accounts of all workers.
    fn count(&mut self, core: &Core, at: Instant) {
        let last = self.counted.replace(at).unwrap_or(at);
        let passed = at.duration_since(last).as_secs_f64();
        let mut before = std::mem::take(&mut self.times);
        for (id, worker) in core.workers().filter(|(_, worker)| worker.present) {
            let mut times = before.remove(&id).unwrap_or_default();
            let threads = worker.about.threads.max(1) as usize;
            let busy = worker.leases().min(threads);
            let more = Times {
                busy: passed * busy as f64,
                idle: passed * (threads - busy) as f64,
                nodes: worker.nodes.saturating_sub(times.nodes),
            };
            times.add(more);
            self.all.add(more);
            self.times.insert(id, times);
        }
    }

    /// The account of a worker.
    #[must_use]
    pub fn times(&self, worker: WorkerId) -> Times {
        self.times.get(&worker).copied().unwrap_or_default()
    }

    /// The account of all workers.
    #[must_use]
    pub fn all_times(&self) -> Times {
        self.all
    }

    /// Nodes per second of a run; 0 if unknown.
    #[must_use]
    pub fn nodes(&self, run: RunId) -> f64 {
        self.runs.get(&run).map_or(0.0, |speed| speed.nodes.per_second)
    }

    /// Nodes per second of a worker; 0 if unknown.
    #[must_use]
    pub fn of_worker(&self, worker: WorkerId) -> f64 {
        self.workers.get(&worker).map_or(0.0, |rate| rate.per_second)
    }

    /// Estimated remaining time of a run, if its latest items allow one.
    #[must_use]
    pub fn left(&self, run: RunId) -> Option<Duration> {
        let speed = self.runs.get(&run)?;
        speed.pace.left(speed.nodes.at)
    }
}

impl Times {
    fn add(&mut self, more: Self) {
        self.busy += more.busy;
        self.idle += more.idle;
        self.nodes = self.nodes.saturating_add(more.nodes);
    }
}

/// The pace of the latest items of a run.
#[derive(Clone, Debug, Default)]
struct Pace {
    /// The number of ended items with its time; only at changes of that number.
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

    /// `None` if the pace gives no estimate that can be told:
    /// - too few items have ended;
    /// - the newer half of them took much more or less time than the older half: what is left may
    ///   be of either sort, or of a third;
    /// - none has ended for longer than all the remaining ones should take;
    /// - few are left besides those being computed: the end depends on single items then, and the
    ///   longest come out last.
    fn left(&self, now: Instant) -> Option<Duration> {
        let (&(begun, before), &(latest, ended)) = (self.ends.front()?, self.ends.back()?);
        let left = self.items.saturating_sub(ended);
        let fresh = ended.saturating_sub(before);
        if fresh < FEWEST || left.saturating_sub(self.running) < FEW_LEFT * self.running.max(1) {
            return None;
        }
        let &(middle, half) = self.ends.get(self.ends.len() / 2)?;
        let each = |from: Instant, to: Instant, items: u64| {
            to.duration_since(from).as_secs_f64() / items.max(1) as f64
        };
        // Up to now, so that a pause after the last item counts.
        let (older, newer) = (each(begun, middle, half - before), each(middle, now, ended - half));
        if older.max(newer) > SPREAD * older.min(newer) {
            return None;
        }
        let each = each(begun, now, fresh);
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

    /// Items of a sweep differ by factors of a million: a thousand quick ones say nothing of the
    /// next.
    #[test]
    fn a_pace_that_slows_down_says_nothing() {
        let (begun, mut pace) = (Instant::now(), Pace::default());
        for at in 0..=10 {
            pace.sample(begun + seconds(at), at * 100, 2000, 2);
        }
        assert_eq!(pace.left(begun + seconds(10)), Some(seconds(10)));
        for at in 1..=10 {
            pace.sample(begun + seconds(10 + 60 * at), 1000 + at, 2000, 2);
        }
        assert_eq!(pace.left(begun + seconds(610)), None);
    }

    #[test]
    fn the_last_items_are_not_foretold() {
        let (begun, mut pace) = (Instant::now(), Pace::default());
        for at in 0..=90 {
            pace.sample(begun + seconds(at), at, 100, 4);
        }
        assert_eq!(pace.left(begun + seconds(90)), None, "six are left besides the four");
    }
}
