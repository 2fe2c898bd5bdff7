//! Pyonpyon shogi and Mancala a second time, from the words of the rules alone: boards as plain
//! lists, no symmetry, no tables of rows, every position searched to its end.

pub mod mancala;
pub mod pyonpyon;

use hasami_game::race::Exact;

/// The best of the values after every move, for who chooses.
pub fn best(values: impl Iterator<Item = Exact>) -> Exact {
    values.max_by_key(|value| value.merit()).expect("a move")
}
