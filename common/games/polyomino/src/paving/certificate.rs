//! The certificate of a loser by paving: a small text that lists the pairs. Everything in it is
//! checked.
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
//! A claim has one spelling; a file that differs from it in any byte is refused. The file is
//! written to a temporary name and renamed, so a certificate is complete or absent.

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

/// The claim of a certificate: these pairs, repeated by this period, block these shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The blocked shapes.
    pub shapes: Vec<Shape>,
    /// The kind of pairs allowed.
    pub pairs: Pairs,
    /// The period.
    pub period: Lattice,
    /// A cell, and the step to its partner, for each pair.
    pub list: Vec<(Vector, Vector)>,
}

impl Claim {
    /// The claim that this paving blocks these shapes.
    #[must_use]
    pub fn new(shapes: &[Shape], pairs: Pairs, paving: &Paving) -> Self {
        Self { shapes: shapes.to_vec(), pairs, period: paving.lattice(), list: paving.pairs() }
    }

    /// A short file name for this claim. It does not depend on the order of the shapes, and differs
    /// for every paving, so no file overwrites another.
    #[must_use]
    pub fn file_name(&self) -> String {
        let claim = Self { shapes: canonical_set(&self.shapes), ..self.clone() };
        let id = blake3::hash(claim.body().as_bytes()).to_hex();
        format!("paving-{}.paving", &id[..12])
    }
}
