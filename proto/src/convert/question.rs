//! Questions and search settings. A missing setting means the default of the game.

use std::time::Duration;

use hasami_andor::SumRule;
use hasami_spec::settings::sum_rule_word;
use hasami_spec::{Evaluation, KernelName, Question, SearchSettings};

use super::{ConvertError, checked_name, read_pairs, write_pairs};
use crate::v1;

impl From<Question> for v1::Question {
    fn from(question: Question) -> Self {
        Self {
            problem: question.problem,
            params: write_pairs(question.params),
            search: Some(question.search.into()),
        }
    }
}

impl TryFrom<v1::Question> for Question {
    type Error = ConvertError;

    /// Checks the form only: the rules decide when the question is answered.
    fn try_from(message: v1::Question) -> Result<Self, ConvertError> {
        Ok(Self {
            problem: checked_name("question.problem", message.problem)?,
            params: read_pairs("question.params", message.params)?,
            search: message.search.unwrap_or_default().try_into()?,
        })
    }
}

impl From<SearchSettings> for v1::Search {
    fn from(search: SearchSettings) -> Self {
        let kernel = search.kernel.map(|kernel| wire(&KERNELS, kernel));
        let sum = search.sum.map(|rule| wire(&SUMS, rule));
        Self {
            kernel: kernel.unwrap_or_default().into(),
            sum: sum.unwrap_or_default().into(),
            budget: search.budget,
            time_limit_ms: search.time_limit_ms,
            seed: search.seed,
            epsilon: search.epsilon,
            evaluation: search.evaluation.map_or("", Evaluation::word).to_string(),
            table_mib: search.table_mib,
        }
    }
}

impl TryFrom<v1::Search> for SearchSettings {
    type Error = ConvertError;

    fn try_from(message: v1::Search) -> Result<Self, ConvertError> {
        let (epsilon, table) = (message.epsilon, message.table_mib);
        if let Some(epsilon) = epsilon.filter(|e| !(0.0..=Self::MAX_EPSILON).contains(e)) {
            let expected = format!("a number from 0 to {}", Self::MAX_EPSILON);
            return Err(ConvertError::new("search.epsilon", epsilon, expected));
        }
        if let Some(table) = table.filter(|mib| !(1..=Self::MAX_TABLE_MIB).contains(mib)) {
            let expected = format!("1 to {}", Self::MAX_TABLE_MIB);
            return Err(ConvertError::new("search.table_mib", table, expected));
        }
        if message.budget == Some(0) {
            return Err(ConvertError::new("search.budget", 0, "at least 1"));
        }
        let limit = message.time_limit_ms.map(Duration::from_millis);
        let range = Self::MIN_TIME_LIMIT..=Self::MAX_TIME_LIMIT;
        if let Some(limit) = limit.filter(|limit| !range.contains(limit)) {
            let expected = format!("{:?} to {:?}", range.start(), range.end());
            return Err(ConvertError::new("search.time_limit_ms", limit.as_millis(), expected));
        }
        let settings = Self {
            kernel: read("search.kernel", message.kernel, &KERNELS)?,
            sum: read("search.sum", message.sum, &SUMS)?,
            budget: message.budget,
            time_limit_ms: message.time_limit_ms,
            seed: message.seed,
            // Adding 0 turns -0 into 0: equal settings have equal keys.
            epsilon: epsilon.map(|epsilon| epsilon + 0.0),
            evaluation: evaluation(&message.evaluation)?,
            table_mib: table,
        };
        settings.check().map_err(|conflict| {
            let expected = "weak, or none, with the kernel wpns";
            ConvertError::new("search.sum", sum_rule_word(conflict.0), expected)
        })?;
        Ok(settings)
    }
}

fn evaluation(word: &str) -> Result<Option<Evaluation>, ConvertError> {
    if word.is_empty() {
        return Ok(None);
    }
    let found = Evaluation::NAMES.iter().find(|(name, _)| *name == word);
    let unknown = || ConvertError::new("search.evaluation", word, "a name of this version");
    found.map(|(_, evaluation)| Some(*evaluation)).ok_or_else(unknown)
}

const KERNELS: [(KernelName, v1::KernelKind); 6] = [
    (KernelName::Pn, v1::KernelKind::Pn),
    (KernelName::Pds, v1::KernelKind::Pds),
    (KernelName::Dfpn, v1::KernelKind::Dfpn),
    (KernelName::Multipath, v1::KernelKind::Multipath),
    (KernelName::Threads, v1::KernelKind::Threads),
    (KernelName::Wpns, v1::KernelKind::Wpns),
];

const SUMS: [(SumRule, v1::SumKind); 3] = [
    (SumRule::Sum, v1::SumKind::Sum),
    (SumRule::Weak, v1::SumKind::Weak),
    (SumRule::Hybrid, v1::SumKind::Hybrid),
];

/// The kind on the wire.
fn wire<T: Copy + PartialEq, K: Copy>(kinds: &[(T, K)], setting: T) -> K {
    let found = kinds.iter().find(|(known, _)| *known == setting);
    found.map(|(_, kind)| *kind).expect("every setting has a kind on the wire")
}

/// The setting of a kind on the wire; `None` if unset.
fn read<T: Copy, K: Copy + Default + PartialEq + TryFrom<i32>>(
    field: &'static str,
    number: i32,
    kinds: &[(T, K)],
) -> Result<Option<T>, ConvertError> {
    let unknown = || ConvertError::new(field, number, "a kind of this version");
    let kind = K::try_from(number).map_err(|_| unknown())?;
    if kind == K::default() {
        return Ok(None);
    }
    let found = kinds.iter().find(|(_, known)| *known == kind);
    found.map(|(setting, _)| Some(*setting)).ok_or_else(unknown)
}
