//! `hasami polyomino`: shapes, pavings that block them, and pairs of them.

pub mod pairs;
pub mod pave;
pub mod shapes;

use crate::tree::{self, Entry, verb};

/// The commands about polyominoes.
pub fn group() -> Entry {
    tree::group(
        "polyomino",
        "Polyominoes: pavings that block them, lists of shapes, tables of pairs",
        "Example:\n  hasami polyomino pave Square I\n\n\
         `hasami solve polyomino` asks whether Black can complete a shape.",
        vec![verb::<pave::Pave>(), verb::<shapes::Shapes>(), verb::<pairs::Pairs>()],
    )
}
