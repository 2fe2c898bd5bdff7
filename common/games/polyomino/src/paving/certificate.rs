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

use hasami_game::text_certificate::TextCertificate as _;

pub use verify::{Verified, check, verify};

use super::instance::Pairs;
use super::lattice::{Lattice, Vector};
use super::pattern::Paving;
use crate::polyomino::shape::{Shape, canonical_set};

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
}
