//! Errors of parameters: each message names the key, what was found and what was expected.

use std::fmt;

use crate::suggest::hint;

/// Why parameters are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// The game has no such parameter.
    #[error("unknown parameter \"{key}\"; expected one of {}{}", known.join(", "), hint(*suggestion))]
    Unknown {
        /// The unknown key.
        key: String,
        /// The parameters of the game.
        known: Vec<&'static str>,
        /// The parameter that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A value of the wrong kind, out of range or in conflict with another.
    #[error("{key}={found}: expected {expected}")]
    Bad {
        /// The parameter.
        key: String,
        /// The value.
        found: String,
        /// The allowed values.
        expected: String,
    },
    /// A parameter without a default was left out.
    #[error("parameter \"{key}\" is missing; expected {key}={placeholder} ({help})")]
    Missing {
        /// The parameter.
        key: &'static str,
        /// The placeholder of its value.
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
    /// A word of a spelling that is not `key=value`.
    #[error("found \"{found}\"; expected key=value")]
    NoPair {
        /// The word.
        found: String,
    },
}

impl ParamError {
    /// The error for a value `found` of `key` that is not as `expected`.
    pub fn bad(key: &str, found: impl fmt::Display, expected: impl fmt::Display) -> Self {
        Self::Bad { key: key.to_string(), found: found.to_string(), expected: expected.to_string() }
    }
}
