//! Mancala on a list of pockets, including the contents of the goals.

use std::collections::HashMap;

use hasami_game::race::Exact;

/// The whole ring, goals too, and whether the first player is to move.
pub type Position = (Vec<u32>, bool);

/// The game under one rule, with its results so far.
pub struct Reference {
    pits: usize,
    either: bool,
    known: HashMap<Position, Exact>,
}

impl Reference {
    pub fn new(pits: usize, either: bool) -> Self {
        Self { pits, either, known: HashMap::new() }
    }

    fn pockets(&self, first: bool) -> std::ops::Range<usize> {
        if first { 0..self.pits } else { self.pits + 1..2 * self.pits + 1 }
    }

    fn empty(&self, seeds: &[u32], first: bool) -> bool {
        seeds[self.pockets(first)].iter().all(|&seeds| seeds == 0)
    }

    /// The value after sowing each pocket that has seeds, for the sower.
    pub fn moves(&mut self, (seeds, first): &Position) -> Vec<(usize, Exact)> {
        let mut moves = Vec::new();
        for pocket in self.pockets(*first) {
            if seeds[pocket] == 0 {
                continue;
            }
            let mut next = seeds.clone();
            next[pocket] = 0;
            let mut at = pocket;
            for _ in 0..seeds[pocket] {
                at = (at + next.len() - 1) % next.len();
                next[at] += 1;
            }
            let own_goal = if *first { next.len() - 1 } else { self.pits };
            let other_goal = if *first { self.pits } else { next.len() - 1 };
            let on = at == own_goal || self.either && at == other_goal;
            // Goals keep their seeds, but results must not depend on them.
            next[own_goal] = 0;
            next[other_goal] = 0;
            let value = if self.empty(&next, *first) {
                Exact::win(1)
            } else if self.empty(&next, !first) {
                panic!("nobody can empty the other's pits")
            } else if on {
                self.value(&(next, *first))
            } else {
                self.value(&(next, !first)).after_a_ply()
            };
            moves.push((pocket, value));
        }
        moves
    }

    /// The value for the side to move.
    pub fn value(&mut self, position: &Position) -> Exact {
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        let value = super::best(self.moves(position).into_iter().map(|(_, value)| value));
        self.known.insert(position.clone(), value);
        value
    }

    /// Drops the results.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

/// The position as the parameter `position` spells it.
pub fn spell((seeds, first): &Position) -> String {
    let words: Vec<String> = seeds.iter().map(ToString::to_string).collect();
    format!("{}:{}", words.join(","), if *first { "first" } else { "second" })
}
