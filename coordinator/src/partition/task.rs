//! Tasks and directives of the partitioners.

use hasami_andor::{Options, SearchTask, SumRule, Verdict};
use hasami_unit::UnitNo;

use super::frontier::Virtual;

/// A search for one worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The unit number; new for every task, never reused.
    pub unit: UnitNo,
    /// What to search.
    pub search: SearchTask,
}

/// A partitioner's instruction to the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// The outcome of this unit is no longer needed.
    Cancel(UnitNo),
    /// The store has news for this unit: fetch it now.
    Look(UnitNo),
    /// The root is settled.
    Settled(Verdict),
}

/// The settings of a search that partitioners use.
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
    /// Nodes per second, until the first report arrives.
    pub speed: f64,
    /// How leased leaves look when the next leaf is chosen.
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
