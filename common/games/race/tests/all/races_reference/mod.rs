//! Pyonpyon shogi and Mancala written again from the rules alone: boards as plain lists, no
//! symmetry, no tables of rows, every position searched to its end.

pub mod mancala;
pub mod pyonpyon;

use hasami_game::race::Exact;

/// The best of the values after every move, for the mover.
pub fn best(values: impl Iterator<Item = Exact>) -> Exact {
    values.max_by_key(|value| value.merit()).expect("a move")
}
