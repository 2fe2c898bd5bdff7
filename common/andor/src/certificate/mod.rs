//! Certificates: what makes a verdict checkable by anyone who has the rules.
//!
//! A certificate is a list of states, children first: where one child is enough it names the move,
//! where all are needed it has a record (or the rules' own verdict) for every child. Only where the
//! repetition rule itself favours the verdict may a record point to a later one.

mod extract;
mod format;
mod strategy;
mod verify;

pub use extract::{ExtractError, extract};
pub use format::{Header, Reader, VERSION, Writer};
pub use strategy::{Step, Strategy};
pub use verify::{Verified, verify};

/// What is wrong with a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// It does not start like a certificate.
    #[error("{path}: not a hasami certificate (expected it to start with {expected:?})")]
    NotOne {
        /// Which file.
        path: String,
        /// What every certificate starts with.
        expected: &'static str,
    },
    /// It was made by another version of the format.
    #[error("{path}: certificate format {found}, this program reads format {expected}")]
    Version {
        /// Which file.
        path: String,
        /// What it has.
        found: u8,
        /// What is read.
        expected: u8,
    },
    /// The bytes are not those that were written.
    #[error("{path}: damaged after node {node}: {detail}")]
    Damaged {
        /// Which file.
        path: String,
        /// How many records were read before.
        node: u64,
        /// What was found.
        detail: String,
    },
    /// It is about another problem.
    #[error(
        "the certificate is about problem {found}, the rules at hand are {expected} ({question})"
    )]
    OtherProblem {
        /// The id in the file.
        found: crate::ProblemId,
        /// The id of the rules.
        expected: crate::ProblemId,
        /// The question in the file.
        question: String,
    },
    /// A record does not hold.
    #[error("refused at node {node} (key {key}): {detail}\n{state}")]
    Refused {
        /// Number of the record, from 1; 0 for the root itself.
        node: u64,
        /// Key of its state.
        key: crate::Key,
        /// What does not hold.
        detail: String,
        /// The state, drawn.
        state: String,
    },
}
