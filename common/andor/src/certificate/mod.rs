//! Certificates: they let anyone who has the rules check a verdict.
//!
//! A certificate is a list of states, children first. Where one child is enough, it names the move;
//! where all are needed, it has a record (or the rules settle it) for every child. A record may
//! point to a later one only if the repetition rule itself favours the verdict.

mod extract;
mod format;
mod strategy;
mod verify;

pub use extract::{ExtractError, extract};
pub use format::{Header, Reader, VERSION, Writer};
pub use strategy::{Step, Strategy};
pub use verify::{Verified, verify};

/// Error of reading, writing or checking a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file does not start with the magic of a certificate.
    #[error("{path}: not a hasami certificate (expected it to start with {expected:?})")]
    NotOne {
        /// Path of the file.
        path: String,
        /// The magic of a certificate.
        expected: &'static str,
    },
    /// The file has another version of the format.
    #[error("{path}: certificate format {found}, this program reads format {expected}")]
    Version {
        /// Path of the file.
        path: String,
        /// Version of the file.
        found: u8,
        /// Version that this program reads.
        expected: u8,
    },
    /// The bytes are damaged.
    #[error("{path}: damaged after node {node}: {detail}")]
    Damaged {
        /// Path of the file.
        path: String,
        /// Number of records read before the damage.
        node: u64,
        /// Description of the damage.
        detail: String,
    },
    /// The certificate is about another problem.
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
        /// Number of the record, from 1; 0 for the root.
        node: u64,
        /// Key of its state.
        key: crate::Key,
        /// What does not hold.
        detail: String,
        /// The state, drawn as text.
        state: String,
    },
}
