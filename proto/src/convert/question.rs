//! Questions and how to search. On the wire an empty word and a 0 mean "what suits the game".

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
        Self {
            kernel: search.kernel.unwrap_or_default(),
            sum: search.sum.unwrap_or_default(),
            budget: search.budget.unwrap_or(0),
            seed: search.seed,
            epsilon: search.epsilon,
            table_mib: search.table_mib.unwrap_or(0),
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
        if table > Self::MAX_TABLE_MIB {
            let expected = format!("at most {}", Self::MAX_TABLE_MIB);
            return Err(ConvertError::new("search.table_mib", table, expected));
        }
        Ok(Self {
            kernel: word("search.kernel", message.kernel, &Self::KERNELS)?,
            sum: word("search.sum", message.sum, &Self::SUMS)?,
            budget: (message.budget > 0).then_some(message.budget),
            seed: message.seed,
            // Adding 0 turns -0 into 0: equal settings have equal keys.
            epsilon: epsilon.map(|epsilon| epsilon + 0.0),
            table_mib: (table > 0).then_some(table),
        })
    }
}

fn word(field: &'static str, word: String, known: &[&str]) -> Result<Option<String>, ConvertError> {
    match word.as_str() {
        "" => Ok(None),
        given if known.contains(&given) => Ok(Some(word)),
        _ => {
            let beginning: String = word.chars().take(40).collect();
            let expected = format!("nothing or one of {}", known.join(", "));
            Err(ConvertError::new(field, format_args!("{beginning:?}"), expected))
        }
    }
}
