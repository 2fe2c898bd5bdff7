//! Boards as SVG, for pages and reports. Every drawing is black on white paper of its own, so that it
//! reads the same on a dark page and in print.

use std::fmt::Write as _;

/// The side of a cell.
const CELL: u32 = 34;
/// The margin, with room for coordinates.
const EDGE: u32 = 26;
/// Size of a line of plain text.
const LINE: u32 = 20;
const LETTER: u32 = 10;

/// What lies on a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Piece {
    /// Nothing.
    #[default]
    Empty,
    /// No cell of the board: nothing is drawn.
    Outside,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// A full square, as of a bar of chocolate.
    Square,
}

/// One cell of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What lies on it.
    pub piece: Piece,
    /// Whether the last move was here.
    pub last: bool,
    /// Whether it belongs to what decides the game.
    pub done: bool,
}

/// A rectangular board with names for its columns and rows.
#[must_use]
pub fn grid(columns: &[String], rows: &[String], at: impl Fn(usize, usize) -> Cell) -> String {
    let width = 2 * EDGE + CELL * columns.len() as u32;
    let height = 2 * EDGE + CELL * rows.len() as u32;
    let mut svg = open(width, height);
    for (row, name) in rows.iter().enumerate() {
        let y = EDGE + CELL * row as u32 + CELL / 2 + 5;
        let _ = write!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", EDGE / 2, escaped(name));
    }
    for (column, name) in columns.iter().enumerate() {
        let x = EDGE + CELL * column as u32 + CELL / 2;
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", EDGE - 9, escaped(name));
    }
    for row in 0..rows.len() {
        for column in 0..columns.len() {
            let (x, y) = (EDGE + CELL * column as u32, EDGE + CELL * row as u32);
            put(&mut svg, x, y, at(row, column));
        }
    }
    svg.push_str("</svg>");
    svg
}

fn put(svg: &mut String, x: u32, y: u32, cell: Cell) {
    if cell.piece == Piece::Outside {
        return;
    }
    let ground = match (cell.done, cell.last) {
        (true, _) => "#f6c945",
        (false, true) => "#ffe9b0",
        _ => "#fff",
    };
    let _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{ground}\" \
         stroke=\"#999\"/>"
    );
    let (cx, cy) = (x + CELL / 2, y + CELL / 2);
    let _ = match cell.piece {
        Piece::Black => write!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"13\" fill=\"#222\"/>"),
        Piece::White => write!(
            svg,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"12\" fill=\"#fff\" stroke=\"#222\" \
             stroke-width=\"2\"/>"
        ),
        Piece::Square => write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#8a5a3b\"/>",
            x + 3,
            y + 3,
            CELL - 6,
            CELL - 6
        ),
        Piece::Empty | Piece::Outside => Ok(()),
    };
    if cell.last && matches!(cell.piece, Piece::Black | Piece::White) {
        let _ = write!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\" fill=\"#d33\"/>");
    }
}

/// The text of a position as a picture. Lines of `#`, `.`, `X` and `O` alone become a board, others
/// stay text.
#[must_use]
pub fn of_text(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let signs = |line: &str| !line.is_empty() && line.chars().all(|sign| "#.XO".contains(sign));
    if !lines.is_empty() && lines.iter().all(|line| signs(line)) {
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let columns: Vec<String> = (1..=width).map(|number| number.to_string()).collect();
        let rows: Vec<String> = (1..=lines.len()).map(|number| number.to_string()).collect();
        return grid(&columns, &rows, |row, column| Cell {
            piece: match lines[row].chars().nth(column) {
                Some('#') => Piece::Square,
                Some('X') => Piece::Black,
                Some('O') => Piece::White,
                Some(_) => Piece::Empty,
                None => Piece::Outside,
            },
            ..Cell::default()
        });
    }
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as u32;
    let (width, height) = (longest * LETTER + 32, lines.len() as u32 * LINE + 28);
    let mut svg = open(width.max(120), height);
    svg.push_str("<g font-family=\"monospace\" font-size=\"16\" text-anchor=\"start\">");
    for (at, line) in lines.iter().enumerate() {
        let y = 14 + LINE * (at as u32 + 1) - 5;
        let _ =
            write!(svg, "<text x=\"16\" y=\"{y}\" xml:space=\"preserve\">{}</text>", escaped(line));
    }
    svg.push_str("</g></svg>");
    svg
}

fn open(width: u32, height: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"14\" \
         text-anchor=\"middle\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_a_board_and_words_stay_words() {
        let bar = of_text("###\n##");
        assert_eq!(bar.matches("#8a5a3b").count(), 5);
        assert_eq!(bar.matches("stroke=\"#999\"").count(), 5, "nothing where nothing is left");
        let words = of_text("first <player>\n 1 2");
        assert!(words.contains("first &lt;player&gt;") && words.contains("monospace"), "{words}");
    }

    #[test]
    fn the_last_stone_and_the_decisive_cells_are_marked() {
        let names = ["a".to_string(), "b".to_string()];
        let svg = grid(&names, &names, |row, column| Cell {
            piece: if row == column { Piece::Black } else { Piece::White },
            last: (row, column) == (0, 0),
            done: row == 1,
        });
        assert_eq!(svg.matches("#d33").count(), 1);
        assert_eq!(svg.matches("#f6c945").count(), 2);
        assert_eq!(svg.matches("r=\"13\"").count(), 2);
    }
}
