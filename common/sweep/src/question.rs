//! One question: everything that its answer depends on.

use std::fmt;

use crate::key::ContentKey;

/// How a question is spread over workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One worker answers it; many such items travel together.
    Map,
    /// One search, split over many workers.
    Search,
    /// An enumeration whose parts split themselves when they run long.
    Enumerate,
}

impl Kind {
    /// All kinds with their names in sweep files.
    pub const NAMES: [(&str, Self); 3] =
        [("map", Self::Map), ("search", Self::Search), ("enumerate", Self::Enumerate)];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, kind)| kind == self).map(|(name, _)| *name);
        f.write_str(name.unwrap_or("?"))
    }
}

/// How one search is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partitioner {
    /// A leader, and slaves on the nodes of its path.
    Aohpas {
        /// Whether AND nodes are offered when the OR nodes run out.
        and_helpers: bool,
    },
    /// A tree of leases in the coordinator.
    Frontier,
    /// Independent searches; the first verdict wins.
    Dovetail,
}

impl Partitioner {
    /// All partitioners with their names in sweep files.
    pub const NAMES: [(&str, Self); 4] = [
        ("aohpas", Self::Aohpas { and_helpers: true }),
        ("aohpas-or", Self::Aohpas { and_helpers: false }),
        ("frontier", Self::Frontier),
        ("dovetail", Self::Dovetail),
    ];
}

impl fmt::Display for Partitioner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, one)| one == self).map(|(name, _)| *name);
        f.write_str(name.unwrap_or("?"))
    }
}

/// How to search; `None` means what suits the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchSettings {
    /// A name of [`hasami_andor::Kernel::NAMES`].
    pub kernel: Option<String>,
    /// `sum`, `weak` or `hybrid`.
    pub sum: Option<String>,
    /// Nodes for the whole question.
    pub budget: Option<u64>,
    /// Breaks ties.
    pub seed: u64,
    /// 1+ε.
    pub epsilon: Option<f64>,
    /// The hot table of a worker, in MiB.
    pub table_mib: Option<u32>,
}

/// One question of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// A game of the registry, or a job that is no single game (`pair`, `pave`, `pavings`).
    pub problem: String,
    /// In canonical spelling and order.
    pub params: Vec<(String, String)>,
    /// How to search.
    pub search: SearchSettings,
}

impl Question {
    /// `problem name=value name=value`, as `hasami solve` takes it.
    #[must_use]
    pub fn spelled(&self) -> String {
        let mut text = self.problem.clone();
        for (name, value) in &self.params {
            text.push(' ');
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        text
    }

    /// The key of a settled answer: what is true is true for every kernel and budget.
    #[must_use]
    pub fn settled_key(&self) -> ContentKey {
        ContentKey::of(&["settled", env!("CARGO_PKG_VERSION"), &self.spelled()])
    }

    /// The key of an answer that was left open: it says something about this search only.
    #[must_use]
    pub fn open_key(&self) -> ContentKey {
        // Not the table: its size changes how long a search takes, and is no part of the question.
        let SearchSettings { kernel, sum, budget, seed, epsilon, table_mib: _ } = &self.search;
        let search = format!("{kernel:?} {sum:?} {budget:?} {seed} {epsilon:?}");
        ContentKey::of(&["open", env!("CARGO_PKG_VERSION"), &self.spelled(), &search])
    }
}
