//! A cluster in one thread: many simulated workers run the real kernels on a real problem under a
//! virtual clock, driven by a real partitioner. Says what a partitioner is worth with 1024 workers
//! without having them.
//!
//! Time is nodes over speed, plus latency for every exchange, plus the coordinator's service, which
//! is one queue. Everything follows from the problem, the calibration and the seed.

mod cluster;
mod faults;
mod forgetful;
mod plot;
mod shared;
mod table;
#[cfg(test)]
mod tests;
mod worker;

use hasami_andor::{Control, Job, Kernel, Options, Problem, ProblemId, Search, Table, Verdict};
use hasami_spec::Partitioner;

use hasami_coordinator::partition::{Settings, Virtual};

pub use cluster::{Run, Stuck, simulate};
pub use faults::Faults;
pub use forgetful::Forgetful;
pub use plot::svg;
pub use table::{csv, markdown};

/// What the simulated machines are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Nodes a second of one worker.
    pub speed: f64,
    /// Seconds for a message to get from a worker to the coordinator or back.
    pub latency: f64,
    /// Seconds of the coordinator for one exchange or one heartbeat.
    pub service: f64,
    /// Seconds for a worker to ask the store about a batch of states.
    pub store_latency: f64,
    /// Seconds until others can see what was published.
    pub store_delay: f64,
    /// Seconds for a worker to take in one record from the store.
    pub absorb: f64,
    /// Seconds between two heartbeats, with which results are published too.
    pub heartbeat: f64,
    /// What cost at least so many nodes is published.
    pub share_work: u32,
    /// Entries of a worker's own table.
    pub table_entries: usize,
    /// Entries of the table of the sequential search that speed-ups are measured against.
    pub baseline_entries: usize,
    /// How long a lease should last.
    pub lease_seconds: f64,
    /// The shortest lease worth its round trip.
    pub shortest_seconds: f64,
    /// How leased leaves look.
    pub virtual_numbers: Virtual,
    /// How the kernels search.
    pub options: Options,
}

impl Default for Calibration {
    /// A cluster in one room, with rules so slow that a second is 200 nodes: what matters is how many
    /// leases a search is made of, and this way a simulation of hours of work takes minutes. A lease
    /// costs the coordinator five times what `hasami-bench leases` measures. Nothing is too cheap to be
    /// told: a node takes longer to search again than a record to send.
    fn default() -> Self {
        Self {
            speed: 200.0,
            latency: 0.002,
            service: 0.000_05,
            store_latency: 0.002,
            store_delay: 0.01,
            absorb: 0.000_001,
            heartbeat: 0.5,
            share_work: 1,
            table_entries: 1 << 15,
            baseline_entries: 1 << 24,
            lease_seconds: 1.0,
            shortest_seconds: 0.05,
            virtual_numbers: Virtual::default(),
            options: Options::DEFAULT,
        }
    }
}

impl Calibration {
    /// What the partitioner is told.
    fn settings(&self) -> Settings {
        Settings {
            sum: self.options.sum,
            epsilon: self.options.epsilon,
            lease_seconds: self.lease_seconds,
            shortest_seconds: self.shortest_seconds,
            speed: self.speed,
            virtual_numbers: self.virtual_numbers,
        }
    }
}

/// Plain df-pn on one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// What it found.
    pub verdict: Verdict,
    /// What it took.
    pub nodes: u64,
}

/// The sequential search that speed-ups are measured against.
#[must_use]
pub fn baseline<P: Problem>(problem: &P, calibration: &Calibration) -> Option<Baseline> {
    let table = Table::with_entries(calibration.baseline_entries, false);
    let job = Job::settle(problem.root());
    let mut search = Search::new(Kernel::Dfpn, problem, &table, calibration.options, job);
    let outcome = search.run(&Control::unlimited());
    let verdict = outcome.numbers.verdict()?;
    Some(Baseline { verdict, nodes: outcome.counts.nodes })
}

/// One simulated run, measured against the baseline. Shares are of all workers' time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How the search was split.
    pub partitioner: Partitioner,
    /// How many workers there were.
    pub workers: usize,
    /// From the first question to the verdict.
    pub seconds: f64,
    /// Baseline time over this time.
    pub speedup: f64,
    /// Nodes of all workers.
    pub nodes: u64,
    /// The same over the nodes of the baseline.
    pub overhead: f64,
    /// Time spent searching.
    pub search: f64,
    /// Time spent waiting for work.
    pub idle: f64,
    /// Time spent on messages and store lookups.
    pub talk: f64,
    /// The coordinator's time spent serving.
    pub coordinator: f64,
    /// Units given out.
    pub units: u64,
}

impl Point {
    /// Speed-up for each worker.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        self.speedup / self.workers as f64
    }
}

/// Simulates one partitioner on one problem.
///
/// # Errors
/// When the search does not end, or ends in another verdict than the baseline.
pub fn measure<P: Problem>(
    partitioner: Partitioner,
    problem: &P,
    workers: usize,
    calibration: &Calibration,
    baseline: &Baseline,
    faults: &mut Faults,
) -> Result<Point, Stuck> {
    let run = simulate(partitioner, problem, workers, calibration, faults)?;
    if run.verdict != baseline.verdict {
        return Err(Stuck::Contradiction { found: run.verdict });
    }
    Ok(run.against(partitioner, workers, calibration, baseline))
}

/// Everything about one problem: each partitioner with each number of workers.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The problem.
    pub problem: ProblemId,
    /// What speed-ups are measured against.
    pub baseline: Baseline,
    /// One for each partitioner and number of workers.
    pub points: Vec<Point>,
}

/// Compares partitioners on one problem; `None` if plain df-pn finds no verdict.
///
/// # Errors
/// As [`measure`].
pub fn report<P: Problem>(
    problem: &P,
    partitioners: &[Partitioner],
    counts: &[usize],
    calibration: &Calibration,
    mut told: impl FnMut(&Point),
) -> Result<Option<Comparison>, Stuck> {
    let Some(baseline) = baseline(problem, calibration) else {
        return Ok(None);
    };
    let mut points = Vec::new();
    for &partitioner in partitioners {
        for &count in counts {
            let faults = &mut Faults::none();
            let point = measure(partitioner, problem, count, calibration, &baseline, faults)?;
            told(&point);
            points.push(point);
        }
    }
    Ok(Some(Comparison { problem: problem.id(), baseline, points }))
}
