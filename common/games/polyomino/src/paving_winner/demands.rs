//! White's open tasks: each demand is the set of free cells of a placement that no pair blocks yet,
//! and requires a pair within it.
//!
//! The demands are always *closed*: no cell that cannot be in a pair within its demand, no demand
//! that contains another one (a pair within the smaller lies within the larger), none with a single
//! pair left in it (that pair is laid). They determine the future: states with the same demands are
//! the same question, whatever pairs led there.

use super::board::{Board, MAX_CELLS, Signs, add, bits};

/// The demands of a state, sorted; a single empty one if White has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demands {
    sets: Vec<u128>,
    /// The sums of their hashes.
    signs: Signs,
}

impl Demands {
    /// The demands of a board where these cells are taken and `blocked` says which placements are
    /// blocked. No forced pair is laid: see [`Demands::forced`].
    pub fn new(board: &Board, taken: u128, blocked: impl Fn(u128) -> bool) -> Self {
        let open = board.placements.iter().filter(|&&placement| !blocked(placement));
        let sets: Vec<u128> = open.map(|set| board.useful(set & !taken)).collect();
        let mut demands = Self { sets, signs: [[0; 2]; 8] };
        demands.normalize(board);
        demands
    }

    /// The sets, in order.
    pub fn sets(&self) -> &[u128] {
        &self.sets
    }

    /// Whether White has failed: no pair can meet one of the demands.
    pub fn failed(&self) -> bool {
        self.sets.first() == Some(&0)
    }

    /// Whether all demands are met.
    pub fn met(&self) -> bool {
        self.sets.is_empty()
    }

    /// The only pair that can meet one of the demands.
    pub fn forced(&self, board: &Board) -> Option<(u8, u8)> {
        let only = self.sets.iter().find(|&&set| board.pair_count(set) == 1)?;
        board.pairs_in(*only).next()
    }

    /// Lays a pair and all pairs that it forces; calls `laid` for each.
    pub fn lay(&mut self, board: &Board, pair: (u8, u8), mut laid: impl FnMut((u8, u8))) {
        let mut next = Some(pair);
        while let Some((a, b)) = next {
            laid((a, b));
            let cells = 1u128 << a | 1u128 << b;
            self.sets.retain_mut(|set| {
                let hit = *set & cells;
                if hit == cells {
                    return false;
                }
                if hit != 0 {
                    *set = board.useful(*set & !cells);
                }
                true
            });
            if self.sets.contains(&0) {
                break;
            }
            next = self.forced(board);
        }
        self.normalize(board);
    }

    /// Sorts, drops sets that contain another, and adds up the hashes.
    fn normalize(&mut self, board: &Board) {
        if self.sets.contains(&0) {
            self.sets.clear();
            self.sets.push(0);
        }
        self.sets.sort_unstable();
        self.sets.dedup();
        // A subset of a set is a smaller number.
        let mut kept = 0;
        for at in 0..self.sets.len() {
            let set = self.sets[at];
            if self.sets[..kept].iter().all(|less| less & !set != 0) {
                self.sets[kept] = set;
                kept += 1;
            }
        }
        self.sets.truncate(kept);
        self.signs = [[1; 2]; 8];
        for &set in &self.sets {
            add(&mut self.signs, &board.signs(set));
        }
    }

    /// A hash that is equal for demands that a symmetry of the board maps to each other, and
    /// different for others with high probability; `chosen` is one of the sets, or empty.
    pub fn sign(&self, board: &Board, chosen: u128) -> u128 {
        let mut signs = self.signs;
        if chosen != 0 {
            let turn = board.signs(chosen).map(|sign| sign.map(|word| word.rotate_left(1)));
            add(&mut signs, &turn);
        }
        signs
            .map(|[low, high]| u128::from(high) << 64 | u128::from(low))
            .into_iter()
            .min()
            .unwrap_or(0)
    }
}

/// For each cell, the demands that contain it.
pub struct Members([u128; MAX_CELLS]);

impl Members {
    /// The members of up to 128 demands; `None` if there are more.
    pub fn new(demands: &Demands) -> Option<Self> {
        if demands.sets.len() > 128 {
            return None;
        }
        let mut members = [0; MAX_CELLS];
        for (at, &set) in demands.sets.iter().enumerate() {
            bits(set).for_each(|cell| members[usize::from(cell)] |= 1 << at);
        }
        Some(Self(members))
    }

    /// The demands that contain a cell.
    pub fn of(&self, cell: u8) -> u128 {
        self.0[usize::from(cell)]
    }
}
