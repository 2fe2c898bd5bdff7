//! Pyonpyon shogi on one list of cells.

use super::{Ending, Rules};

/// The rows in one list, `S`, `G` and `.`, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub cells: Vec<u8>,
    pub mover: u8,
}

pub struct Pyonpyon {
    pub columns: usize,
    pub home: usize,
    /// `pass`, `loses` or `draw`.
    pub no_move: &'static str,
}

fn other(player: u8) -> u8 {
    if player == b'S' { b'G' } else { b'S' }
}

impl Pyonpyon {
    /// Whether all pieces of a player are in the opponent's home columns.
    pub fn arrived(&self, cells: &[u8], player: u8) -> bool {
        let at_home = |(at, &cell): (usize, &u8)| {
            let column = at % self.columns;
            let there = if player == b'S' {
                column >= self.columns - self.home
            } else {
                column < self.home
            };
            cell != player || there
        };
        cells.iter().enumerate().all(at_home)
    }

    /// The target of the piece on a cell, or with `back` its origin: the next empty cell of its
    /// row.
    pub fn target(&self, cells: &[u8], from: usize, back: bool) -> Option<usize> {
        let right = (cells[from] == b'S') != back;
        let mut at = from;
        loop {
            let edge = if right { self.columns - 1 } else { 0 };
            if at % self.columns == edge {
                return None;
            }
            at = if right { at + 1 } else { at - 1 };
            if cells[at] == b'.' {
                return Some(at);
            }
        }
    }

    /// Every move of a piece: its cell, and the position after it.
    pub fn moves(&self, position: &Position) -> Vec<(usize, Position)> {
        let Position { cells, mover } = position;
        let mut moves = Vec::new();
        for from in (0..cells.len()).filter(|&at| cells[at] == *mover) {
            if let Some(to) = self.target(cells, from, false) {
                let mut cells = cells.clone();
                cells.swap(from, to);
                moves.push((from, Position { cells, mover: other(*mover) }));
            }
        }
        moves
    }

    /// The position as the parameter `position` spells it.
    pub fn spell(&self, position: &Position) -> String {
        let rows: Vec<&str> = position
            .cells
            .chunks(self.columns)
            .map(|row| std::str::from_utf8(row).unwrap())
            .collect();
        format!("{}:{}", rows.join("/"), if position.mover == b'S' { "first" } else { "second" })
    }
}

impl Rules for Pyonpyon {
    type Position = Position;

    fn over(&self, position: &Position) -> Option<Ending> {
        if self.arrived(&position.cells, other(position.mover)) {
            return Some(Ending::Lost);
        }
        match self.no_move {
            "loses" if self.moves(position).is_empty() => Some(Ending::Lost),
            "draw" if self.moves(position).is_empty() => Some(Ending::Drawn),
            _ => None,
        }
    }

    fn plies(&self, position: &Position) -> Vec<Position> {
        let moves = self.moves(position);
        if moves.is_empty() {
            let passed = Position { mover: other(position.mover), ..position.clone() };
            return vec![passed];
        }
        moves.into_iter().map(|(_, next)| next).collect()
    }
}
