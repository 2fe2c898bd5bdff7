//! A sheet as plain text.

use super::{Sheet, heading, preface, remark, solution};

/// The sheet as text.
#[must_use]
pub fn text(sheet: &Sheet<'_>) -> String {
    let mut lines = vec![sheet.title.to_string(), String::new(), sheet.rules.to_string()];
    lines.extend(sheet.legend.iter().map(|(mark, words)| format!("{}: {words}", mark.text)));
    for (at, puzzle) in sheet.puzzles.iter().enumerate() {
        lines.push(String::new());
        lines.push(heading(at + 1, puzzle));
        lines.extend(puzzle.drawing.lines().into_iter().map(|line| format!("    {line}")));
        lines.extend(remark(puzzle).map(|remark| format!("    {remark}")));
    }
    // A form feed: printers start a new page there.
    lines.extend(["\u{c}Solutions".to_string(), String::new()]);
    lines.extend(preface(sheet));
    lines.push(String::new());
    lines.extend(sheet.puzzles.iter().enumerate().map(|(at, puzzle)| solution(at + 1, puzzle)));
    lines.push(String::new());
    lines.join("\n")
}
