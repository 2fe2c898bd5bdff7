//! Pyonpyon shogi on a list of cells.

use std::collections::HashMap;

use hasami_game::race::Exact;

/// Rows of `S`, `G` and `.`, and whether `S` is to move.
pub type Position = (Vec<Vec<u8>>, bool);

/// The game under one rule, with its results so far.
pub struct Reference {
    home: usize,
    no_move: &'static str,
    known: HashMap<Position, Exact>,
}

impl Reference {
    pub fn new(home: usize, no_move: &'static str) -> Self {
        Self { home, no_move, known: HashMap::new() }
    }

    fn arrived(&self, rows: &[Vec<u8>], piece: u8) -> bool {
        rows.iter().all(|row| {
            let goal = match piece {
                b'S' => &row[row.len() - self.home..],
                _ => &row[..self.home],
            };
            goal.iter().all(|&cell| cell == piece)
        })
    }

    /// The moves of a position: the cell of the piece, and the position after it.
    pub fn moves(&self, position: &Position) -> Vec<(usize, Position)> {
        let (rows, first) = position;
        let (piece, step) = if *first { (b'S', 1) } else { (b'G', -1) };
        let mut moves = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            for column in 0..row.len() {
                if row[column] != piece {
                    continue;
                }
                let mut to = column as i32 + step;
                while (0..row.len() as i32).contains(&to) && row[to as usize] != b'.' {
                    to += step;
                }
                if (0..row.len() as i32).contains(&to) {
                    let mut next = rows.clone();
                    next[at][column] = b'.';
                    next[at][to as usize] = piece;
                    moves.push((at * row.len() + column, (next, !first)));
                }
            }
        }
        moves
    }

    /// The value for the side to move.
    pub fn value(&mut self, position: &Position) -> Exact {
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        let (rows, first) = position;
        let moved = if *first { b'G' } else { b'S' };
        let moves = self.moves(position);
        let value = if self.arrived(rows, moved) {
            Exact::loss(0)
        } else if moves.is_empty() {
            match self.no_move {
                "pass" => self.value(&(rows.clone(), !first)).after_a_ply(),
                "loses" => Exact::loss(0),
                _ => Exact::DRAW,
            }
        } else {
            super::best(moves.iter().map(|(_, next)| self.value(next).after_a_ply()))
        };
        self.known.insert(position.clone(), value);
        value
    }

    /// Drops the results.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

/// The position as the parameter `position` spells it.
pub fn spell((rows, first): &Position) -> String {
    let rows: Vec<&str> = rows.iter().map(|row| std::str::from_utf8(row).unwrap()).collect();
    format!("{}:{}", rows.join("/"), if *first { "first" } else { "second" })
}
