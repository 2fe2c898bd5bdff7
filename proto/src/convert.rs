//! Conversions between messages and domain types. Everything from the wire is hostile until it has
//! passed here: every error names the field, the value and what was expected.

mod answer;
mod lease;
mod question;
mod search;
mod states;
#[cfg(test)]
mod tests;
mod work;

use std::fmt;

use crate::v1;

/// A message that cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: found {found}; expected {expected}")]
pub struct ConvertError {
    /// The field of the message.
    pub field: &'static str,
    /// Its value.
    pub found: String,
    /// What is expected.
    pub expected: String,
}

impl ConvertError {
    pub(crate) fn new(
        field: &'static str,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Self {
        Self { field, found: found.to_string(), expected: expected.to_string() }
    }
}

/// The longest name in a message.
const MAX_NAME: usize = 255;
/// The longest value, claim or column: lists of patterns are the longest.
const MAX_TEXT: usize = 4 << 20;
/// The longest list of parameters, columns or certificates.
const MAX_LIST: usize = 1024;

fn checked_name(field: &'static str, name: String) -> Result<String, ConvertError> {
    match name.len() {
        1..=MAX_NAME => Ok(name),
        length => {
            let found = format!("a name of {length} bytes");
            Err(ConvertError::new(field, found, format_args!("1 to {MAX_NAME} of them")))
        }
    }
}

fn checked_text(field: &'static str, text: String) -> Result<String, ConvertError> {
    match text.len() {
        0..=MAX_TEXT => Ok(text),
        length => {
            let found = format!("a text of {length} bytes");
            Err(ConvertError::new(field, found, format_args!("at most {MAX_TEXT} of them")))
        }
    }
}

fn checked_list<T>(field: &'static str, list: Vec<T>) -> Result<Vec<T>, ConvertError> {
    match list.len() {
        0..=MAX_LIST => Ok(list),
        length => {
            let found = format!("{length} entries");
            Err(ConvertError::new(field, found, format_args!("at most {MAX_LIST} of them")))
        }
    }
}

fn checked_seconds(field: &'static str, seconds: f64) -> Result<f64, ConvertError> {
    if seconds.is_finite() && seconds >= 0.0 {
        Ok(seconds)
    } else {
        Err(ConvertError::new(field, seconds, "a time"))
    }
}

/// Names with values; names are unique.
fn read_pairs(
    field: &'static str,
    pairs: Vec<v1::Param>,
) -> Result<Vec<(String, String)>, ConvertError> {
    let mut read: Vec<(String, String)> = Vec::with_capacity(pairs.len().min(MAX_LIST));
    for v1::Param { name, value } in checked_list(field, pairs)? {
        let name = checked_name(field, name)?;
        if read.iter().any(|(other, _)| *other == name) {
            return Err(ConvertError::new(field, format_args!("\"{name}\" twice"), "it once"));
        }
        read.push((name, checked_text(field, value)?));
    }
    Ok(read)
}

fn write_pairs(pairs: Vec<(String, String)>) -> Vec<v1::Param> {
    pairs.into_iter().map(|(name, value)| v1::Param { name, value }).collect()
}
