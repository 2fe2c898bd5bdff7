//! The certificate of a loser by paving: a small text that says which pairs, and nothing on trust.
//!
//! ```text
//! hasami paving 1
//! shapes Square,I
//! pairs adjacent
//! period 1x4+1
//! pair 0 0 step -1 0
//! pair 0 2 step 0 1
//! blake3 (64 hexadecimal digits: the hash of all lines before)
//! ```
//!
//! A claim has one spelling; a file that differs from it in any byte is refused. Written to a
//! temporary name and renamed, so that a certificate is there whole or not at all.

mod read;
#[cfg(test)]
mod tests;
mod verify;

use std::fmt::Write as _;
use std::io;
use std::path::Path;

pub use read::read;
pub use verify::{Verified, check, verify};

use super::instance::Pairs;
use super::lattice::{Lattice, Vector};
use super::pattern::Paving;
use crate::polyomino::shape::{Shape, canonical_set, spell_set};
use hasami_game::text_certificate;

/// What every certificate of a paving starts with; the version follows.
pub const START: &str = "hasami paving ";
const VERSION: &str = "1";

/// What a certificate says: these pairs, repeated by this period, block these shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is blocked.
    pub shapes: Vec<Shape>,
    /// Which pairs are allowed.
    pub pairs: Pairs,
    /// What everything repeats by.
    pub period: Lattice,
    /// A cell, and the step to its partner, for each pair.
    pub list: Vec<(Vector, Vector)>,
}

/// What is wrong with the certificate of a paving.
#[derive(Debug, thiserror::Error)]
pub enum PavingFileError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It was made by another version of the format.
    #[error(
        "{path}: line 1: found paving certificate format \"{found}\"; expected {VERSION}, the one this program reads"
    )]
    Version {
        /// Which file.
        path: String,
        /// What it has.
        found: String,
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
    /// That this paving blocks these shapes.
    #[must_use]
    pub fn new(shapes: &[Shape], pairs: Pairs, paving: &Paving) -> Self {
        Self { shapes: shapes.to_vec(), pairs, period: paving.lattice(), list: paving.pairs() }
    }

    /// A short name for files with this claim: the same in whatever order the shapes are given,
    /// and another for another paving, so that none takes the place of another.
    #[must_use]
    pub fn file_name(&self) -> String {
        let claim = Self { shapes: canonical_set(&self.shapes), ..self.clone() };
        let id = blake3::hash(claim.body().as_bytes()).to_hex();
        format!("paving-{}.paving", &id[..12])
    }

    /// All lines but the last.
    fn body(&self) -> String {
        let mut text = format!(
            "{START}{VERSION}\nshapes {}\npairs {}\nperiod {}\n",
            spell_set(&self.shapes),
            self.pairs,
            self.period
        );
        for ((row, column), (down, right)) in &self.list {
            let _ = writeln!(text, "pair {row} {column} step {down} {right}");
        }
        text
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
pub fn write(path: &Path, claim: &Claim) -> Result<u64, PavingFileError> {
    text_certificate::write(path, &claim.text())
        .map_err(|source| PavingFileError::Io { path: path.display().to_string(), source })
}

/// Whether a file starts as the certificate of a paving does.
///
/// # Errors
/// When it cannot be read.
pub fn is_one(path: &Path) -> Result<bool, PavingFileError> {
    text_certificate::starts_with(path, START)
        .map_err(|source| PavingFileError::Io { path: path.display().to_string(), source })
}
