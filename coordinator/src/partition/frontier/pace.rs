//! How long leases are: short while the tree is too small for all workers, then up to about a second.

use hasami_andor::SearchReport;

use crate::partition::Settings;

/// Each lease may take this share of the time that the search has taken so far: the start costs
/// little, and the coordinator's tree grows as fast as the workers come.
const SHARE: f64 = 0.3;
/// How fast a new measurement of the speed replaces the old ones.
const BLEND: f64 = 0.2;
/// Nodes a second that are believed, so that one false report cannot make leases endless.
const FASTEST: f64 = 1e7;
/// Seconds that one report may add.
const LONGEST: f64 = 3600.0;

/// Measures how fast workers are and how long they have worked.
pub(super) struct Pace {
    longest: f64,
    shortest: f64,
    speed: f64,
    measured: bool,
    /// Working time of all workers, added up.
    seconds: f64,
}

impl Pace {
    pub fn new(settings: &Settings) -> Self {
        Self {
            longest: settings.lease_seconds,
            shortest: settings.shortest_seconds.min(settings.lease_seconds),
            speed: settings.speed,
            measured: false,
            seconds: 0.0,
        }
    }

    pub fn learn(&mut self, report: &SearchReport) {
        if report.seconds.is_finite() && report.seconds > 0.0 {
            self.seconds += report.seconds.min(LONGEST);
            // A lease of a few nodes measures the clock rather than the worker.
            if report.nodes >= 16 {
                let speed = (report.nodes as f64 / report.seconds).clamp(1.0, FASTEST);
                let blend = if self.measured { BLEND } else { 1.0 };
                self.speed += (speed - self.speed) * blend;
                self.measured = true;
            }
        }
    }

    /// Nodes for the next lease while `workers` are busy.
    pub fn budget(&self, workers: usize) -> u64 {
        let so_far = self.seconds / workers.max(1) as f64;
        let seconds = (so_far * SHARE).clamp(self.shortest, self.longest);
        (seconds * self.speed).max(1.0) as u64
    }

    /// Nodes of a full-length lease.
    pub fn full(&self) -> u64 {
        (self.longest * self.speed).max(1.0) as u64
    }
}
