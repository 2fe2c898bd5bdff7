//! What partitioners and workers say to each other.

use hasami_andor::numbers::INFINITE;
use hasami_andor::{Key, Numbers, Options, Stopped, SumRule, Turn, Verdict};

use super::frontier::Virtual;

/// Thresholds that only a verdict reaches.
pub(super) const UNBOUNDED: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

/// One hand-out of one search; fresh for every [`Task`], never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitNo(pub u32);

/// How a worker goes about its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Smallest number first.
    Plain,
    /// Plain, and tells its path.
    Leader,
    /// Children from the largest number down.
    Slave,
}

/// Work for one worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its name.
    pub unit: UnitNo,
    /// The state, as `Problem::encode` writes it; empty for the root.
    pub state: Vec<u8>,
    /// Stop when a number reaches these.
    pub target: Numbers,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// How to search.
    pub role: Role,
    /// Added to the seed of the question.
    pub seed: u64,
    /// Share what is learned through the store while searching.
    pub share: bool,
    /// Report the children, so that the state can be split.
    pub children: bool,
}

/// A child of a reported state.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// As `Problem::encode` writes it.
    pub state: Vec<u8>,
    /// Its key: states reached in several ways are one.
    pub key: Key,
    /// Whose choice it is.
    pub turn: Turn,
    /// As far as the worker's table knows.
    pub numbers: Numbers,
    /// Nodes spent below it so far.
    pub work: u64,
}

/// How a unit ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Numbers of the state of the task.
    pub numbers: Numbers,
    /// Whose choice the state is.
    pub turn: Turn,
    /// Nodes spent on the unit.
    pub nodes: u64,
    /// Time spent on the unit.
    pub seconds: f64,
    /// Why it ended.
    pub stopped: Stopped,
    /// All children that can be seen, settled ones included, if the task asked for them.
    pub children: Vec<Child>,
}

/// What a worker says while it works.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Nodes spent on the unit so far.
    pub nodes: u64,
    /// Numbers of the state of the task, as far as known.
    pub numbers: Numbers,
    /// A leader's path, from the root down.
    pub path: Vec<PathNode>,
}

/// A node of a leader's path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathNode {
    /// As `Problem::encode` writes it.
    pub state: Vec<u8>,
    /// Its key.
    pub key: Key,
    /// Whose choice it is.
    pub turn: Turn,
    /// Its numbers.
    pub numbers: Numbers,
    /// Unsettled children.
    pub open: u32,
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

/// States that a unit had better leave to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Their keys.
    pub keys: Vec<Key>,
    /// How deep the deepest lies.
    pub depth: u32,
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
