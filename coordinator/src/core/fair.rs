//! Who comes next when several runs want the same workers: higher priorities first, and runs of one
//! priority in proportion to their shares.
//!
//! Each run has an account of the computing time that it has had, divided by its share; the run
//! that has had least comes next. A run that is new, or had nothing to hand out, saves nothing up:
//! it starts level with the others.

use super::Core;
use super::ids::{Millis, RunId};

/// What a unit is taken to cost while no run has an outcome, in seconds.
const UNKNOWN: f64 = 1.0;
/// One outcome counts for at most this many seconds: the figure comes from a worker.
const MOST: f64 = 30.0 * 86_400.0;

/// The computing time that a run has had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Account {
    /// Seconds of accepted outcomes.
    spent: f64,
    outcomes: u64,
    /// What puts it level with the others when it joins them; `None` before it has.
    handicap: Option<f64>,
}

impl Account {
    /// Adds an accepted outcome.
    pub fn spend(&mut self, seconds: f64) {
        // Also false for what is not a number.
        if seconds > 0.0 {
            self.spent += seconds.min(MOST);
            self.outcomes += 1;
        }
    }

    /// The mean cost of a unit, if there is one.
    fn mean(&self) -> Option<f64> {
        (self.outcomes > 0).then(|| self.spent / self.outcomes as f64)
    }
}

/// Runs of one priority that compete for a worker.
pub(super) struct Contest {
    priority: i32,
    rivals: Vec<Rival>,
}

struct Rival {
    run: RunId,
    share: f64,
    /// Its account, with what its workers hold.
    had: f64,
    /// What one more unit adds.
    step: f64,
    /// It has something to hand out, as far as is known.
    willing: bool,
}

impl Contest {
    /// The run that comes next.
    pub fn next(&self) -> Option<RunId> {
        let willing = self.rivals.iter().filter(|rival| rival.willing);
        willing.min_by(|a, b| a.had.total_cmp(&b.had).then(a.run.cmp(&b.run))).map(|r| r.run)
    }

    /// Records that a run got a unit.
    pub fn served(&mut self, run: RunId) {
        if let Some(rival) = self.of(run) {
            rival.had += rival.step;
        }
    }

    /// Records that a run has nothing more to hand out to this worker.
    pub fn exhausted(&mut self, run: RunId) {
        if let Some(rival) = self.of(run) {
            rival.willing = false;
        }
    }

    /// The runs, the one that has had least first.
    pub fn in_order(&self) -> Vec<RunId> {
        let mut order: Vec<&Rival> = self.rivals.iter().collect();
        order.sort_by(|a, b| a.had.total_cmp(&b.had).then(a.run.cmp(&b.run)));
        order.into_iter().map(|rival| rival.run).collect()
    }

    fn of(&mut self, run: RunId) -> Option<&mut Rival> {
        self.rivals.iter_mut().find(|rival| rival.run == run)
    }
}

impl Core {
    /// Opens a contest between these runs of one priority.
    pub(super) fn contest(&mut self, priority: i32, runs: &[RunId], now: Millis) -> Contest {
        let mut rivals: Vec<Rival> = runs.iter().map(|&run| self.rival(run)).collect();
        if rivals.len() > 1 {
            self.count_held(&mut rivals, now);
        }
        let level = self.levels.get(&priority).copied().unwrap_or(0.0);
        for rival in &mut rivals {
            let account = &mut self.run_mut(rival.run).account;
            if account.handicap.is_none() || rival.had < level {
                account.handicap = Some(account.handicap.unwrap_or(0.0) + level - rival.had);
                rival.had = level;
            }
        }
        Contest { priority, rivals }
    }

    /// Closes a contest. What the run that is served next has had is the level at which others join.
    pub(super) fn close(&mut self, contest: &Contest) {
        let willing = contest.rivals.iter().filter(|rival| rival.willing).map(|rival| rival.had);
        if let Some(least) = willing.min_by(f64::total_cmp) {
            let level = self.levels.entry(contest.priority).or_insert(least);
            *level = level.max(least);
        }
    }

    fn rival(&self, id: RunId) -> Rival {
        let run = &self.runs[&id];
        let share = f64::from(run.sweep.share());
        let had = run.account.spent / share + run.account.handicap.unwrap_or(0.0);
        Rival { run: id, share, had, step: 0.0, willing: true }
    }

    /// Adds what workers hold: the mean cost of a unit for each, or the time that it has been
    /// computed for if that is longer.
    fn count_held(&self, rivals: &mut [Rival], now: Millis) {
        let means = rivals.iter().filter_map(|rival| self.runs[&rival.run].account.mean());
        let (sum, count) = means.fold((0.0, 0_u32), |(sum, count), mean| (sum + mean, count + 1));
        let usual = if count == 0 { UNKNOWN } else { sum / f64::from(count) };
        for rival in &mut *rivals {
            let mean = self.runs[&rival.run].account.mean().unwrap_or(usual);
            // Units that take no time at all still take turns.
            rival.step = mean.max(1e-6) / rival.share;
        }
        for worker in self.workers.values() {
            let threads = worker.threads();
            for (place, lease) in worker.leases.iter().enumerate() {
                let Some(rival) = rivals.iter_mut().find(|rival| rival.run == lease.run) else {
                    continue;
                };
                let computed = if place < threads { self.held_for(*lease, now) } else { 0.0 };
                rival.had += rival.step.max(computed / rival.share);
            }
        }
    }

    /// How long a lease has been held, in seconds.
    fn held_for(&self, lease: super::Lease, now: Millis) -> f64 {
        let active = self.runs.get(&lease.run).and_then(|run| run.active.get(&lease.item));
        let unit = active.and_then(|active| active.units.get(&lease.unit));
        unit.map_or(0.0, |unit| now.0.saturating_sub(unit.since.0) as f64 / 1000.0)
    }
}
