//! Why a text is no position, no move or no game.

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

impl Fault {
    /// A fault in words.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}
