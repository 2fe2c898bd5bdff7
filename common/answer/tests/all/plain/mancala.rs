//! Mancala on a ring with its goals; a ply is a whole turn.

use super::{Ending, Rules};

/// Seeds round the ring, goals included, and whether the first player is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub ring: Vec<u32>,
    pub first: bool,
}

pub struct Mancala {
    pub pits: usize,
    /// Whether the last seed in either goal gives another move, not only in the own one.
    pub either: bool,
    /// The player who passes every turn, if any: whether it is the first one.
    pub passes: Option<bool>,
}

impl Mancala {
    fn empty(&self, ring: &[u32], first: bool) -> bool {
        let from = if first { 0 } else { self.pits + 1 };
        (from..from + self.pits).all(|pocket| ring[pocket] == 0)
    }

    /// Adds every position at the end of the sower's turn.
    fn turns(&self, ring: &[u32], first: bool, ends: &mut Vec<Position>) {
        let from = if first { 0 } else { self.pits + 1 };
        let (first_goal, second_goal) = (2 * self.pits + 1, self.pits);
        for pocket in (from..from + self.pits).filter(|&pocket| ring[pocket] > 0) {
            let mut sown = ring.to_vec();
            let mut at = pocket;
            for _ in 0..std::mem::take(&mut sown[pocket]) {
                at = if at == 0 { first_goal } else { at - 1 };
                sown[at] += 1;
            }
            let own_goal = if first { first_goal } else { second_goal };
            let on = at == own_goal || self.either && (at == first_goal || at == second_goal);
            let over = self.empty(&sown, true) || self.empty(&sown, false);
            // The contents of the goals do not matter: positions that differ only there are equal.
            (sown[first_goal], sown[second_goal]) = (0, 0);
            if on && !over {
                self.turns(&sown, first, ends);
            } else {
                ends.push(Position { ring: sown, first: !first });
            }
        }
    }

    /// The position as the parameter `position` spells it.
    pub fn spell(position: &Position) -> String {
        let words: Vec<String> = position.ring.iter().map(ToString::to_string).collect();
        format!("{}:{}", words.join(","), if position.first { "first" } else { "second" })
    }

    /// Whether the game is still open.
    pub fn goes_on(&self, position: &Position) -> bool {
        !self.empty(&position.ring, true) && !self.empty(&position.ring, false)
    }
}

impl Rules for Mancala {
    type Position = Position;

    fn over(&self, position: &Position) -> Option<Ending> {
        if self.empty(&position.ring, position.first) {
            Some(Ending::Won)
        } else if self.empty(&position.ring, !position.first) {
            Some(Ending::Lost)
        } else {
            None
        }
    }

    fn plies(&self, position: &Position) -> Vec<Position> {
        let Position { ring, first } = position;
        let mut ends = Vec::new();
        if self.passes == Some(*first) {
            ends.push(Position { ring: ring.clone(), first: !first });
        } else {
            self.turns(ring, *first, &mut ends);
        }
        ends
    }
}
