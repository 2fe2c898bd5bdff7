//! A solution as KIF: the line first, then the mates after the defender's other replies (変化).

use std::fmt::Write as _;

use crate::moves::Move;
use crate::position::Position;
use crate::solution::Solution;
use crate::{drawing, japanese};

/// The record of a solution from a position. Each line ends with 詰み, also where futile
/// interpositions would be left.
#[must_use]
pub fn write(start: &Position, solution: &Solution) -> String {
    let mut text = String::from("# hasami\n");
    if solution.cut {
        let count = solution.variations.len();
        let _ = writeln!(text, "# 変化は最後の{count}のみ (only the last {count} variations)");
    }
    let _ = writeln!(text, "{}\n手数----指手---------消費時間--", drawing::diagram(start));
    moves(&mut text, start, &[], &solution.line);
    for (before, variation) in &solution.variations {
        let _ = writeln!(text, "\n変化：{}手", before + 1);
        moves(&mut text, start, &solution.line[..*before], variation);
    }
    text
}

/// The moves of a line after those before it, and that it ends in mate.
fn moves(text: &mut String, start: &Position, before: &[Move], line: &[Move]) {
    let mut position = before.iter().fold(*start, |position, &mv| position.play(mv));
    let mut last = before.last().map(|mv| mv.to());
    let mut number = before.len() + 1;
    for &mv in line {
        let _ = writeln!(text, "{number:>4} {}", japanese::spell(&position, mv, last));
        position = position.play(mv);
        (last, number) = (Some(mv.to()), number + 1);
    }
    let _ = writeln!(text, "{number:>4} 詰み");
}
