//! The certificate of a loser by paving: a small text that lists the pairs. Everything in it is
//! checked.
//!
//! ```text
//! hasami paving 2
//! shapes ##/##,#####
//! pairs adjacent
//! period 1x4+1
//! pair 0 0 step -1 0
//! pair 0 2 step 0 1
//! sha256 (64 hexadecimal digits: the hash of all lines before)
//! ```
//!
//! `docs/certificates-values.md` describes it for strangers. Shapes are pictures, so that nobody needs our names. A claim has one spelling; a file that differs from it in any byte is refused. The file is
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
use crate::polyomino::shape::{Shape, plain_set};

/// The claim of a certificate: these pairs, repeated by this period, block these shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The blocked shapes, as [`plain_set`] orders them.
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
        let list = paving.pairs();
        Self { shapes: plain_set(shapes), pairs, period: paving.lattice(), list }
    }

    /// A short file name for this claim. It does not depend on the order of the shapes, and differs
    /// for every paving, so no file overwrites another.
    #[must_use]
    pub fn file_name(&self) -> String {
        let id = blake3::hash(self.body().as_bytes()).to_hex();
        format!("paving-{}.paving", &id[..12])
    }
}
