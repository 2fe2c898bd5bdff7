//! A search shared by many workers: the task of one worker and its report. Plain data, so that the
//! code that splits a search and the code that runs a part of it agree.

use crate::kernel::Stopped;
use crate::numbers::Numbers;
use crate::problem::{Key, Turn};

/// How a worker searches its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Smallest number first.
    #[default]
    Plain,
    /// Plain, and reports its path through the control.
    Leader,
    /// The children of the state, starting from the least promising one.
    Slave,
}

/// A search for one worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTask {
    /// The state, as [`crate::Problem::encode`] writes it; empty for the root.
    pub state: Vec<u8>,
    /// Stop when a number reaches these; [`Numbers::UNBOUNDED`] for no limit. Ignored for a slave.
    pub target: Numbers,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// How to search.
    pub role: Role,
    /// Added to the seed of the question, so that independent searches differ.
    pub seed: u64,
    /// Exchange positions with the other workers while searching.
    pub share: bool,
    /// Report the children, so that the state can be split.
    pub children: bool,
}

impl Default for SearchTask {
    /// The root, without limits, not shared.
    fn default() -> Self {
        Self {
            state: Vec::new(),
            target: Numbers::UNBOUNDED,
            nodes: None,
            role: Role::Plain,
            seed: 0,
            share: false,
            children: false,
        }
    }
}

/// How a [`SearchTask`] ended.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// Numbers of the state of the task.
    pub numbers: Numbers,
    /// Whose choice the state is.
    pub turn: Turn,
    /// Nodes spent on the task.
    pub nodes: u64,
    /// Time spent on the task.
    pub seconds: f64,
    /// Why it ended.
    pub stopped: Stopped,
    /// All visible children, including settled ones, if the task asked for them.
    pub children: Vec<Child>,
    /// Records of the shared store that were used.
    pub store_hits: u64,
}

/// Progress of a [`SearchTask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchProgress {
    /// Nodes spent on the task so far.
    pub nodes: u64,
    /// Numbers of the state of the task; [`Numbers::UNKNOWN`] before there are any.
    pub numbers: Numbers,
    /// The path of a leader, from the root down.
    pub path: Vec<PathNode>,
}

/// A child of a state, with what a table knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The state, as [`crate::Problem::encode`] writes it.
    pub state: Vec<u8>,
    /// Key of the state; one key for a state reached in several ways.
    pub key: Key,
    /// Whose choice it is.
    pub turn: Turn,
    /// Its proof and disproof number.
    pub numbers: Numbers,
    /// Nodes spent below it; 0 if it was never searched.
    pub work: u64,
}

/// A node of the path that a search is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathNode {
    /// The state, as [`crate::Problem::encode`] writes it.
    pub state: Vec<u8>,
    /// Key of the state.
    pub key: Key,
    /// Whose choice it is.
    pub turn: Turn,
    /// Its proof and disproof number.
    pub numbers: Numbers,
    /// Number of its open children.
    pub open: u32,
}
