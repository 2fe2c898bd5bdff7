//! Divides a stage into slices of about the same size.

use std::ops::Range;

/// Minimum number of values in a slice, if its stage has them: a smaller one is not worth sending.
const LEAST: u64 = 1 << 12;

/// An indivisible part of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Step and task of the plan, in the order in which they must run.
    pub tasks: Vec<(usize, usize)>,
    /// The numbers whose values they compute.
    pub numbers: Vec<Range<u64>>,
}

impl Piece {
    /// Number of values.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.numbers.iter().map(|numbers| numbers.end - numbers.start).sum()
    }
}

/// The pieces of each slice, at most `slices` slices. All machines must divide alike.
#[must_use]
pub fn slices_of(pieces: Vec<Piece>, slices: usize) -> Vec<Vec<Piece>> {
    let total: u64 = pieces.iter().map(Piece::values).sum();
    let most = (total / LEAST).clamp(1, slices.max(1) as u64);
    let mut divided: Vec<Vec<Piece>> = vec![Vec::new(); most as usize];
    let mut before = 0;
    for piece in pieces {
        // A piece belongs to the slice of its middle.
        let middle = u128::from(before) * 2 + u128::from(piece.values());
        before += piece.values();
        let at = middle * u128::from(most) / (2 * u128::from(total.max(1)));
        divided[(at as usize).min(most as usize - 1)].push(piece);
    }
    divided
}
