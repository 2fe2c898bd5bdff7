//! Dividing a stage into slices of about the same size.

use std::ops::Range;

/// A slice has at least so many values, if its stage has: less is not worth a journey.
const LEAST: u64 = 1 << 12;

/// A part of a stage that cannot be divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Step and task of the plan, in the order in which they must be done.
    pub tasks: Vec<(usize, usize)>,
    /// The numbers whose values they compute.
    pub numbers: Vec<Range<u64>>,
}

impl Piece {
    /// How many values it has.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.numbers.iter().map(|numbers| numbers.end - numbers.start).sum()
    }
}

/// The pieces of each slice, `slices` of them at most; all machines must divide a stage alike.
#[must_use]
pub fn slices_of(pieces: Vec<Piece>, slices: usize) -> Vec<Vec<Piece>> {
    let total: u64 = pieces.iter().map(Piece::values).sum();
    let most = (total / LEAST).clamp(1, slices.max(1) as u64);
    let mut divided: Vec<Vec<Piece>> = vec![Vec::new(); most as usize];
    let mut before = 0;
    for piece in pieces {
        // A piece belongs where its middle is.
        let middle = u128::from(before) * 2 + u128::from(piece.values());
        before += piece.values();
        let at = middle * u128::from(most) / (2 * u128::from(total.max(1)));
        divided[(at as usize).min(most as usize - 1)].push(piece);
    }
    divided
}
