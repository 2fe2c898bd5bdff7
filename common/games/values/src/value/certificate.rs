//! The certificate of a value: a small text that says which position, and what it is worth.
//!
//! ```text
//! hasami value 1
//! family go-corridor
//! position 3
//! value {2|{1|*}}
//! blake3 (64 hexadecimal digits: the hash of all lines before)
//! ```
//!
//! Format 2 has a table between value and hash, for positions of Go that are too large to be played through:
//! lines `part XXX/O.X/XXX {1|0}`, each of which follows from those before it (`go/table.rs`).
//!
//! A claim has one spelling. Whoever verifies it needs the rules and the file, nothing else.

mod read;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

pub use read::read;

use super::{Entry, Family, Proof, prove};
use hasami_game::text_certificate;

/// What every certificate of a value starts with; the version follows.
pub const START: &str = "hasami value ";
/// Without a table.
const VERSION: &str = "1";
/// With one.
const WITH_TABLE: &str = "2";

/// What a certificate says: this position is worth this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The family.
    pub family: Family,
    /// The position, as its family spells it.
    pub position: String,
    /// The canonical form, as the kernel shows it.
    pub value: String,
    /// Parts and their values, each after what it rests on; may be empty.
    pub table: Vec<Entry>,
}

/// A claim that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// What holds.
    pub claim: Claim,
    /// How it was checked.
    pub proof: Proof,
}

/// What is wrong with the certificate of a value.
#[derive(Debug, thiserror::Error)]
pub enum ValueFileError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The text is not one that was written.
    #[error("{path}: line {line}: found {found}; expected {expected}")]
    Damaged {
        /// Which file.
        path: String,
        /// From 1.
        line: usize,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// The text is whole, but what it says does not hold.
    #[error("{path}: refused: {detail}")]
    Refused {
        /// Which file.
        path: String,
        /// What does not hold.
        detail: String,
    },
}

impl Claim {
    /// A short name for files about this position.
    #[must_use]
    pub fn file_name(&self) -> String {
        let question = format!("{} {}", self.family.name(), self.position);
        let id = blake3::hash(question.as_bytes()).to_hex();
        format!("value-{}.value", &id[..12])
    }

    fn body(&self) -> String {
        let version = if self.table.is_empty() { VERSION } else { WITH_TABLE };
        let mut body = format!(
            "{START}{version}\nfamily {}\nposition {}\nvalue {}\n",
            self.family.name(),
            self.position,
            self.value
        );
        for Entry { part, value } in &self.table {
            body.push_str(&format!("part {part} {value}\n"));
        }
        body
    }

    /// The whole certificate.
    #[must_use]
    pub fn text(&self) -> String {
        text_certificate::sealed(&self.body())
    }
}

/// Writes a certificate; it is there whole or not at all. Returns its size in bytes.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, claim: &Claim) -> Result<u64, ValueFileError> {
    text_certificate::write(path, &claim.text())
        .map_err(|source| ValueFileError::Io { path: path.display().to_string(), source })
}

/// Whether a file starts as the certificate of a value does.
///
/// # Errors
/// When it cannot be read.
pub fn is_one(path: &Path) -> Result<bool, ValueFileError> {
    text_certificate::starts_with(path, START)
        .map_err(|source| ValueFileError::Io { path: path.display().to_string(), source })
}

/// Reads a certificate and checks what it says.
///
/// # Errors
/// When the file is damaged, or what it says does not hold.
pub fn verify(path: &Path) -> Result<Verified, ValueFileError> {
    let claim = read(path)?;
    let refused = |detail| ValueFileError::Refused { path: path.display().to_string(), detail };
    let position = claim
        .family
        .read(&claim.position)
        .map_err(|error| refused(format!("position {}: expected {error}", claim.position)))?;
    let proof = prove(&position, &claim.value, &claim.table).map_err(refused)?;
    Ok(Verified { claim, proof })
}
