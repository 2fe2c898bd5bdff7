//! A periodic paving: for every cell up to the period, the step to its partner.
//!
//! It stores the step, not only the partner's class, so that pairs across the border of the period
//! are exact and pavings can be compared as infinite patterns.

use super::lattice::{Lattice, Vector};
use crate::polyomino::shape::turned;

/// Disjoint pairs of cells, repeated by a period.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Paving {
    lattice: Lattice,
    /// The step from each class to its partner; `None` for a cell in no pair.
    steps: Vec<Option<Vector>>,
}

/// Why pairs are not a paving.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PavingError {
    /// The partner is the same cell up to the period, so its pairs would not be disjoint.
    #[error(
        "cell {cell:?} is paired with itself one period on, by the step {step:?}; expected a partner of another class"
    )]
    Itself {
        /// The cell.
        cell: Vector,
        /// The step to its partner.
        step: Vector,
    },
    /// A cell is in two pairs.
    #[error("cell {cell:?} is in two pairs; expected disjoint pairs")]
    Twice {
        /// The cell.
        cell: Vector,
    },
    /// A picture has an unknown sign, or one that does not fit its partner.
    #[error("row {row}, column {column}: {what}")]
    Picture {
        /// Counted from 1.
        row: usize,
        /// Counted from 1.
        column: usize,
        /// What was found and what was expected.
        what: String,
    },
}

impl Paving {
    /// The paving of these pairs (a cell and the step to its partner), each repeated by the period.
    ///
    /// # Errors
    /// If they are not disjoint.
    pub fn new(
        lattice: Lattice,
        pairs: impl IntoIterator<Item = (Vector, Vector)>,
    ) -> Result<Self, PavingError> {
        let mut steps = vec![None; lattice.area()];
        for (cell, step) in pairs {
            if lattice.holds(step) {
                return Err(PavingError::Itself { cell, step });
            }
            let partner = plus(cell, step);
            for (end, step) in [(cell, step), (partner, minus((0, 0), step))] {
                if steps[lattice.class(end)].replace(step).is_some() {
                    return Err(PavingError::Twice { cell: end });
                }
            }
        }
        Ok(Self { lattice, steps })
    }

    /// The paving of one period on a torus: rows separated by `/`, `<>` is a horizontal pair, `^`
    /// above `v` a vertical one, `.` a cell in no pair.
    ///
    /// # Errors
    /// If the picture is not a rectangle of these signs, or they do not fit.
    pub fn parse(picture: &str) -> Result<Self, PavingError> {
        let rows: Vec<Vec<char>> = picture.split('/').map(|row| row.chars().collect()).collect();
        let columns = rows[0].len();
        let wrong = |row, column, what: String| PavingError::Picture { row, column, what };
        for (at, row) in rows.iter().enumerate() {
            if row.len() != columns {
                let what = format!("the row ends; expected {columns} signs as in the first row");
                return Err(wrong(at + 1, row.len().min(columns) + 1, what));
            }
        }
        let lattice = Lattice::new(rows.len() as u32, columns as u32, 0)
            .map_err(|error| wrong(1, 1, error.to_string()))?;
        let mut steps = Vec::new();
        for (at, sign) in rows.iter().flatten().enumerate() {
            steps.push(match sign {
                '<' => Some((0, 1)),
                '>' => Some((0, -1)),
                '^' => Some((1, 0)),
                'v' => Some((-1, 0)),
                '.' => None,
                other => {
                    let what = format!("found \"{other}\"; expected one of < > ^ v .");
                    return Err(wrong(at / columns + 1, at % columns + 1, what));
                }
            });
        }
        let paving = Self { lattice, steps };
        for (class, cell) in lattice.cells().enumerate() {
            let back = |step| paving.at(plus(cell, step)).map(|step| minus((0, 0), step));
            if paving.steps[class].is_some_and(|step| back(step) != Some(step)) {
                let what = "its partner points elsewhere; expected <> or ^ above v".to_string();
                return Err(wrong(class / columns + 1, class % columns + 1, what));
            }
        }
        Ok(paving)
    }

    /// The period.
    #[must_use]
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The step from a cell of the infinite board to its partner.
    #[must_use]
    pub fn at(&self, cell: Vector) -> Option<Vector> {
        self.steps[self.lattice.class(cell)]
    }

    /// One pair of each class: a cell in the first rows and columns, and the step to its partner.
    /// Sorted; of the two cells it gives the one with the smaller number.
    #[must_use]
    pub fn pairs(&self) -> Vec<(Vector, Vector)> {
        let first = |&(cell, step): &(Vector, Vector)| {
            self.lattice.class(cell) < self.lattice.class(plus(cell, step))
        };
        let cells = self.lattice.cells().zip(&self.steps);
        cells.filter_map(|(cell, step)| Some((cell, (*step)?))).filter(first).collect()
    }

    /// Whether every cell is in a pair.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.steps.iter().all(Option::is_some)
    }

    /// Whether every pair is two cells with a common edge.
    #[must_use]
    pub fn is_adjacent(&self) -> bool {
        self.steps.iter().flatten().all(|&(down, right)| down.abs() + right.abs() == 1)
    }

    /// Whether the infinite pattern repeats by this translation.
    #[must_use]
    pub fn repeats_by(&self, vector: Vector) -> bool {
        self.lattice
            .cells()
            .zip(&self.steps)
            .all(|(cell, step)| self.at(plus(cell, vector)) == *step)
    }

    /// The infinite pattern rotated or mirrored, by the number of the symmetry below 8.
    #[must_use]
    pub fn turned(&self, turn: u8) -> Self {
        let lattice = self.lattice.turned(turn);
        let mut steps = vec![None; lattice.area()];
        for (cell, step) in self.lattice.cells().zip(&self.steps) {
            steps[lattice.class(turned(cell, turn))] = step.map(|step| turned(step, turn));
        }
        Self { lattice, steps }
    }

    /// The infinite pattern translated: the corner moves to `vector`.
    #[must_use]
    pub fn moved(&self, vector: Vector) -> Self {
        let steps = self.lattice.cells().map(|cell| self.at(minus(cell, vector))).collect();
        Self { lattice: self.lattice, steps }
    }

    /// The same infinite pattern with another period; `None` if it does not repeat by that.
    #[must_use]
    pub fn on(&self, lattice: Lattice) -> Option<Self> {
        lattice
            .generators()
            .iter()
            .all(|&vector| self.repeats_by(vector))
            .then(|| Self { lattice, steps: lattice.cells().map(|cell| self.at(cell)).collect() })
    }

    /// The same infinite pattern with its smallest period.
    #[must_use]
    pub fn primitive(&self) -> Self {
        let own = self.lattice.generators().into_iter();
        let more = self.lattice.cells().filter(|&vector| self.repeats_by(vector));
        let lattice = Lattice::spanned(own.chain(more)).expect("it has a period");
        self.on(lattice).expect("it repeats by all of these")
    }

    /// A canonical form: equal for all pavings that are the same infinite pattern up to
    /// translation, rotation and reflection, whatever their period.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let primitive = self.primitive();
        let images = (0..8).flat_map(|turn| {
            let image = primitive.turned(turn);
            image.lattice.cells().map(move |vector| image.moved(vector))
        });
        images.min().expect("eight symmetries")
    }
}

pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    (a.0 + b.0, a.1 + b.1)
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    (a.0 - b.0, a.1 - b.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paving(picture: &str) -> Paving {
        Paving::parse(picture).unwrap_or_else(|error| panic!("{picture}: {error}"))
    }

    #[test]
    fn partners_point_at_each_other_everywhere() {
        let paving = paving("v^<>/>v^</<>v^/^<>v");
        for row in -5..5 {
            for column in -5..5 {
                let step = paving.at((row, column)).unwrap();
                let partner = plus((row, column), step);
                assert_eq!(paving.at(partner).map(|back| plus(partner, back)), Some((row, column)));
            }
        }
    }

    #[test]
    fn the_same_pattern_is_known_whatever_its_period_turn_and_place() {
        let bricks = paving("<>/><");
        assert_eq!(bricks.primitive().lattice().to_string(), "1x2+1");
        for same in ["><></<><>", "^v/v^"] {
            assert_eq!(paving(same).canonical(), bricks.canonical(), "{same}");
        }
        for turn in 0..8 {
            for vector in [(0, 0), (3, 1), (-2, 5)] {
                assert_eq!(bricks.turned(turn).moved(vector).canonical(), bricks.canonical());
            }
        }
        assert_ne!(paving("<>").canonical(), bricks.canonical());
        assert_ne!(paving("<>/..").canonical(), paving("<>").canonical());
    }

    #[test]
    fn pairs_give_the_paving_back() {
        for picture in ["<>/><", "^./v.", "vv/></^^"] {
            let paving = paving(picture);
            assert_eq!(Paving::new(paving.lattice(), paving.pairs()), Ok(paving));
        }
    }

    #[test]
    fn pairs_that_overlap_are_refused() {
        let row: Lattice = "1x3".parse().unwrap();
        let twice = Paving::new(row, [((0, 0), (0, 1)), ((0, 1), (0, 1))]);
        assert_eq!(twice, Err(PavingError::Twice { cell: (0, 1) }));
        let itself = Paving::new(row, [((0, 0), (0, 3))]);
        assert_eq!(itself, Err(PavingError::Itself { cell: (0, 0), step: (0, 3) }));
    }

    #[test]
    fn wrong_pictures_say_where() {
        let wrong = |picture| Paving::parse(picture).unwrap_err().to_string();
        assert!(wrong("<>/<").starts_with("row 2, column 2: the row ends"), "{}", wrong("<>/<"));
        assert!(wrong("<>/x>").starts_with("row 2, column 1: found \"x\""));
        assert!(wrong("<v/<>").starts_with("row 1, column 1: its partner points elsewhere"));
        assert!(wrong("").contains("no cells"));
    }
}
