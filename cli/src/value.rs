//! `hasami value`: values of combinatorial games, and of Go endgames.

pub mod cgt;
pub mod go;

use crate::tree::{self, Entry, verb};

/// The commands about values.
pub fn group() -> Entry {
    tree::group(
        "value",
        "Values of combinatorial games, and of Go endgames",
        "Examples:\n  hasami value cgt '3||2|0'\n  hasami value go examples/board.txt",
        vec![verb::<cgt::Cgt>(), verb::<go::Go>()],
    )
}
