//! A position as an SVG diagram, as books print it: files 9 to 1, ranks 一 to 九, both hands, the
//! second player's pieces upside down.

use std::fmt::Write as _;

use crate::hand::Hand;
use crate::japanese::{FILES, RANKS, number, sign};
use crate::kind::Kind;
use crate::position::Position;
use crate::side::Side;
use crate::square::Square;

const CELL: (u32, u32) = (40, 44);
/// The board's corner: beside it the second player's hand, above it the files.
const LEFT: u32 = 48;
const TOP: u32 = 30;
const WIDTH: u32 = LEFT + 9 * CELL.0 + 68;
const HEIGHT: u32 = TOP + 9 * CELL.1 + 14;
/// Fonts that have the characters, on the usual systems.
const FONTS: &str = "'Noto Serif CJK JP','Noto Serif JP','Hiragino Mincho ProN','Yu Mincho',serif";

/// The diagram; `last` is the square of the last move. `caption` is set below, a line each.
#[must_use]
pub fn diagram(position: &Position, last: Option<Square>, caption: &[String]) -> String {
    let height = HEIGHT + 22 * caption.len() as u32;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" font-family=\"{FONTS}\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    if let Some(square) = last {
        let (x, y) = corner(square);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"#ffe08a\"/>",
            CELL.0, CELL.1
        );
    }
    grid(&mut svg);
    for square in (0..81u8).filter_map(Square::new) {
        if let Some(piece) = position.piece_on(square) {
            let (x, y) = corner(square);
            let (x, y) = (x + CELL.0 / 2, y + CELL.1 / 2);
            let turn = if piece.side == Side::White {
                format!(" transform=\"rotate(180 {x} {y})\"")
            } else {
                String::new()
            };
            let red = if piece.kind.is_promoted() { " fill=\"#b00020\"" } else { "" };
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" font-size=\"30\"{red}{turn}>{}</text>",
                y + 11,
                sign(piece.kind)
            );
        }
    }
    held(&mut svg, position, Side::Black, WIDTH - 22, TOP + 16);
    held(&mut svg, position, Side::White, LEFT - 26, TOP + 16);
    for (line, words) in (0u32..).zip(caption) {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\">{}</text>",
            WIDTH / 2,
            HEIGHT + 14 + 22 * line,
            escaped(words)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The upper left corner of a square.
fn corner(square: Square) -> (u32, u32) {
    let column = 8 - u32::from(square.file());
    (LEFT + column * CELL.0, TOP + u32::from(square.rank()) * CELL.1)
}

fn grid(svg: &mut String) {
    let (right, bottom) = (LEFT + 9 * CELL.0, TOP + 9 * CELL.1);
    for line in 0..=9 {
        let width = if line % 9 == 0 { "2.5" } else { "1" };
        let (x, y) = (LEFT + line * CELL.0, TOP + line * CELL.1);
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {TOP}V{bottom}M{LEFT} {y}H{right}\" stroke=\"#000\" \
             stroke-width=\"{width}\" stroke-linecap=\"square\"/>"
        );
    }
    for at in 0..9u32 {
        let file = FILES[8 - at as usize];
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\">{file}</text>\
             <text x=\"{}\" y=\"{}\" font-size=\"15\">{}</text>",
            LEFT + at * CELL.0 + CELL.0 / 2,
            TOP - 9,
            right + 13,
            TOP + at * CELL.1 + CELL.1 / 2 + 6,
            RANKS[at as usize]
        );
    }
}

/// A hand, one character below the other. The second player's is read from the other side.
fn held(svg: &mut String, position: &Position, side: Side, x: u32, top: u32) {
    let mut signs = if side == Side::Black { "☗" } else { "☖" }.to_string();
    signs.push_str(&hand_words(position.hand(side)));
    let height = 9 * CELL.1;
    let turn = match side {
        Side::Black => String::new(),
        Side::White => format!(" transform=\"rotate(180 {x} {})\"", TOP + height / 2),
    };
    // A full hand has up to 20 characters: they move together until they fit.
    let count = signs.chars().count() as u32;
    let step = (height / count.max(1)).min(24);
    let size = step.saturating_sub(2).min(20);
    let _ = writeln!(svg, "<g font-size=\"{size}\"{turn}>");
    for (at, sign) in (0u32..).zip(signs.chars()) {
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{sign}</text>", top + at * step);
    }
    svg.push_str("</g>\n");
}

fn hand_words(hand: Hand) -> String {
    let kinds = Kind::HELD.into_iter().rev().filter(|&kind| hand.has(kind));
    let words = kinds.map(|kind| match hand.count(kind) {
        1 => sign(kind).to_string(),
        count => format!("{}{}", sign(kind), number(count)),
    });
    let words: String = words.collect();
    if words.is_empty() { "なし".to_string() } else { words }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
