//! The score of a position in which neither player wants to move: empty points that one colour
//! surrounds.

use super::board::{Board, Cell, Colour};

/// Points that only Black's stones touch, minus those that only White's touch. All stones count as
/// alive: dead ones have to be captured first.
#[must_use]
pub fn territory(board: &Board) -> i64 {
    let mut seen = vec![false; board.cells().len()];
    let mut count = 0;
    for start in board.empty() {
        if seen[start] {
            continue;
        }
        let area = board.joined(start, |cell| cell == Cell::Empty);
        let mut touched = [false; 2];
        for &point in &area {
            seen[point] = true;
            for near in board.neighbours(point) {
                if let Some(colour) = board.at(near).colour() {
                    touched[usize::from(colour == Colour::White)] = true;
                }
            }
        }
        count += match touched {
            [true, false] => area.len() as i64,
            [false, true] => -(area.len() as i64),
            _ => 0,
        };
    }
    count
}
