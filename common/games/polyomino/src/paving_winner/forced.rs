//! The pairs that White is forced to lay, one by one, as a tree writes them.

use super::board::{Board, bits};
use super::laid::{Laid, Pair, pairs_within};

/// What follows from the pairs laid without any choice of White's.
pub struct Forced {
    /// Placements whose demand has a single pair, and that pair.
    pub steps: Vec<(u128, Pair)>,
    /// A placement that is stuck after these steps.
    pub stuck: Option<u128>,
}

/// Lays forced pairs until there are none; if a placement gets stuck, only those pairs that matter
/// for it.
pub fn forced(board: &Board, laid: &mut Laid) -> Forced {
    let mut steps: Vec<(u128, Pair)> = Vec::new();
    loop {
        // Round by round, so that chains are short.
        let mut round = Vec::new();
        let mut chains = Vec::new();
        for (placement, demand) in laid.open(board) {
            if demand == 0 {
                chains.push((needed(&steps, placement), placement));
            } else if let [pair] = pairs_within(board, demand)[..] {
                round.push((placement, pair));
            }
        }
        if let Some((chain, stuck)) = chains.into_iter().min_by_key(|(chain, _)| chain.len()) {
            let steps = chain.into_iter().map(|at| steps[at]).collect();
            return Forced { steps, stuck: Some(stuck) };
        }
        if round.is_empty() {
            return Forced { steps, stuck: None };
        }
        for (placement, pair) in round {
            if laid.is_free(pair.0) && laid.is_free(pair.1) {
                laid.lay(pair);
                steps.push((placement, pair));
            }
        }
    }
}

/// The steps that a placement is stuck for, in order: those with cells in it, and those that these
/// need.
fn needed(steps: &[(u128, Pair)], stuck: u128) -> Vec<usize> {
    let owner = |cell: u8| steps.iter().position(|&(_, (a, b))| a == cell || b == cell);
    let mut chain: Vec<usize> = Vec::new();
    let mut todo = vec![(stuck, steps.len())];
    while let Some((placement, before)) = todo.pop() {
        for at in bits(placement).filter_map(owner).filter(|&at| at < before) {
            if !chain.contains(&at) {
                chain.push(at);
                todo.push((steps[at].0, at));
            }
        }
    }
    chain.sort_unstable();
    chain
}
