//! A worker's tasks and its progress reports.

use hasami_andor::{Key, Numbers, PathNode, Role, SearchProgress, SearchTask, Verdict};
use hasami_spec::Question;

use crate::ids::Lease;

/// A unit that was handed out.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The lease.
    pub lease: Lease,
    /// The question of the item.
    pub question: Question,
    /// The part of the answer to compute.
    pub task: Task,
}

/// The task of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Answer the whole question.
    Answer,
    /// Search below one state of a question that is split.
    Search(SearchTask),
    /// The root of a split question has this verdict: make and verify the certificate.
    Certify(Verdict),
    /// Count one part of an enumeration.
    Enumerate(EnumerateTask),
}

impl Task {
    /// Whether the unit reports its path.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        matches!(self, Self::Search(search) if search.role == Role::Leader)
    }

    /// Whether the unit ends only with its search.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        matches!(self, Self::Search(search) if search.nodes.is_none())
    }
}

/// A part of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumerateTask {
    /// Which part, as the enumeration spells it.
    pub prefix: String,
    /// After this many milliseconds, hand back the rest as further parts; 0: never.
    pub split_ms: u32,
}

impl EnumerateTask {
    /// A part. How long it may take is decided when it is handed out.
    #[must_use]
    pub fn part(prefix: String) -> Self {
        Self { prefix, split_ms: 0 }
    }

    /// The whole enumeration.
    #[must_use]
    pub fn whole() -> Self {
        Self::part("all".to_string())
    }
}

/// The progress of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The lease of the unit.
    pub lease: Lease,
    /// The progress of its search. Units without a search count their nodes here too.
    pub search: SearchProgress,
}

impl Progress {
    /// A unit that has not started.
    #[must_use]
    pub fn none(lease: Lease) -> Self {
        Self::new(lease, 0, None, Vec::new())
    }

    /// The progress of a unit; `numbers` if it has any yet.
    #[must_use]
    pub fn new(lease: Lease, nodes: u64, numbers: Option<Numbers>, path: Vec<PathNode>) -> Self {
        let numbers = numbers.unwrap_or(Numbers::UNKNOWN);
        Self { lease, search: SearchProgress { nodes, numbers, path } }
    }
}

/// States that other workers search, at or below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherWorkers {
    /// Their keys.
    pub keys: Vec<Key>,
    /// The depth of the deepest one below the root.
    pub depth: u32,
}
