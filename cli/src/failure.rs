//! How a command can end other than well, and the exit code that says so.

use hasami_andor::certificate::CertificateError;
use hasami_answer::{CheckError, JobError};
use hasami_game::BuildError;
use hasami_game::text_certificate::TextFileError;
use hasami_store::StoreError;

use serde_json::json;

use crate::output::Output;
use crate::{files, screen};

/// Why a command did not succeed.
pub enum Failure {
    /// Help or version was asked for: this is it.
    Help(String),
    /// Wrong usage or bad input: exit code 2.
    Usage(String),
    /// It went wrong: exit code 1.
    Failed(String),
    /// No verdict within the budget, or a signal came: exit code 3, or that of the signal.
    /// Everything was printed already.
    Unsettled,
    /// Another coordinator has taken over: exit code 4.
    Deposed(String),
}

impl Failure {
    /// A file that cannot be read: bad input if it is not there or not for us, otherwise a failure.
    pub fn reading(file: &std::path::Path, error: &std::io::Error) -> Self {
        let message = format!("{}: {error}", file.display());
        if is_input(error) { Self::Usage(message) } else { Self::Failed(message) }
    }

    /// Tells the user on standard error, programs as one JSON object.
    pub fn report(&self, form: Output) {
        let (kind, message) = match self {
            // A closed pipe is no reason to complain about a help text.
            Self::Help(text) => return drop(files::print(text.as_bytes())),
            Self::Unsettled => return,
            Self::Usage(message) => ("usage", message),
            Self::Failed(message) => ("failed", message),
            Self::Deposed(message) => ("deposed", message),
        };
        screen::say_soon(if form == Output::Json {
            let exit_code = self.exit_code();
            json!({ "error": { "kind": kind, "message": message, "exit_code": exit_code } })
                .to_string()
        } else {
            format!("error: {message}")
        });
    }

    /// What the process returns.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Help(_) => 0,
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Unsettled => 3,
            Self::Deposed(_) => 4,
        }
    }

    /// In words, where there is anything to say.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) | Self::Deposed(message) => Some(message),
            Self::Help(_) | Self::Unsettled => None,
        }
    }
}

/// Whether the user has named the wrong file.
pub fn is_input(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | IsADirectory | NotADirectory | PermissionDenied)
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Build(error) => error.into(),
            CheckError::Question(_) | CheckError::Database(_) => Self::Usage(error.to_string()),
            CheckError::Certificate(error) => error.into(),
        }
    }
}

impl From<CertificateError> for Failure {
    fn from(error: CertificateError) -> Self {
        match error {
            // The file is what it claims to be, but what it says does not hold.
            CertificateError::Refused { .. } => Self::Failed(error.to_string()),
            _ => Self::Usage(error.to_string()),
        }
    }
}

impl From<TextFileError> for Failure {
    fn from(error: TextFileError) -> Self {
        match error {
            TextFileError::Refused { .. } => Self::Failed(error.to_string()),
            _ => Self::Usage(error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io { .. }
            | StoreError::Busy { .. }
            | StoreError::Unreachable { .. }
            | StoreError::Contradiction { .. } => Self::Failed(error.to_string()),
            _ => Self::Usage(error.to_string()),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Question(message) | JobError::File(message) => Self::Usage(message),
            JobError::Memory(message) => Self::Usage(format!("--table: {message}")),
            JobError::Stopped => Self::Unsettled,
            JobError::Io(message) => Self::Failed(message),
            JobError::Contradiction(_) | JobError::Panicked(_) | JobError::Halted => {
                Self::Failed(error.to_string())
            }
        }
    }
}
