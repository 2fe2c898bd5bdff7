//! Checks a claim with the rules alone. It shares nothing with the search: the pairs are laid out
//! on a torus without shift, where cells are plain rows and columns.

use std::path::Path;

use hasami_game::text_certificate::{TextCertificate as _, TextFileError};

use super::Claim;
use crate::paving::instance::Pairs;
use crate::paving::lattice::Vector;

/// A claim that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The claim.
    pub claim: Claim,
    /// Number of placements checked.
    pub placements: u64,
}

/// Reads a certificate and checks its claim.
///
/// # Errors
/// If the file is damaged, or its claim does not hold.
pub fn verify(path: &Path) -> Result<Verified, TextFileError> {
    let claim = Claim::read(path)?;
    let placements = check(&claim).map_err(|detail| TextFileError::refused(path, detail))?;
    Ok(Verified { claim, placements })
}

/// Checks a claim; returns the number of placements checked.
///
/// # Errors
/// What does not hold.
pub fn check(claim: &Claim) -> Result<u64, String> {
    let torus = Torus::new(claim)?;
    in_order(claim)?;
    if claim.shapes.is_empty() {
        return Err("no shape; expected at least one".to_string());
    }
    let mut placements = 0;
    for shape in &claim.shapes {
        for cells in shape.orientations() {
            for corner in torus.cells() {
                let placed: Vec<Vector> = cells
                    .iter()
                    .map(|&(r, c)| (corner.0 + i32::from(r), corner.1 + i32::from(c)))
                    .collect();
                placements += 1;
                let paired = placed.iter().any(|&(row, column)| {
                    torus
                        .step((row, column))
                        .is_some_and(|(down, right)| placed.contains(&(row + down, column + right)))
                });
                if !paired {
                    return Err(format!("{shape} on the cells {placed:?} holds no whole pair"));
                }
            }
        }
    }
    Ok(placements)
}

/// Checks that the pairs are listed in the one order: by their cells, each by its lesser cell.
fn in_order(claim: &Claim) -> Result<(), String> {
    let (rows, columns, shift) = claim.period.sides();
    let class = |row: i32, column: i32| {
        // A long step of many shifts is more than 32 bits.
        let times = i64::from(row.div_euclid(rows));
        let column = i64::from(column) - times * i64::from(shift);
        (row.rem_euclid(rows), column.rem_euclid(columns.into()))
    };
    for &((row, column), (down, right)) in &claim.list {
        if class(row + down, column + right) < class(row, column) {
            return Err(format!("the pair at {row} {column}: expected its partner's cell first"));
        }
    }
    match claim.list.windows(2).find(|two| two[0].0 > two[1].0) {
        None => Ok(()),
        Some(two) => Err(format!("the pair at {} {} is out of order", two[1].0.0, two[1].0.1)),
    }
}

/// The steps to the partners, row by row, on the smallest torus that has the period.
struct Torus {
    rows: i32,
    columns: i32,
    steps: Vec<Option<Vector>>,
}

impl Torus {
    fn new(claim: &Claim) -> Result<Self, String> {
        let (rows, columns, shift) = claim.period.sides();
        let times = (1..=columns).find(|times| times * shift % columns == 0);
        let times = times.ok_or("a period without columns")?;
        let steps = vec![None; (rows * times * columns) as usize];
        let mut torus = Self { rows: rows * times, columns, steps };
        for &((row, column), step) in &claim.list {
            if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                return Err(format!(
                    "cell {row} {column} is outside of the {rows} rows and {columns} columns"
                ));
            }
            if claim.pairs == Pairs::Adjacent && step.0.abs() + step.1.abs() != 1 {
                return Err(format!(
                    "the pair at {row} {column} is no domino: its step is {} {}",
                    step.0, step.1
                ));
            }
            for time in 0..times {
                let cell = (row + time * rows, column + time * shift);
                torus.lay(cell, step)?;
                torus.lay((cell.0 + step.0, cell.1 + step.1), (-step.0, -step.1))?;
            }
        }
        torus.partners_agree()?;
        Ok(torus)
    }

    fn index(&self, (row, column): Vector) -> usize {
        (row.rem_euclid(self.rows) * self.columns + column.rem_euclid(self.columns)) as usize
    }

    fn step(&self, cell: Vector) -> Option<Vector> {
        self.steps[self.index(cell)]
    }

    fn cells(&self) -> impl Iterator<Item = Vector> + use<> {
        let (rows, columns) = (self.rows, self.columns);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    fn lay(&mut self, cell: Vector, step: Vector) -> Result<(), String> {
        let index = self.index(cell);
        match self.steps[index].replace(step) {
            None => Ok(()),
            Some(_) => Err(format!("cell {} {} is in two pairs", cell.0, cell.1)),
        }
    }

    /// Checks that the partner's partner is the cell itself, and that no cell is its own partner.
    fn partners_agree(&self) -> Result<(), String> {
        for cell in self.cells() {
            let Some((down, right)) = self.step(cell) else { continue };
            let partner = (cell.0 + down, cell.1 + right);
            if self.index(partner) == self.index(cell)
                || self.step(partner) != Some((-down, -right))
            {
                return Err(format!("the partner of cell {} {} has another", cell.0, cell.1));
            }
        }
        Ok(())
    }
}
