//! The same question for a SAT solver, as a second opinion: a variable for each pair, at most one
//! pair on each cell, and for each placement a pair within it. Satisfiable if White can pave.

use std::collections::BTreeMap;

use super::PavingWinner;
use super::board::bits;

/// Clauses with DIMACS literals: variables from 1, negative if negated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clauses {
    /// Number of variables.
    pub variables: usize,
    /// The clauses.
    pub clauses: Vec<Vec<i32>>,
}

impl PavingWinner {
    /// The question for a SAT solver: unsatisfiable exactly if it is proven.
    #[must_use]
    pub fn clauses(&self) -> Clauses {
        let mut variables = BTreeMap::new();
        let mut clauses = Vec::new();
        for &placement in &self.board.placements {
            let pairs = self.board.pairs_in(placement).map(|pair| {
                let next = variables.len() as i32 + 1;
                *variables.entry(pair).or_insert(next)
            });
            clauses.push(pairs.collect());
        }
        let cells = bits(!0 >> (128 - u32::from(self.board.cells())));
        for cell in cells {
            let here: Vec<i32> = variables
                .iter()
                .filter(|((a, b), _)| *a == cell || *b == cell)
                .map(|(_, &variable)| variable)
                .collect();
            for (at, one) in here.iter().enumerate() {
                clauses.extend(here[..at].iter().map(|other| vec![-one, -other]));
            }
        }
        Clauses { variables: variables.len(), clauses }
    }
}
