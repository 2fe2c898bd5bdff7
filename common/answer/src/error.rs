//! How a job can end without an answer, and whether trying again can help.

use std::any::Any;

use hasami_andor::Contradiction;
use hasami_andor::certificate::{CertificateError, ExtractError};
use hasami_andor::table::OutOfMemory;
use hasami_game::text_certificate::TextFileError;
use hasami_game::{BuildError, Game};
use hasami_spec::{ParamError, UnknownName};

use crate::settle::Halt;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The control asked to stop.
    #[error("stopped")]
    Stopped,
    /// The question itself is wrong.
    #[error("{0}")]
    Question(String),
    /// A file cannot be read or written on this machine; another machine may succeed.
    #[error("{0}")]
    Io(String),
    /// A file that the question names cannot be used here; another machine may have it.
    #[error("{0}")]
    File(String),
    /// This machine lacks memory for the table; another may have enough.
    #[error("{0}")]
    Memory(String),
    /// Two verdicts on one state, or a certificate that does not hold: a bug that must be reported.
    #[error("contradiction: {0}")]
    Contradiction(String),
    /// The work panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// The shell around the work failed; it has the reason.
    #[error("halted")]
    Halted,
}

impl JobError {
    /// Whether retrying, here or elsewhere, is useless.
    #[must_use]
    pub fn permanent(&self) -> bool {
        matches!(self, Self::Question(_) | Self::Contradiction(_))
    }

    /// Converts a panic into an error.
    #[must_use]
    pub fn from_panic(panic: &(dyn Any + Send)) -> Self {
        if let Some(contradiction) = panic.downcast_ref::<Contradiction>() {
            return Self::Contradiction(contradiction.to_string());
        }
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Self::Panicked(text.unwrap_or_else(|| "no message".to_string()))
    }
}

impl JobError {
    /// The game `G` refuses its parameters.
    pub(crate) fn param<G: Game>(error: ParamError) -> Self {
        Self::Question(format!("game {}: {error}", G::NAME))
    }

    /// The game `G` cannot be built.
    pub(crate) fn build<G: Game>(error: BuildError) -> Self {
        match error {
            BuildError::Param(error) => Self::param::<G>(error),
            BuildError::File { .. } => Self::File(format!("game {}: {error}", G::NAME)),
        }
    }
}

impl From<UnknownName> for JobError {
    fn from(error: UnknownName) -> Self {
        Self::Question(error.to_string())
    }
}

impl From<Halt> for JobError {
    fn from(_: Halt) -> Self {
        Self::Halted
    }
}

impl From<OutOfMemory> for JobError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error.to_string())
    }
}

impl From<ExtractError> for JobError {
    fn from(error: ExtractError) -> Self {
        match error {
            ExtractError::Stopped => Self::Stopped,
            ExtractError::File(error) => {
                Self::Io(format!("the certificate cannot be written: {error}"))
            }
            ExtractError::Contradiction { .. } => Self::Contradiction(error.to_string()),
        }
    }
}

/// Errors from reading back a certificate.
impl From<CertificateError> for JobError {
    fn from(error: CertificateError) -> Self {
        match error {
            CertificateError::Refused { .. } => Self::Contradiction(error.to_string()),
            _ => Self::Io(error.to_string()),
        }
    }
}

/// Errors from reading back a text certificate.
impl From<TextFileError> for JobError {
    fn from(error: TextFileError) -> Self {
        match error {
            TextFileError::Refused { .. } => Self::Contradiction(error.to_string()),
            _ => Self::Io(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use hasami_andor::table::Entry;
    use hasami_andor::{Key, Numbers, Table};

    use super::*;

    #[test]
    fn a_panic_of_the_table_is_a_contradiction_and_others_keep_their_words() {
        let table = Table::<()>::with_entries(64, false);
        table.store(Key(5), &Entry::new(Numbers::PROVEN, 1));
        let twice = || table.store(Key(5), &Entry::new(Numbers::DISPROVEN, 1));
        let panic = catch_unwind(AssertUnwindSafe(twice)).expect_err("a contradiction");
        let found = JobError::from_panic(&*panic);
        let state = format!("state {} was both proven and disproven", Key(5));
        assert_eq!(found, JobError::Contradiction(state));
        assert!(found.permanent());
        // The text of a panic does not decide its kind.
        let words = JobError::from_panic(&"contradiction: state 7");
        assert_eq!(words, JobError::Panicked("contradiction: state 7".to_string()));
        assert!(!words.permanent());
        assert_eq!(JobError::from_panic(&7_u8), JobError::Panicked("no message".to_string()));
    }
}
