//! Exact values of Pyonpyon shogi: positions from the view of the side to move, rows sorted, four
//! 16-bit numbers in one word.

use super::position::{Board, Position};
use super::{NoMove, Pyonpyon};
use hasami_game::race::{Exact, ExactSearch, ExactSolver, Outcome, Race};

/// A board and a rule in the form of the exact search.
pub struct Fast<'a> {
    board: &'a Board,
    no_move: NoMove,
}

impl<'a> Fast<'a> {
    /// The game on this board under this rule.
    #[must_use]
    pub fn new(board: &'a Board, no_move: NoMove) -> Self {
        Self { board, no_move }
    }

    /// A position from the view of its side to move.
    #[must_use]
    pub fn seen(&self, position: &Position) -> u64 {
        pack(self.board.sorted_for(position, position.mover))
    }

    fn rows(&self, pos: u64) -> impl Iterator<Item = u16> {
        unpack(pos).into_iter().take(usize::from(self.board.height))
    }

    fn can_move(&self, pos: u64) -> bool {
        self.rows(pos).any(|row| self.board.rows.moves(row).next().is_some())
    }
}

fn pack(rows: [u16; 4]) -> u64 {
    rows.iter().rev().fold(0, |word, &row| word << 16 | u64::from(row))
}

fn unpack(pos: u64) -> [u16; 4] {
    [pos as u16, (pos >> 16) as u16, (pos >> 32) as u16, (pos >> 48) as u16]
}

impl Race for Fast<'_> {
    type Pos = u64;

    fn ended(&self, pos: u64) -> Option<Outcome> {
        let rows = &self.board.rows;
        if self.rows(pos).all(|row| rows.arrived(rows.mirror(row))) {
            return Some(Outcome::Loss);
        }
        match self.no_move {
            NoMove::Pass => None,
            _ if self.can_move(pos) => None,
            NoMove::Loses => Some(Outcome::Loss),
            NoMove::Draw => Some(Outcome::Draw),
        }
    }

    fn push_moves(&self, pos: u64, after: &mut Vec<(u64, bool)>) {
        let (table, height) = (&self.board.rows, usize::from(self.board.height));
        let from = after.len();
        let rows = unpack(pos);
        let mut turned = rows;
        turned[..height].iter_mut().for_each(|row| *row = table.mirror(*row));
        let mut push = |mut next: [u16; 4]| {
            next[..height].sort_unstable();
            let next = (pack(next), false);
            if !after[from..].contains(&next) {
                after.push(next);
            }
        };
        for (at, &row) in rows[..height].iter().enumerate() {
            // Equal rows are adjacent and have equal moves.
            if at > 0 && rows[at - 1] == row {
                continue;
            }
            for (_, moved) in table.moves(row) {
                let mut next = turned;
                next[at] = table.mirror(moved);
                push(next);
            }
        }
        if after.len() == from {
            let mut next = turned;
            next[..height].sort_unstable();
            after.push((pack(next), false));
        }
    }

    /// Lower bounds on the moves of each side, even if the other makes way; a side that loses by
    /// having no move can lose sooner.
    fn fewest(&self, pos: u64) -> (u16, u16) {
        if self.no_move == NoMove::Loses {
            return (1, 2);
        }
        let rows = &self.board.rows;
        let (mut own, mut other) = (0u16, 0u16);
        for row in self.rows(pos) {
            own = own.saturating_add(rows.needed(row));
            other = other.saturating_add(rows.needed(rows.mirror(row)));
        }
        let plies = |moves: u16, less| match moves {
            u16::MAX => u16::MAX,
            _ => (2 * moves).saturating_sub(less),
        };
        (plies(own, 1), plies(other, 0))
    }
}

impl ExactSolver for Pyonpyon {
    fn solve_exact(&self, state: &Position, budget: u64) -> Option<Exact> {
        let fast = Fast::new(&self.board, self.no_move);
        ExactSearch::new(&fast).solve(fast.seen(state), budget)
    }
}
