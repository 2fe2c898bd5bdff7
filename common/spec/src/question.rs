//! A question: everything that its answer depends on.

use std::fmt;

use crate::key::{ContentKey, push_part};
use crate::settings::SearchSettings;

/// How a question is distributed over workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One worker answers it; many such items are sent together.
    Map,
    /// One search, split over many workers.
    Search,
    /// An enumeration whose parts split when they take too long.
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
        /// Whether AND nodes are offered when no OR nodes are left.
        and_helpers: bool,
    },
    /// A tree of leases in the coordinator.
    Frontier,
    /// Independent searches; the first verdict wins.
    Dovetail,
}

impl Partitioner {
    /// The fastest one in measurements, with few workers and with many (docs/performance.md).
    pub const DEFAULT: Self = Self::Frontier;

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

/// One question of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The name of its spec.
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

    /// The key of a settled answer. It is valid for every kernel and budget.
    #[must_use]
    pub fn settled_key(&self) -> ContentKey {
        self.keys().0
    }

    /// The key of an open answer. It is valid for this search only.
    #[must_use]
    pub fn open_key(&self) -> ContentKey {
        self.keys().1
    }

    /// The key under which the latest cost of the question is kept, however it was searched: a guess
    /// for the next time.
    #[must_use]
    pub fn cost_key(&self) -> ContentKey {
        let mut parts = vec!["cost", env!("CARGO_PKG_VERSION"), "", &self.problem];
        parts.extend(self.params.iter().flat_map(|(name, value)| [name.as_str(), value]));
        ContentKey::of(&parts)
    }

    fn keys(&self) -> (ContentKey, ContentKey) {
        let mut maker = KeyMaker::new(&self.problem, &self.search);
        maker.keys(|add| self.params.iter().for_each(|(name, value)| add(name, value)))
    }
}

/// Makes the keys of many questions that differ in their parameters only.
pub struct KeyMaker {
    settled: Vec<u8>,
    open: Vec<u8>,
    /// How much of the two is the same for all questions.
    heads: (usize, usize),
}

impl KeyMaker {
    /// For questions about this problem with these settings.
    #[must_use]
    pub fn new(problem: &str, search: &SearchSettings) -> Self {
        // Without the table: its size affects the running time, not the question.
        let SearchSettings {
            kernel,
            sum,
            budget,
            time_limit_ms,
            seed,
            epsilon,
            evaluation,
            table_mib: _,
        } = search;
        let mut search = format!("{kernel:?} {sum:?} {budget:?} {seed} {epsilon:?}");
        if let Some(limit) = time_limit_ms {
            search.push_str(&format!(" {limit} ms"));
        }
        if let Some(evaluation) = evaluation {
            search.push_str(&format!(" {}", evaluation.word()));
        }
        let head = |state: &str, search: &str| {
            let mut bytes = Vec::with_capacity(512);
            for part in [state, env!("CARGO_PKG_VERSION"), search, problem] {
                push_part(&mut bytes, part);
            }
            bytes
        };
        let (settled, open) = (head("settled", ""), head("open", &search));
        let heads = (settled.len(), open.len());
        Self { settled, open, heads }
    }

    /// The keys of a settled and of an open answer to the question with these parameters, which
    /// `params` passes on in canonical order. Each part is hashed separately, since a value may
    /// contain the separator of the spelling.
    pub fn keys(
        &mut self,
        params: impl FnOnce(&mut dyn FnMut(&str, &str)),
    ) -> (ContentKey, ContentKey) {
        let Self { settled, open, heads } = self;
        settled.truncate(heads.0);
        open.truncate(heads.1);
        params(&mut |name, value| {
            push_part(settled, name);
            push_part(settled, value);
        });
        open.extend_from_slice(&settled[heads.0..]);
        (ContentKey::of_bytes(settled), ContentKey::of_bytes(open))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn question() -> impl Strategy<Value = Question> {
        let word = || prop::sample::select(vec!["", "a", "b", "a=b", "a b", " ", "b c=a"]);
        let pair = (word(), word()).prop_map(|(a, b)| (a.to_string(), b.to_string()));
        let params = prop::collection::vec(pair, 0..3);
        let limits = (prop::option::of(0..2u64), prop::option::of(0..2u64));
        (word(), params, 0..2u64, limits).prop_map(
            |(problem, params, seed, (budget, time_limit_ms))| Question {
                problem: problem.to_string(),
                params,
                search: SearchSettings { seed, budget, time_limit_ms, ..SearchSettings::default() },
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn keys_are_equal_exactly_if_questions_are(a in question(), b in question()) {
            let same = a.problem == b.problem && a.params == b.params;
            prop_assert_eq!(a.settled_key() == b.settled_key(), same);
            prop_assert_eq!(a.open_key() == b.open_key(), a == b);
            prop_assert_eq!(a.cost_key() == b.cost_key(), same);
            prop_assert_ne!(a.settled_key(), a.open_key());
            prop_assert_ne!(a.settled_key(), a.cost_key());
        }
    }

    #[test]
    fn the_size_of_the_table_is_no_part_of_the_question() {
        let question = |table_mib| Question {
            problem: "chomp".to_string(),
            params: Vec::new(),
            search: SearchSettings { table_mib, ..SearchSettings::default() },
        };
        assert_eq!(question(Some(1)).open_key(), question(None).open_key());
    }
}
