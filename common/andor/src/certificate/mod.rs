//! Certificates: they let anyone who has the rules check a verdict. docs/certificates.md defines
//! them and says why checking them is enough.
//!
//! A part of a certificate is a header and a tree. The tree says for every state which move is enough,
//! or answers every move; it refers to subtrees that occurred before.

pub mod bytes;
mod choices;
mod dag;
mod except;
mod extract;
mod file;
mod header;
mod join;
mod known;
mod limits;
mod links;
mod listener;
mod memory;
pub mod plain;
mod strategy;
pub mod tree;
mod verify;

pub use bytes::{Fault, Sink, Source};
pub use dag::{Dag, NodeId};
pub use except::Except;
pub use extract::{ExtractError, extract};
pub use file::{Parts, VERSION, Writer, digest};
pub use header::{Asked, Header};
pub use join::{Claim, Least, join_least, join_only_move};
pub use limits::Limits;
pub use listener::Listener;
pub use memory::{Held, hold};
pub use strategy::{Step, Strategy};
pub use verify::{
    Checked, Refusal, Verified, check_part, first_move, first_move_within, read_asked,
    read_asked_within, verify, verify_parts,
};

use std::path::Path;

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
    #[error("{path}: damaged: {detail}")]
    Damaged {
        /// Path of the file.
        path: String,
        /// Description of the damage.
        detail: String,
    },
    /// The certificate is about another question.
    #[error("the certificate is about {found}, not about {expected}")]
    OtherQuestion {
        /// The question in the file.
        found: String,
        /// The question at hand.
        expected: String,
    },
    /// The tree is no proof, or the parts do not prove the claim.
    #[error("refused{}: {detail}{}", place(*node), after(state))]
    Refused {
        /// Number of the node in its part, from 1; 0 for the part as a whole.
        node: u64,
        /// What does not hold.
        detail: String,
        /// The state, drawn as text.
        state: String,
    },
}

impl CertificateError {
    /// The error for a file that cannot be read or written.
    #[must_use]
    pub fn from_io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }

    /// The error for parts that are in order one by one, but do not prove the claim.
    #[must_use]
    pub fn refused(detail: impl Into<String>) -> Self {
        Self::Refused { node: 0, detail: detail.into(), state: String::new() }
    }
}

fn place(node: u64) -> String {
    if node == 0 { String::new() } else { format!(" at node {node}") }
}

fn after(state: &str) -> String {
    if state.is_empty() { String::new() } else { format!("\n{state}") }
}
