//! The rules written again, cell by cell, and a search without tables: slow and simple.

use crate::quarto::{Position, Value, notation};
use hasami_game::random::SplitMix;

/// Cells, and the piece in hand.
#[derive(Clone)]
pub struct Plain {
    pub cells: [Option<u8>; 16],
    pub hand: u8,
}

impl Plain {
    pub fn left(&self) -> Vec<u8> {
        let used = |piece: &u8| *piece == self.hand || self.cells.contains(&Some(*piece));
        (0..16).filter(|piece| !used(piece)).collect()
    }

    /// Whether the four cells hold pieces with a common bit value.
    fn shares(&self, line: [usize; 4]) -> bool {
        let Some(pieces) = line.iter().map(|&cell| self.cells[cell]).collect::<Option<Vec<u8>>>()
        else {
            return false;
        };
        (0..4).any(|bit| pieces.iter().all(|p| p >> bit & 1 == pieces[0] >> bit & 1))
    }

    pub fn has_line(&self) -> bool {
        (0..4).any(|i| {
            self.shares([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3])
                || self.shares([i, 4 + i, 8 + i, 12 + i])
        }) || self.shares([0, 5, 10, 15])
            || self.shares([3, 6, 9, 12])
    }

    /// By exhaustive search.
    pub fn value(&self) -> Value {
        let mut best = Value::Loss(0);
        for cell in (0..16).filter(|&cell| self.cells[cell].is_none()) {
            let mut next = self.clone();
            next.cells[cell] = Some(self.hand);
            if next.has_line() {
                return Value::Win(1);
            }
            let gifts = self.left();
            if gifts.is_empty() {
                best = better(best, Value::Draw);
            }
            for gift in gifts {
                next.hand = gift;
                best = better(best, turned(next.value()));
            }
        }
        best
    }

    pub fn spelled(&self) -> String {
        let sign = |cell: &Option<u8>| cell.map_or(".".to_string(), |p| format!("{p:x}"));
        let cells: String = self.cells.iter().map(sign).collect();
        format!("{cells},{:x}", self.hand)
    }

    pub fn position(&self) -> Position {
        notation::read(&self.spelled()).unwrap()
    }
}

fn turned(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
        Value::Loss(plies) => Value::Win(plies + 1),
    }
}

/// The better of two values: early wins, draws, late losses.
fn better(one: Value, other: Value) -> Value {
    let rank = |value: Value| match value {
        Value::Win(plies) => 100 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => -100 + i32::from(plies),
    };
    if rank(other) > rank(one) { other } else { one }
}

/// A board with this many random pieces, without a line, and a piece in hand.
pub fn random_position(pieces: usize, random: &mut SplitMix) -> Plain {
    loop {
        let mut order: Vec<u8> = (0..16).collect();
        let mut places: Vec<usize> = (0..16).collect();
        for at in (1..16).rev() {
            order.swap(at, random.below(at as u32 + 1) as usize);
            places.swap(at, random.below(at as u32 + 1) as usize);
        }
        let mut plain = Plain { cells: [None; 16], hand: order[pieces] };
        for (&piece, &cell) in order.iter().zip(&places).take(pieces) {
            plain.cells[cell] = Some(piece);
        }
        if !plain.has_line() {
            return plain;
        }
    }
}
