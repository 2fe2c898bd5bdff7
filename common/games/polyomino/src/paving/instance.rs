//! The input of a search: the possible pairs, and which of them block each placement.
//!
//! An instance is either on a period, where every pair and every placement stands for all its
//! translations, or on a finite board: if no pairs block there, no paving of any period blocks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use super::lattice::{Lattice, Vector};
use super::pattern::{Paving, minus, plus};
use crate::polyomino::shape::Shape;

/// Which two cells may be a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairs {
    /// Two cells with a common edge: dominoes.
    Adjacent,
    /// Any two cells of one placement; other pairs could never block anything.
    Any,
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Adjacent => "adjacent",
            Self::Any => "any",
        })
    }
}

impl FromStr for Pairs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "adjacent" => Ok(Self::Adjacent),
            "any" => Ok(Self::Any),
            _ => Err(format!("found \"{text}\"; expected adjacent or any")),
        }
    }
}

/// Number of a pair in an [`Instance`].
pub(super) type PairId = u32;

/// Two cell numbers, and the step from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub first: u32,
    pub second: u32,
    pub step: Vector,
}

/// Pairs, placements, and their incidence.
pub(super) struct Instance {
    /// All possible pairs, in order.
    pub pairs: Vec<Pair>,
    /// For every placement the pairs that block it; duplicates are removed.
    pub placements: Vec<Vec<PairId>>,
    /// For every pair the placements it blocks.
    pub of_pair: Vec<Vec<u32>>,
    /// For every cell the pairs it is in.
    pub of_cell: Vec<Vec<PairId>>,
}

impl Instance {
    /// All placements up to the period.
    pub fn periodic(lattice: Lattice, shapes: &[Shape], pairs: Pairs) -> Self {
        let corners: Vec<Vector> = lattice.cells().collect();
        let number = |cell| Some(lattice.class(cell) as u32);
        Self::new(lattice.area(), &corners, number, shapes, pairs)
    }

    /// All placements on a board of this many rows and columns.
    pub fn board(rows: u32, columns: u32, shapes: &[Shape], pairs: Pairs) -> Self {
        let (rows, columns) = (rows as i32, columns as i32);
        let corners: Vec<Vector> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))).collect();
        let number = |(row, column): Vector| {
            let inside = (0..rows).contains(&row) && (0..columns).contains(&column);
            inside.then(|| (row * columns + column) as u32)
        };
        Self::new(corners.len(), &corners, number, shapes, pairs)
    }

    fn new(
        cells: usize,
        corners: &[Vector],
        number: impl Fn(Vector) -> Option<u32>,
        shapes: &[Shape],
        kind: Pairs,
    ) -> Self {
        let orientations: Vec<Vec<Vector>> = shapes
            .iter()
            .flat_map(Shape::orientations)
            .map(|cells| cells.iter().map(|&(r, c)| (r.into(), c.into())).collect())
            .collect();
        let steps = steps(&orientations, kind);
        let pair = |from: Vector, step: Vector| {
            let (a, b) = (number(from)?, number(plus(from, step))?);
            // A class paired with itself would be in two pairs of the infinite board.
            match a.cmp(&b) {
                std::cmp::Ordering::Less => Some(Pair { first: a, second: b, step }),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => {
                    Some(Pair { first: b, second: a, step: minus((0, 0), step) })
                }
            }
        };
        let all: BTreeSet<Pair> = corners
            .iter()
            .flat_map(|&corner| steps.iter().filter_map(move |&step| pair(corner, step)))
            .collect();
        let ids: BTreeMap<Pair, PairId> = all.iter().copied().zip(0..).collect();
        let mut placements = BTreeSet::new();
        for &corner in corners {
            for cells in &orientations {
                let placed: Vec<Vector> = cells.iter().map(|&cell| plus(corner, cell)).collect();
                if placed.iter().any(|&cell| number(cell).is_none()) {
                    continue;
                }
                let within = placed.iter().enumerate().flat_map(|(at, &from)| {
                    placed[at + 1..].iter().map(move |&to| (from, minus(to, from)))
                });
                let blockers: BTreeSet<PairId> = within
                    .filter_map(|(from, step)| ids.get(&pair(from, step)?).copied())
                    .collect();
                placements.insert(blockers.into_iter().collect::<Vec<_>>());
            }
        }
        Self::linked(cells, all.into_iter().collect(), placements.into_iter().collect())
    }

    fn linked(cells: usize, pairs: Vec<Pair>, placements: Vec<Vec<PairId>>) -> Self {
        let mut of_pair = vec![Vec::new(); pairs.len()];
        for (at, blockers) in (0..).zip(&placements) {
            for &id in blockers {
                of_pair[id as usize].push(at);
            }
        }
        let mut of_cell = vec![Vec::new(); cells];
        for (id, pair) in (0..).zip(&pairs) {
            of_cell[pair.first as usize].push(id);
            of_cell[pair.second as usize].push(id);
        }
        Self { pairs, placements, of_pair, of_cell }
    }

    /// The paving of these pairs, for an instance with this period.
    pub fn paving(&self, lattice: Lattice, laid: &[PairId]) -> Paving {
        let pairs = laid.iter().map(|&id| {
            let pair = self.pairs[id as usize];
            (lattice.cell(pair.first as usize), pair.step)
        });
        Paving::new(lattice, pairs).expect("laid pairs are disjoint")
    }
}

/// The steps from one cell of a pair to the other; of two opposite ones, either or both.
fn steps(orientations: &[Vec<Vector>], kind: Pairs) -> BTreeSet<Vector> {
    match kind {
        Pairs::Adjacent => BTreeSet::from([(0, 1), (1, 0)]),
        Pairs::Any => orientations
            .iter()
            .flat_map(|cells| {
                let from = cells.iter().copied();
                from.flat_map(|from| cells.iter().map(move |&to| minus(to, from)))
            })
            .filter(|&step| step > (0, 0))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> Vec<Shape> {
        crate::polyomino::shape::parse_set(text).unwrap()
    }

    #[test]
    fn boards_and_tori_have_the_pairs_and_placements_one_counts_by_hand() {
        let torus = |text: &str| text.parse::<Lattice>().unwrap();
        let of = Instance::periodic(torus("4x4"), &shapes("Square"), Pairs::Adjacent);
        assert_eq!((of.pairs.len(), of.placements.len()), (32, 16));
        assert!(of.placements.iter().all(|blockers| blockers.len() == 4));
        let of = Instance::periodic(torus("4x4"), &shapes("Square"), Pairs::Any);
        assert_eq!((of.pairs.len(), of.placements.len()), (64, 16));
        assert!(of.placements.iter().all(|blockers| blockers.len() == 6));
        let of = Instance::board(4, 5, &shapes("Tic"), Pairs::Adjacent);
        assert_eq!((of.pairs.len(), of.placements.len()), (4 * 4 + 3 * 5, 4 * 3 + 2 * 5));
        // Left and right neighbour are the same class on two columns, but not the same pair.
        let of = Instance::periodic(torus("1x2"), &shapes("Tic"), Pairs::Adjacent);
        assert_eq!(of.pairs.len(), 2);
    }
}
