//! Items with two axes as the matrix they are. A sweep of pairs is the upper half of one, as in
//! table 4 of Yakuwa et al., with what each shape is by itself on the diagonal.

use std::collections::HashMap;

use hasami_spec::Pairs;

use super::{Row, Table};

/// No matrix with more cells is shown.
const MAX_CELLS: usize = 10_000;
/// No more matrices than this are shown of one sweep.
const MAX_MATRICES: usize = 24;

/// Rows of a table by two of their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The values of the other parameters, where there are several matrices.
    pub caption: String,
    /// The parameter down and the parameter to the right; empty for pairs.
    pub names: [String; 2],
    /// The labels down.
    pub down: Vec<String>,
    /// The labels to the right.
    pub right: Vec<String>,
    /// The place of the row in the table, by place down and place to the right.
    pub cells: HashMap<(usize, usize), usize>,
    /// The signs of the diagonal, where it is no item.
    pub diagonal: Vec<String>,
}

impl Table {
    /// The matrices of the sweep; none where the items are no full grid.
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
        match matrices.len() <= MAX_MATRICES && matrices.iter().all(full) {
            true => matrices,
            false => Vec::new(),
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

    /// The two longest axes span a matrix; each choice on the others has one of its own.
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

/// The place of a label, which is the last one if it is new.
fn place(labels: &mut Vec<String>, label: &str) -> usize {
    labels.iter().position(|known| known == label).unwrap_or_else(|| {
        labels.push(label.to_string());
        labels.len() - 1
    })
}
