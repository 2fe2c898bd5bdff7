//! A part of an enumeration: a path from the root of its tree, short enough to send to a worker.

use std::fmt;
use std::str::FromStr;

/// The child taken at each node from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(pub(super) Vec<u32>);

/// Why a part is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// Not the spelling of a prefix.
    #[error(
        "prefix \"{text}\": found \"{word}\" at step {step}; expected a number from 0, or \"all\" alone"
    )]
    Spelling {
        /// The whole text.
        text: String,
        /// The step, from 1.
        step: usize,
        /// The word at that step.
        word: String,
    },
    /// The tree of this question has no such path.
    #[error(
        "prefix \"{prefix}\": no child {found} at step {step}; expected a number below {expected}"
    )]
    NoChild {
        /// The prefix.
        prefix: Prefix,
        /// The step, from 1.
        step: usize,
        /// The child in the prefix.
        found: u32,
        /// Number of children.
        expected: usize,
    },
}

/// Numbers separated by `.`; `all` for the root.
impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("all");
        }
        let words: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&words.join("."))
    }
}

impl FromStr for Prefix {
    type Err = PrefixError;

    fn from_str(text: &str) -> Result<Self, PrefixError> {
        if text == "all" {
            return Ok(Self::default());
        }
        let number = |(at, word): (usize, &str)| {
            let digits = !word.is_empty() && word.chars().all(|sign| sign.is_ascii_digit());
            word.parse().ok().filter(|_| digits).ok_or_else(|| PrefixError::Spelling {
                text: text.to_string(),
                step: at + 1,
                word: word.to_string(),
            })
        };
        text.split('.').enumerate().map(number).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_read_as_they_are_written() {
        for words in [vec![], vec![0], vec![3, 0, 12]] {
            let prefix = Prefix(words);
            assert_eq!(prefix.to_string().parse(), Ok(prefix));
        }
    }

    #[test]
    fn wrong_prefixes_say_where() {
        for (text, step) in [("", 1), ("1..2", 2), ("1.x", 2), ("-1", 1), ("+1", 1), ("all.1", 1)] {
            let Err(PrefixError::Spelling { step: at, .. }) = text.parse::<Prefix>() else {
                panic!("{text}");
            };
            assert_eq!(at, step, "{text}");
        }
    }
}
