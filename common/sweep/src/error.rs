//! Errors of a sweep file: each names the file, the line and column, the field, what was found and
//! what was expected.

use std::fmt;

/// One error in a sweep file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepError {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// The field, like `kind` or `parameters.rows`; empty if the text is not TOML.
    pub field: String,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// All errors of a sweep file; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepErrors {
    /// In file order, but errors about whole items come last.
    pub errors: Vec<SweepError>,
    /// Whether there may be more: the reader stopped early.
    pub more: bool,
}

impl fmt::Display for SweepErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors.iter().enumerate() {
            let end = if at == 0 { "" } else { "\n" };
            write!(f, "{end}{error}")?;
        }
        if self.more {
            let count = self.errors.len();
            write!(f, "\nstopped looking after {count} errors")?;
        }
        Ok(())
    }
}

impl std::error::Error for SweepErrors {}
