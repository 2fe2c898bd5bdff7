//! QUARTO! cell by cell.

use super::{Ending, Rules};

/// The pieces on the cells row by row, and the one in hand; none if the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub cells: [Option<u8>; 16],
    pub hand: Option<u8>,
}

pub struct Quarto;

impl Quarto {
    pub fn has_line(cells: &[Option<u8>; 16]) -> bool {
        let shared = |line: [(usize, usize); 4]| {
            let pieces = line.map(|(row, column)| cells[4 * row + column]);
            (0..4).any(|bit| {
                [0, 1].iter().any(|&value| {
                    pieces.iter().all(|piece| piece.is_some_and(|piece| piece >> bit & 1 == value))
                })
            })
        };
        (0..4).any(|i| {
            shared([(i, 0), (i, 1), (i, 2), (i, 3)]) || shared([(0, i), (1, i), (2, i), (3, i)])
        }) || shared([(0, 0), (1, 1), (2, 2), (3, 3)])
            || shared([(0, 3), (1, 2), (2, 1), (3, 0)])
    }

    /// The pieces neither on the board nor in hand.
    pub fn left(position: &Position) -> Vec<u8> {
        let used =
            |piece: &u8| position.hand == Some(*piece) || position.cells.contains(&Some(*piece));
        (0..16).filter(|piece| !used(piece)).collect()
    }

    /// The position as the parameter `position` spells it.
    pub fn spell(position: &Position) -> String {
        let sign = |cell: &Option<u8>| cell.map_or(".".to_string(), |piece| format!("{piece:x}"));
        let cells: String = position.cells.iter().map(sign).collect();
        format!("{cells},{:x}", position.hand.unwrap())
    }
}

impl Rules for Quarto {
    type Position = Position;

    fn over(&self, position: &Position) -> Option<Ending> {
        if Self::has_line(&position.cells) {
            Some(Ending::Lost)
        } else if position.hand.is_none() {
            Some(Ending::Drawn)
        } else {
            None
        }
    }

    fn plies(&self, position: &Position) -> Vec<Position> {
        let left = Self::left(position);
        let mut plies = Vec::new();
        for cell in (0..16).filter(|&cell| position.cells[cell].is_none()) {
            let mut cells = position.cells;
            cells[cell] = position.hand;
            if Self::has_line(&cells) || left.is_empty() {
                plies.push(Position { cells, hand: None });
                continue;
            }
            plies.extend(left.iter().map(|&gift| Position { cells, hand: Some(gift) }));
        }
        plies
    }
}
