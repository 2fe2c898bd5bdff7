//! Whether a paving blocks a shape: plain rules that share nothing with the search.

use super::lattice::Vector;
use super::pattern::{Paving, plus};
use crate::polyomino::shape::Shape;

impl Paving {
    /// Whether every placement of the shape, in every orientation and position, holds a whole pair.
    #[must_use]
    pub fn blocks(&self, shape: &Shape) -> bool {
        self.unblocked(shape).is_none()
    }

    /// The first placement without a whole pair, as cells.
    #[must_use]
    pub fn unblocked(&self, shape: &Shape) -> Option<Vec<Vector>> {
        shape.orientations().iter().find_map(|cells| {
            self.lattice().cells().find_map(|corner| {
                let placed: Vec<Vector> = cells
                    .iter()
                    .map(|&(row, column)| plus(corner, (row.into(), column.into())))
                    .collect();
                let paired = |&cell: &Vector| {
                    self.at(cell).is_some_and(|step| placed.contains(&plus(cell, step)))
                };
                (!placed.iter().any(paired)).then_some(placed)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(picture: &str, shape: &str) -> bool {
        Paving::parse(picture).unwrap().blocks(&Shape::parse(shape).unwrap())
    }

    #[test]
    fn columns_of_dominoes_block_what_stands_two_high_at_the_right_place() {
        // Two rows apart every domino of `^/v` repeats: three cells in a column hold a whole one.
        assert!(blocks("^/v", "X"));
        assert!(!blocks("^/v", "Tic"));
        assert!(!blocks("^/v", "Square"));
        assert!(blocks("<>/><", "Square"));
    }

    #[test]
    fn pairs_across_the_border_of_the_period_count_once_and_in_the_right_place() {
        for shape in ["Tic", "Skinny", "U", "UU", "ZZ"] {
            let answers = ["<>.", ".<>", ">.<"].map(|picture| blocks(picture, shape));
            assert_eq!(answers[0], answers[1], "{shape}");
            assert_eq!(answers[0], answers[2], "{shape}");
        }
        assert!(!blocks("..", "X"));
    }

    #[test]
    fn a_placement_that_is_not_blocked_is_shown() {
        let paving = Paving::parse("<>").unwrap();
        let square = Shape::parse("Square").unwrap();
        let free = paving.unblocked(&square).unwrap();
        assert_eq!(free, [(0, 1), (0, 2), (1, 1), (1, 2)]);
    }
}
