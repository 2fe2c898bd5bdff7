//! Printable sheets of puzzles: the puzzles on the front, the solutions on the back.

mod html;
mod svg;
mod text;

pub use html::html;
pub use svg::svg;
pub use text::text;

use super::generator::Made;

/// The contents of a sheet.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The heading.
    pub title: &'a str,
    /// The rules of the game.
    pub rules: &'a str,
    /// The puzzles, numbered from 1.
    pub puzzles: &'a [Made],
    /// Lines about what proves them; printed below the note on how to read the solutions.
    pub proof: &'a [String],
}

/// The line above a puzzle.
fn heading(number: usize, puzzle: &Made) -> String {
    let plies =
        if puzzle.plies == 1 { "1 ply".to_string() } else { format!("{} plies", puzzle.plies) };
    format!("{number}. Win in {plies} ({})", puzzle.grade)
}

/// The remark below a puzzle, if any.
fn remark(puzzle: &Made) -> Option<String> {
    puzzle.label.clone()
}

/// The solution of a puzzle: its first move and the main line.
fn solution(number: usize, puzzle: &Made) -> String {
    let mut text = format!("{number}. {}", puzzle.line.join("  "));
    let others: Vec<String> =
        puzzle.winning.iter().skip(1).map(|(mv, plies)| format!("{mv} ({plies} plies)")).collect();
    if !others.is_empty() {
        text.push_str(&format!("; also {}", others.join(", ")));
    }
    text
}

/// The lines before the solutions.
fn preface(sheet: &Sheet<'_>) -> Vec<String> {
    std::iter::once(READING.to_string()).chain(sheet.proof.iter().cloned()).collect()
}

/// How to read the main line.
const READING: &str = "First moves and main lines: the winner plays as fast, the loser holds out as long as possible.";
