//! Questions and how to search. A missing setting means "what suits the game".

use hasami_sweep::{Question, SearchSettings};

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

    /// Checks the form only: the rules have the last word when the question is answered.
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
        let kernel = search.kernel.as_deref().map(|word| named(&KERNELS, word));
        let sum = search.sum.as_deref().map(|word| named(&SUMS, word));
        Self {
            kernel: kernel.unwrap_or_default().into(),
            sum: sum.unwrap_or_default().into(),
            budget: search.budget,
            seed: search.seed,
            epsilon: search.epsilon,
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
        Ok(Self {
            kernel: word("search.kernel", message.kernel, &KERNELS)?,
            sum: word("search.sum", message.sum, &SUMS)?,
            budget: message.budget,
            seed: message.seed,
            // Adding 0 turns -0 into 0: equal settings have equal keys.
            epsilon: epsilon.map(|epsilon| epsilon + 0.0),
            table_mib: table,
        })
    }
}

/// Kernels by their names in sweep files.
const KERNELS: [(&str, v1::KernelKind); 6] = [
    ("pn", v1::KernelKind::Pn),
    ("pds", v1::KernelKind::Pds),
    ("dfpn", v1::KernelKind::Dfpn),
    ("multipath", v1::KernelKind::Multipath),
    ("threads", v1::KernelKind::Threads),
    ("wpns", v1::KernelKind::Wpns),
];

/// Sum rules by their names in sweep files.
const SUMS: [(&str, v1::SumKind); 3] =
    [("sum", v1::SumKind::Sum), ("weak", v1::SumKind::Weak), ("hybrid", v1::SumKind::Hybrid)];

/// The kind with this name. Settings are checked where they are read, so every name is known.
fn named<K: Copy>(kinds: &[(&str, K)], name: &str) -> K {
    let found = kinds.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind).expect("a name that was checked when it was read")
}

fn word<K: Copy + Default + PartialEq + TryFrom<i32>>(
    field: &'static str,
    number: i32,
    kinds: &[(&str, K)],
) -> Result<Option<String>, ConvertError> {
    let unknown = || ConvertError::new(field, number, "a kind of this version");
    let kind = K::try_from(number).map_err(|_| unknown())?;
    if kind == K::default() {
        return Ok(None);
    }
    let found = kinds.iter().find(|(_, known)| *known == kind);
    found.map(|(name, _)| Some((*name).to_string())).ok_or_else(unknown)
}
