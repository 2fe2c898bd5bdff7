//! Conversions between messages and domain types. Everything from the wire is hostile until it has
//! passed here: every error names the field, the value and what was expected.

mod answer;
mod entry;
mod lease;
mod question;
mod search;
mod states;
#[cfg(test)]
mod tests;
mod work;

use std::fmt;

use hasami_sweep::text;

use crate::limits;
use crate::v1;

pub use entry::{Introduced, introduced, malformed, progress, sweep};

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
        // The value comes from the network, and the error goes to terminals and logs.
        let found = text::line(&found.to_string(), limits::QUOTED);
        Self { field, found, expected: expected.to_string() }
    }
}

fn checked_name(field: &'static str, name: String) -> Result<String, ConvertError> {
    match name.len() {
        1..=limits::NAME => Ok(name),
        length => {
            let found = format!("a name of {length} bytes");
            Err(ConvertError::new(field, found, format_args!("1 to {} of them", limits::NAME)))
        }
    }
}

fn checked_text(field: &'static str, text: String) -> Result<String, ConvertError> {
    match text.len() {
        0..=limits::TEXT => Ok(text),
        length => {
            let found = format!("a text of {length} bytes");
            Err(ConvertError::new(field, found, format_args!("at most {} of them", limits::TEXT)))
        }
    }
}

fn checked_list<T>(field: &'static str, list: Vec<T>) -> Result<Vec<T>, ConvertError> {
    match list.len() {
        0..=limits::LIST => Ok(list),
        length => {
            let found = format!("{length} entries");
            Err(ConvertError::new(field, found, format_args!("at most {} of them", limits::LIST)))
        }
    }
}

/// As many entries as `most` says.
fn checked_length<T>(field: &'static str, list: &[T], most: usize) -> Result<(), ConvertError> {
    if list.len() <= most {
        return Ok(());
    }
    let found = format!("{} entries", list.len());
    Err(ConvertError::new(field, found, format_args!("at most {most} of them")))
}

fn checked_state(field: &'static str, state: Vec<u8>) -> Result<Vec<u8>, ConvertError> {
    if state.len() <= limits::STATE {
        return Ok(state);
    }
    let found = format!("{} bytes", state.len());
    Err(ConvertError::new(field, found, format_args!("at most {}", limits::STATE)))
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
    let mut read: Vec<(String, String)> = Vec::with_capacity(pairs.len().min(limits::LIST));
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
