//! What a search wants of the shared store.

use hasami_andor::{Key, ProblemId};
use hasami_record::Record;

/// Why the store did not answer. A search goes on without it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShareError(pub String);

/// The shared store as a search sees it. Both calls may wait for the network; neither is made while
/// a search runs.
pub trait Share: Sync {
    /// All that is known of a problem, or as much of it as is worth sending: asked when a table is
    /// made for it, and before a certificate is.
    ///
    /// # Errors
    /// When the store does not answer.
    fn load(&self, problem: ProblemId) -> Result<Vec<(Key, Record)>, ShareError>;

    /// What is known of these states; those it does not know are left out.
    ///
    /// # Errors
    /// When the store does not answer.
    fn lookup(&self, problem: ProblemId, keys: &[Key]) -> Result<Vec<(Key, Record)>, ShareError>;
}

/// Nobody to share with.
pub struct Alone;

impl Share for Alone {
    fn load(&self, _: ProblemId) -> Result<Vec<(Key, Record)>, ShareError> {
        Ok(Vec::new())
    }

    fn lookup(&self, _: ProblemId, _: &[Key]) -> Result<Vec<(Key, Record)>, ShareError> {
        Ok(Vec::new())
    }
}
