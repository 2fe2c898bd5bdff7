//! The minimal losers, derived: shapes that a paving blocks and that contain no smaller such shape.

use super::find::{Periods, smallest_paving};
use super::instance::Pairs;
use super::pattern::Paving;
use crate::polyomino::shape::Shape;

/// A shape that a paving blocks, with the paving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalLoser {
    /// The shape.
    pub shape: Shape,
    /// A paving that blocks it; no paving of adjacent pairs has a smaller period.
    pub paving: Paving,
}

/// All shapes of at most `cells` cells that are blocked by a paving of adjacent pairs with a period
/// of at most `max_area` cells and contain no other such shape, the smallest first.
#[must_use]
pub fn minimal_losers(cells: usize, max_area: usize) -> Vec<MinimalLoser> {
    let mut losers: Vec<MinimalLoser> = Vec::new();
    for size in 1..=cells {
        // Different shapes of one size never contain each other, so this size needs the smaller
        // ones only.
        let mut found = Vec::new();
        for shape in Shape::all_of_size(size) {
            if losers.iter().any(|loser| shape.contains(&loser.shape)) {
                continue;
            }
            let one = std::slice::from_ref(&shape);
            let answer = smallest_paving(one, Pairs::Adjacent, Periods::All, max_area);
            if let Some(paving) = answer.paving() {
                found.push(MinimalLoser { shape, paving });
            }
        }
        losers.extend(found);
    }
    losers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::paving::seed::tests::shapes_of;

    #[test]
    fn the_minimal_losers_are_the_twelve_and_every_shape_of_seven_cells_holds_one() {
        let losers: BTreeSet<Shape> =
            minimal_losers(6, 16).into_iter().map(|loser| loser.shape).collect();
        let named: BTreeSet<Shape> =
            shapes_of("Square,Z,W,R,X,T,L,U,I,UU,SS,ZZ").into_iter().collect();
        assert_eq!(losers, named);
        for shape in Shape::all_of_size(7) {
            assert!(losers.iter().any(|loser| shape.contains(loser)), "{shape}");
        }
    }
}
