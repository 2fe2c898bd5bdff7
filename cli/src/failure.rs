//! How a command can end other than well, and the exit code that says so.

use hasami_andor::certificate::CertificateError;
use hasami_games::GameError;
use hasami_games::paving::certificate::PavingFileError;
use hasami_games::value::certificate::ValueFileError;
use hasami_store::StoreError;
use hasami_worker::jobs::JobError;

use crate::screen;

/// Why a command did not succeed.
pub enum Failure {
    /// Help or version was asked for: printed, nothing wrong.
    Help(clap::Error),
    /// Wrong usage or bad input: exit code 2.
    Usage(String),
    /// It went wrong: exit code 1.
    Failed(String),
    /// No verdict within the budget: exit code 3. Everything was printed already.
    Unsettled,
}

impl Failure {
    /// Tells the user on standard error.
    pub fn report(&self) {
        match self {
            // A closed pipe is no reason to complain about a help text.
            Self::Help(error) => drop(error.print()),
            Self::Usage(message) | Self::Failed(message) => {
                screen::say_soon(format!("error: {message}"));
            }
            Self::Unsettled => {}
        }
    }

    /// What the process returns.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Help(_) => 0,
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Unsettled => 3,
        }
    }

    /// In words, where there is anything to say.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(message),
            Self::Help(_) | Self::Unsettled => None,
        }
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        Self::Usage(error.to_string())
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

impl From<PavingFileError> for Failure {
    fn from(error: PavingFileError) -> Self {
        match error {
            PavingFileError::Refused { .. } => Self::Failed(error.to_string()),
            _ => Self::Usage(error.to_string()),
        }
    }
}

impl From<ValueFileError> for Failure {
    fn from(error: ValueFileError) -> Self {
        match error {
            ValueFileError::Refused { .. } => Self::Failed(error.to_string()),
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
            JobError::Question(message) => Self::Usage(message),
            JobError::Memory(message) => Self::Usage(format!("--table-mib: {message}")),
            JobError::Stopped => Self::Unsettled,
            JobError::Io(message) => Self::Failed(message),
            JobError::Contradiction(_) | JobError::Panicked(_) => Self::Failed(error.to_string()),
        }
    }
}
