//! What partitioners hand out and want done.

use hasami_andor::{Options, SearchTask, SumRule, Verdict};
use hasami_unit::UnitNo;

use super::frontier::Virtual;

/// A search for one worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The unit that it is handed out as; fresh for every task, never used again.
    pub unit: UnitNo,
    /// What to search.
    pub search: SearchTask,
}

/// What a partitioner wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Nobody wants the outcome of this unit any more.
    Cancel(UnitNo),
    /// Something new in the store concerns this unit: look now.
    Look(UnitNo),
    /// The root is settled.
    Settled(Verdict),
}

/// What the partitioners need to know of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How the workers' kernel adds up children; the coordinator must do the same.
    pub sum: SumRule,
    /// 1+ε of the workers' kernel, in 1/256.
    pub epsilon: u32,
    /// How long a lease should last, once the search is under way.
    pub lease_seconds: f64,
    /// The shortest lease that is worth its round trip.
    pub shortest_seconds: f64,
    /// Nodes a second, before the first report says better.
    pub speed: f64,
    /// How leased leaves look to those who choose the next one.
    pub virtual_numbers: Virtual,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sum: Options::DEFAULT.sum,
            epsilon: Options::DEFAULT.epsilon,
            lease_seconds: 1.0,
            shortest_seconds: 0.05,
            speed: 100_000.0,
            virtual_numbers: Virtual::default(),
        }
    }
}
