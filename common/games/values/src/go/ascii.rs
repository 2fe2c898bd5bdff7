//! Boards as text: `X` and `O` immortal, `x` and `o` not, `.` empty, `#` outside.

use std::fmt;

use super::board::{Board, Cell, Colour, MAX_SIDE};

/// An error in the picture of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {found}; expected {expected}")]
pub struct BoardError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
    /// The text found.
    pub found: String,
    /// The text expected.
    pub expected: String,
}

const SIGNS: &str = "X, O (immortal), x, o (capturable), . (empty) or # (outside)";

impl Board {
    /// Parses a picture: one row per line, all of the same length. Spaces between points and empty
    /// lines before and after are ignored.
    ///
    /// # Errors
    /// If it is not a picture, or has a stone without a liberty.
    pub fn parse(text: &str) -> Result<Self, BoardError> {
        let lines: Vec<(usize, &str)> =
            text.lines().enumerate().map(|(at, line)| (at + 1, line)).collect();
        let blank = |line: &str| line.trim().is_empty();
        let first = lines.iter().position(|(_, line)| !blank(line)).unwrap_or(lines.len());
        let last = lines.iter().rposition(|(_, line)| !blank(line)).map_or(first, |at| at + 1);
        let mut board = Rows { columns: None, cells: Vec::new(), places: Vec::new(), rows: 0 };
        for &(line, row) in &lines[first..last] {
            board.row(line, row)?;
        }
        let Some(columns) = board.columns else {
            return Err(error(1, 1, "no board", format!("rows of {SIGNS}")));
        };
        let (places, board) = (board.places, Self::new(columns, board.cells));
        match board.choked() {
            None => Ok(board),
            Some(point) => Err(error(
                places[point].0,
                places[point].1,
                "a stone whose chain has no liberty",
                "chains with a liberty, or an immortal stone",
            )),
        }
    }
}

struct Rows {
    columns: Option<usize>,
    cells: Vec<Cell>,
    /// Line and column of each point.
    places: Vec<(usize, usize)>,
    rows: usize,
}

impl Rows {
    fn row(&mut self, line: usize, row: &str) -> Result<(), BoardError> {
        let (mut columns, mut end) = (0, 1);
        for (at, sign) in row.chars().enumerate() {
            if sign.is_whitespace() {
                continue;
            }
            let cell =
                cell(sign).ok_or_else(|| error(line, at + 1, &format!("{sign:?}"), SIGNS))?;
            self.cells.push(cell);
            self.places.push((line, at + 1));
            columns += 1;
            end = at + 2;
            if columns > MAX_SIDE {
                let expected = format!("the end of a row of at most {MAX_SIDE} points");
                return Err(error(line, at + 1, &format!("{sign:?}"), expected));
            }
        }
        let expected = *self.columns.get_or_insert(columns);
        if columns != expected {
            let found = format!("a row of {columns} points");
            // The first extra point, or the end of a row that is too short.
            let extra = self.places.len() - columns + expected;
            let place = self.places.get(extra).map_or(end, |place| place.1);
            return Err(error(line, place, &found, format!("{expected}, as in the rows before")));
        }
        self.rows += 1;
        if self.rows > MAX_SIDE {
            return Err(error(line, 1, "another row", format!("at most {MAX_SIDE} rows")));
        }
        Ok(())
    }
}

fn error(line: usize, column: usize, found: &str, expected: impl Into<String>) -> BoardError {
    BoardError { line, column, found: found.to_string(), expected: expected.into() }
}

fn cell(sign: char) -> Option<Cell> {
    Some(match sign {
        'X' => Cell::Wall(Colour::Black),
        'O' => Cell::Wall(Colour::White),
        'x' => Cell::Stone(Colour::Black),
        'o' => Cell::Stone(Colour::White),
        '.' => Cell::Empty,
        '#' => Cell::Outside,
        _ => return None,
    })
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, row) in self.cells().chunks(self.columns()).enumerate() {
            let line: String = row.iter().map(|&cell| sign(cell)).collect();
            write!(f, "{}{line}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

/// The sign of a point in pictures.
pub(super) fn sign(cell: Cell) -> char {
    match cell {
        Cell::Wall(Colour::Black) => 'X',
        Cell::Wall(Colour::White) => 'O',
        Cell::Stone(Colour::Black) => 'x',
        Cell::Stone(Colour::White) => 'o',
        Cell::Empty => '.',
        Cell::Outside => '#',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_have_a_place() {
        for (text, message) in [
            ("", "line 1, column 1: found no board"),
            ("XXX\nX?X", "line 2, column 2: found '?'"),
            ("XXX\nX.\nXXX", "line 2, column 3: found a row of 2 points; expected 3"),
            ("XXX\nX..X", "line 2, column 4: found a row of 4 points"),
            ("\nXO\nxO", "expected"),
            ("\nOO\nxO", "line 3, column 1: found a stone whose chain has no liberty"),
        ] {
            match Board::parse(text) {
                Err(error) => assert!(error.to_string().starts_with(message), "{error}"),
                // An immortal stone needs no liberty, nor does a chain joined to it.
                Ok(board) => assert_eq!((text, board.columns()), ("\nXO\nxO", 2)),
            }
        }
        assert!(Board::parse(&".".repeat(MAX_SIDE + 1)).is_err());
        assert!(Board::parse(&".\n".repeat(MAX_SIDE + 1)).is_err());
    }

    #[test]
    fn spaces_between_points_do_not_matter() {
        let spaced = Board::parse("\n  X X X X \n  o . . X\t\n\n").unwrap();
        assert_eq!(spaced.to_string(), "XXXX\no..X");
        for (text, place) in [
            ("X X\nX ? X", "line 2, column 3"),
            ("X X\nX . X", "line 2, column 5"),
            ("X X X\n X X", "line 2, column 5"),
            ("O O\n x O", "line 2, column 2"),
            ("X X\n\nX X", "line 2, column 1"),
        ] {
            let error = Board::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(place), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_shown_the_same(text in "([XOxo.#]{4}\n){1,5}") {
            if let Ok(board) = Board::parse(&text) {
                prop_assert_eq!(format!("{board}\n"), text);
            }
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[XOxo.#é\n \t]{0,60}") {
            let _ = Board::parse(&text);
        }
    }
}
