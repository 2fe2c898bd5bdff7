//! The certificate of a value: a small text with a position and its value.
//!
//! ```text
//! hasami value 1
//! family go-corridor
//! position 3
//! value {2|{1|*}}
//! blake3 (64 hexadecimal digits: the hash of all lines before)
//! ```
//!
//! Format 2 has a table between value and hash, for positions of Go that are too large to be played
//! through: lines `part XXX/O.X/XXX {1|0}`, each of which follows from those before it
//! (`go/table.rs`).
//!
//! A claim has one spelling. Verifying it needs only the rules and the file.

mod read;
#[cfg(test)]
mod tests;

use std::path::Path;

use hasami_game::text_certificate::{TextCertificate as _, TextFileError};

use super::{Entry, Family, Proof, prove};

/// The claim of a certificate: this position has this value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The family.
    pub family: Family,
    /// The position, as its family spells it.
    pub position: String,
    /// The canonical form, as the kernel shows it.
    pub value: String,
    /// Parts and their values, each after those it rests on; may be empty.
    pub table: Vec<Entry>,
}

/// A claim that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The claim.
    pub claim: Claim,
    /// How it was checked.
    pub proof: Proof,
}

impl Claim {
    /// A short file name for this position.
    #[must_use]
    pub fn file_name(&self) -> String {
        let question = format!("{} {}", self.family.name(), self.position);
        let id = blake3::hash(question.as_bytes()).to_hex();
        format!("value-{}.value", &id[..12])
    }
}

/// Reads a certificate and checks its claim.
///
/// # Errors
/// If the file is damaged, or its claim does not hold.
pub fn verify(path: &Path) -> Result<Verified, TextFileError> {
    let claim = Claim::read(path)?;
    let refused = |detail| TextFileError::refused(path, detail);
    let position = claim
        .family
        .read(&claim.position)
        .map_err(|error| refused(format!("position {}: expected {error}", claim.position)))?;
    let proof = prove(&position, &claim.value, &claim.table).map_err(refused)?;
    Ok(Verified { claim, proof })
}
