//! Why parameters were refused: each message names the key, what was found and what was expected.

use std::fmt;

use crate::suggest::hint;

/// Why parameters were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// The game has no such parameter.
    #[error("unknown parameter \"{key}\"; expected one of {}{}", known.join(", "), hint(*suggestion))]
    Unknown {
        /// What was given.
        key: String,
        /// What the game takes.
        known: Vec<&'static str>,
        /// The one that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A value of the wrong kind, out of range or at odds with another one.
    #[error("{key}={found}: expected {expected}")]
    Bad {
        /// The parameter.
        key: String,
        /// Its value.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// A parameter without a default was left out.
    #[error("parameter \"{key}\" is missing; expected {key}={placeholder} ({help})")]
    Missing {
        /// The parameter.
        key: &'static str,
        /// What stands for its value.
        placeholder: &'static str,
        /// What it is for.
        help: &'static str,
    },
    /// A parameter was given twice.
    #[error("parameter \"{key}\" is given twice, as {first} and as {second}; expected it once")]
    Twice {
        /// The parameter.
        key: &'static str,
        /// The first value.
        first: String,
        /// The second value.
        second: String,
    },
    /// A piece of a spelling that is no `key=value`.
    #[error("found \"{found}\"; expected key=value")]
    NoPair {
        /// The piece.
        found: String,
    },
}

impl ParamError {
    /// The value `found` of `key` is not what was `expected`.
    pub fn bad(key: &str, found: impl fmt::Display, expected: impl fmt::Display) -> Self {
        Self::Bad { key: key.to_string(), found: found.to_string(), expected: expected.to_string() }
    }
}
