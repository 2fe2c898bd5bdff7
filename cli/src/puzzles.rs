//! `hasami puzzles`: puzzles of a game, each with its certificate, on a sheet to print.

mod make;
mod merge;
mod sheet;

use crate::tree::{self, Entry, verb};

/// The commands about puzzles.
pub fn group() -> Entry {
    tree::group(
        "puzzles",
        "Puzzles with one winning first move: make them, merge them on one sheet",
        "Examples:\n  hasami puzzles make quarto --count 20 --plies 5 --grade medium -o sheet.html\n  \
         hasami puzzles merge quarto puzzles.jsonl more.jsonl -o sheet.html",
        vec![verb::<make::Make>(), verb::<merge::Merge>()],
    )
}
