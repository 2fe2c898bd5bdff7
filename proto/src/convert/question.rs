//! Questions and how to search. On the wire an empty word and a 0 mean "what suits the game".

use hasami_spec::settings::{SUM_RULES, sum_rule_word};
use hasami_spec::{KernelName, Question, SearchSettings};

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
            kernel: search.kernel.map(|kernel| kernel.word().to_string()).unwrap_or_default(),
            sum: search.sum.map(|rule| sum_rule_word(rule).to_string()).unwrap_or_default(),
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
        let settings = Self {
            kernel: word("search.kernel", &message.kernel, &KernelName::NAMES)?,
            sum: word("search.sum", &message.sum, &SUM_RULES)?,
            budget: (message.budget > 0).then_some(message.budget),
            seed: message.seed,
            // Adding 0 turns -0 into 0: equal settings have equal keys.
            epsilon: epsilon.map(|epsilon| epsilon + 0.0),
            table_mib: (table > 0).then_some(table),
        };
        settings.check().map_err(|conflict| {
            let expected = "weak, or none, with the kernel wpns";
            ConvertError::new("search.sum", sum_rule_word(conflict.0), expected)
        })?;
        Ok(settings)
    }
}

fn word<T: Copy>(
    field: &'static str,
    word: &str,
    known: &[(&str, T)],
) -> Result<Option<T>, ConvertError> {
    if word.is_empty() {
        return Ok(None);
    }
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|&(_, value)| Some(value)).ok_or_else(|| {
        let beginning: String = word.chars().take(40).collect();
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let expected = format!("nothing or one of {}", names.join(", "));
        ConvertError::new(field, format_args!("{beginning:?}"), expected)
    })
}
