//! Printable sheets of puzzles: the puzzles on the front, the solutions on the back.

mod html;
mod svg;
mod text;

pub use html::html;
pub use svg::svg;
pub use text::text;

use super::drawing::Mark;
use super::generator::Made;
use super::turn::Turn;

/// The contents of a sheet.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The heading.
    pub title: &'a str,
    /// The rules of the game.
    pub rules: &'a str,
    /// The puzzles, numbered from 1.
    pub puzzles: &'a [Made],
    /// What the marks of drawings mean.
    pub legend: &'a [(Mark, &'static str)],
    /// Lines about what proves them; printed below the note on how to read the solutions.
    pub proof: &'a [String],
}

/// `1 move`, `3 moves`: those of the side that wins.
#[must_use]
pub fn moves(plies: u32) -> String {
    match plies.div_ceil(2) {
        1 => "1 move".to_string(),
        moves => format!("{moves} moves"),
    }
}

/// The line above a puzzle.
fn heading(number: usize, puzzle: &Made) -> String {
    format!("{number}. Win in {} ({})", moves(puzzle.plies), puzzle.grade)
}

/// The remark below a puzzle, if any.
fn remark(puzzle: &Made) -> Option<String> {
    puzzle.label.clone()
}

/// The solution of a puzzle in words: numbered turns, and other first moves that win.
fn solution(number: usize, puzzle: &Made) -> String {
    let mut text = format!("{number})");
    for (at, [own, reply]) in rounds(puzzle).iter().enumerate() {
        text.push_str(&format!(" {}. {}", at + 1, own.map_or_else(|| "…".to_string(), Turn::text)));
        if let Some(reply) = reply {
            text.push_str(&format!(" – {}", reply.text()));
        }
    }
    text.push_str(&also(puzzle));
    text
}

/// Own turns with the replies to them.
fn rounds(puzzle: &Made) -> Vec<[Option<&Turn>; 2]> {
    let mut rounds: Vec<[Option<&Turn>; 2]> = Vec::new();
    for turn in &puzzle.turns {
        match rounds.last_mut() {
            Some(last) if !turn.wins && last[1].is_none() => last[1] = Some(turn),
            _ if turn.wins => rounds.push([Some(turn), None]),
            _ => rounds.push([None, Some(turn)]),
        }
    }
    rounds
}

/// How many other first moves win, if any.
fn also(puzzle: &Made) -> String {
    match puzzle.winning.len().saturating_sub(1) {
        0 => String::new(),
        1 => "; one other first move wins too".to_string(),
        others => format!("; {others} other first moves win too"),
    }
}

/// The lines before the solutions.
fn preface(sheet: &Sheet<'_>) -> Vec<String> {
    std::iter::once(READING.to_string()).chain(sheet.proof.iter().cloned()).collect()
}

/// How to read the main line.
const READING: &str = "Numbered turns: yours, then the reply after the dash. You win as fast, and the opponent holds out as long as possible.";
