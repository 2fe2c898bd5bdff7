//! The shared store as a search uses it.

use hasami_andor::{Key, ProblemId};
use hasami_record::Record;

/// Why the store did not answer. A search continues without it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShareError(pub String);

/// The shared store as a search uses it. Both calls may wait for the network; neither is made while
/// a search runs.
pub trait Share: Sync {
    /// All records of a problem, or as many as are worth sending. Called when a table is created
    /// for it, and before its certificate is made.
    ///
    /// # Errors
    /// If the store does not answer.
    fn load(&self, problem: ProblemId) -> Result<Vec<(Key, Record)>, ShareError>;

    /// The records of these states; unknown states are left out.
    ///
    /// # Errors
    /// If the store does not answer.
    fn lookup(&self, problem: ProblemId, keys: &[Key]) -> Result<Vec<(Key, Record)>, ShareError>;
}

/// A store that shares nothing.
pub struct Alone;

impl Share for Alone {
    fn load(&self, _: ProblemId) -> Result<Vec<(Key, Record)>, ShareError> {
        Ok(Vec::new())
    }

    fn lookup(&self, _: ProblemId, _: &[Key]) -> Result<Vec<(Key, Record)>, ShareError> {
        Ok(Vec::new())
    }
}
