//! A sheet as one SVG drawing: the puzzles above, the solutions below a line.

use maud::{Markup, html};

use super::{Sheet, heading, preface, remark, solution};

/// Width of the sheet in the units of drawings.
const WIDTH: u32 = 800;
/// Space around puzzles.
const GAP: u32 = 24;
/// Height of a line of text.
const LINE: u32 = 18;
/// Number of characters that fit in a line.
const COLUMNS: usize = 112;

/// The sheet as an SVG file.
#[must_use]
pub fn svg(sheet: &Sheet<'_>) -> String {
    let mut body: Vec<Markup> = Vec::new();
    let mut y = GAP;
    put(&mut body, GAP, y, 20, sheet.title);
    for line in wrapped(sheet.rules) {
        y += LINE;
        put(&mut body, GAP, y, 12, &line);
    }
    for (mark, words) in sheet.legend {
        y += LINE;
        put(&mut body, GAP, y, 12, &format!("{}: {words}", mark.text));
    }
    y += GAP;
    let (mut x, mut lowest) = (GAP, y);
    for (at, puzzle) in sheet.puzzles.iter().enumerate() {
        let (width, height) = puzzle.drawing.size();
        let width = width.max(220);
        if x > GAP && x + width > WIDTH - GAP {
            (x, y) = (GAP, lowest + GAP);
        }
        put(&mut body, x, y + 12, 13, &heading(at + 1, puzzle));
        let place = format!("translate({x} {})", y + LINE);
        body.push(html! { g transform=(place) { (puzzle.drawing.svg()) } });
        let mut bottom = y + LINE + height;
        if let Some(remark) = remark(puzzle) {
            bottom += LINE;
            put(&mut body, x, bottom - 4, 11, &remark);
        }
        lowest = lowest.max(bottom);
        x += width + GAP;
    }
    y = lowest + GAP;
    let across = format!("M0 {y}H{WIDTH}");
    body.push(html! { path d=(across) stroke="#999" stroke-dasharray="4 4" {} });
    y += GAP;
    put(&mut body, GAP, y, 16, "Solutions");
    let solutions = sheet.puzzles.iter().enumerate().map(|(at, puzzle)| solution(at + 1, puzzle));
    for line in preface(sheet).into_iter().chain(solutions).flat_map(|l| wrapped(&l)) {
        y += LINE;
        put(&mut body, GAP, y, 12, &line);
    }
    let height = y + GAP;
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format_args!("0 0 {WIDTH} {height}"))
            width=(WIDTH) height=(height) font-family="sans-serif" {
            "\n"
            rect width=(WIDTH) height=(height) fill="#fff" {}
            @for part in body { "\n" (part) }
            "\n"
        }
        "\n"
    };
    picture.into_string()
}

fn put(body: &mut Vec<Markup>, x: u32, y: u32, size: u32, text: &str) {
    body.push(html! { text x=(x) y=(y) font-size=(size) { (text) } });
}

/// Wraps text between words.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + word.chars().count() < COLUMNS {
            line.push_str(&format!(" {word}"));
        } else {
            lines.push(format!("    {word}"));
        }
    }
    lines
}
