//! Items with two axes as a matrix. A sweep of pairs is the upper half of one, as in table 4 of
//! Yakuwa et al., with the result of each shape by itself on the diagonal.

use std::collections::HashMap;

use hasami_spec::Pairs;

use super::{Row, Table};

/// Larger matrices are not shown.
const MAX_CELLS: usize = 10_000;
/// Most matrices shown of one sweep.
const MAX_MATRICES: usize = 24;

/// Rows of a table by two of their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The values of the other parameters, if there are several matrices.
    pub caption: String,
    /// The parameters of rows and columns; empty for pairs.
    pub names: [String; 2],
    /// The labels of the rows.
    pub down: Vec<String>,
    /// The labels of the columns.
    pub right: Vec<String>,
    /// The index of the table row for each row and column of the matrix.
    pub cells: HashMap<(usize, usize), usize>,
    /// The signs of the diagonal, if it holds no items.
    pub diagonal: Vec<String>,
}

impl Table {
    /// The matrices of the sweep; empty if the items are not a full grid.
    #[must_use]
    pub fn matrices(&self) -> Vec<Matrix> {
        let pairs = self.spec.pairs.filter(|pairs| self.varying == [pairs.param]);
        let matrices = match pairs {
            Some(pairs) => self.pairs(pairs).into_iter().collect(),
            None => self.grids(),
        };
        let full = |matrix: &Matrix| {
            let all = matrix.down.len() * matrix.right.len();
            all <= MAX_CELLS && (matrix.cells.len() == all || !matrix.diagonal.is_empty())
        };
        if matrices.len() <= MAX_MATRICES && matrices.iter().all(full) {
            matrices
        } else {
            Vec::new()
        }
    }

    fn pairs(&self, of: Pairs) -> Option<Matrix> {
        let pairs: Option<Vec<(&str, &str)>> =
            self.rows.iter().map(|row| row.param(of.param).split_once(',')).collect();
        let pairs = pairs?;
        let mut labels: Vec<String> = Vec::new();
        let firsts = pairs.iter().map(|pair| pair.0);
        for label in firsts.chain(pairs.iter().map(|pair| pair.1)) {
            place(&mut labels, label);
        }
        let at = |label: &str| labels.iter().position(|known| known == label);
        let cells = pairs.iter().enumerate().map(|(row, (first, second))| {
            let (first, second) = (at(first)?, at(second)?);
            Some(((first.min(second), first.max(second)), row))
        });
        let diagonal = labels.iter().map(|label| (of.alone)(label));
        Some(Matrix {
            caption: String::new(),
            names: [String::new(), String::new()],
            diagonal: diagonal.collect(),
            cells: cells.collect::<Option<_>>()?,
            down: labels.clone(),
            right: labels,
        })
    }

    /// The two longest axes span a matrix; each combination of the others has its own.
    fn grids(&self) -> Vec<Matrix> {
        let lengths = self.varying.iter().map(|name| {
            let values: std::collections::HashSet<&str> =
                self.rows.iter().map(|row| row.param(name)).collect();
            values.len()
        });
        let mut axes: Vec<(usize, usize)> = lengths.enumerate().collect();
        axes.sort_by_key(|&(at, length)| (std::cmp::Reverse(length), at));
        let &[(one, length), (other, narrow), ..] = axes.as_slice() else { return Vec::new() };
        if length < 2 || narrow < 2 {
            return Vec::new();
        }
        let names = [one.min(other), one.max(other)].map(|axis| self.varying[axis].clone());
        let mut matrices: Vec<Matrix> = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            let caption = self.caption(row, &names);
            let known = matrices.iter().position(|matrix| matrix.caption == caption);
            let matrix = known.unwrap_or_else(|| {
                let names = names.clone();
                let (down, right, cells) = (Vec::new(), Vec::new(), HashMap::new());
                let diagonal = Vec::new();
                matrices.push(Matrix { caption, names, down, right, cells, diagonal });
                matrices.len() - 1
            });
            if matrices.len() > MAX_MATRICES {
                return Vec::new();
            }
            let matrix = &mut matrices[matrix];
            let down = place(&mut matrix.down, row.param(&names[0]));
            let right = place(&mut matrix.right, row.param(&names[1]));
            matrix.cells.insert((down, right), at);
        }
        matrices
    }

    fn caption(&self, row: &Row, names: &[String; 2]) -> String {
        let others = self.varying.iter().filter(|name| !names.contains(name));
        let words: Vec<String> = others.map(|name| format!("{name}={}", row.param(name))).collect();
        words.join(" ")
    }
}

/// The index of a label, appended if it is new.
fn place(labels: &mut Vec<String>, label: &str) -> usize {
    labels.iter().position(|known| known == label).unwrap_or_else(|| {
        labels.push(label.to_string());
        labels.len() - 1
    })
}
