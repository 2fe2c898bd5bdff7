//! The real board: every stone that was played, wherever it lies, with its lines, names and
//! picture.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::board::{self, Cell, Piece};

/// Row and column; the window or board begins at (0, 0), rows go down.
pub type Place = (i32, i32);

/// Stones are drawn up to this far around the window; others are listed.
const MARGIN: i32 = 8;

/// Owner of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Moves first and wants to complete a line.
    Black,
    /// Moves second.
    White,
}

/// The stones on a board that may be a window on an infinite one.
#[derive(Clone, Debug)]
pub struct Board {
    /// Rows of the window.
    pub height: i32,
    /// Columns of the window.
    pub width: i32,
    stones: BTreeMap<Place, Side>,
    last: Option<Place>,
    /// Cells of completed lines.
    done: BTreeSet<Place>,
}

impl Board {
    /// An empty board.
    pub fn new(height: u8, width: u8) -> Self {
        Self {
            height: height.into(),
            width: width.into(),
            stones: BTreeMap::new(),
            last: None,
            done: BTreeSet::new(),
        }
    }

    /// The owner of the stone at `place`, if any.
    pub fn at(&self, place: Place) -> Option<Side> {
        self.stones.get(&place).copied()
    }

    /// Puts a stone on an empty cell.
    pub fn put(&mut self, place: Place, side: Side) {
        self.stones.insert(place, side);
        self.last = Some(place);
    }

    /// The stones of one side.
    pub fn stones(&self, side: Side) -> impl Iterator<Item = Place> + '_ {
        self.stones.iter().filter(move |(_, owner)| **owner == side).map(|(place, _)| *place)
    }

    /// Marks a completed line.
    pub fn mark(&mut self, line: &[Place]) {
        self.done = line.iter().copied().collect();
    }

    /// Whether a place lies in the window.
    pub fn inside(&self, (row, column): Place) -> bool {
        (0..self.height).contains(&row) && (0..self.width).contains(&column)
    }

    /// All places of the window.
    pub fn window(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.height).flat_map(|row| (0..self.width).map(move |column| (row, column)))
    }

    /// The cells of a target whose corner is at `corner`.
    pub fn line(target: &[(u8, u8)], corner: Place) -> Vec<Place> {
        let at =
            |&(row, column): &(u8, u8)| (corner.0 + i32::from(row), corner.1 + i32::from(column));
        target.iter().map(at).collect()
    }

    /// The name of a cell: a letter for the column and the number of the row. Beyond the letters,
    /// the numbers of column and row; a1 is 1,1.
    pub fn name(&self, (row, column): Place) -> String {
        match column {
            0..26 if self.inside((row, column)) => {
                format!("{}{}", char::from(b'a' + column as u8), row + 1)
            }
            _ => format!("{},{}", column + 1, row + 1),
        }
    }

    /// The cell with this name, on the board or not.
    pub fn named(text: &str) -> Option<Place> {
        if let Some((column, row)) = text.split_once(',') {
            let number = |text: &str| {
                let number = text.trim().parse::<i32>().ok()?;
                (-10_000..=10_000).contains(&number).then_some(number - 1)
            };
            return Some((number(row)?, number(column)?));
        }
        let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
        let row = text[1..].parse::<u8>().ok().filter(|&row| row > 0)?;
        Some((i32::from(row) - 1, i32::from(letter.to_ascii_lowercase() as u8 - b'a')))
    }

    /// Whether a stone is drawn where it lies.
    fn near(&self, (row, column): Place) -> bool {
        (-MARGIN..self.height + MARGIN).contains(&row)
            && (-MARGIN..self.width + MARGIN).contains(&column)
    }

    /// The rows and columns that are shown: the window, and the stones near it.
    fn frame(&self) -> (Range<i32>, Range<i32>) {
        let (mut top, mut left, mut bottom, mut right) = (0, 0, self.height, self.width);
        for &(row, column) in self.stones.keys().filter(|place| self.near(**place)) {
            (top, bottom) = (top.min(row), bottom.max(row + 1));
            (left, right) = (left.min(column), right.max(column + 1));
        }
        (top..bottom, left..right)
    }

    /// The name of a column in the head of a board.
    fn head(&self, column: i32) -> String {
        match column {
            0..26 if column < self.width => char::from(b'a' + column as u8).to_string(),
            _ => (column + 1).to_string(),
        }
    }

    /// The board as a picture, with its coordinates.
    pub fn svg(&self) -> String {
        let (rows, columns) = self.frame();
        let down: Vec<String> = rows.clone().map(|row| (row + 1).to_string()).collect();
        let right: Vec<String> = columns.clone().map(|column| self.head(column)).collect();
        board::grid(&right, &down, |row, column| {
            let place = (rows.start + row as i32, columns.start + column as i32);
            Cell {
                piece: match self.at(place) {
                    Some(Side::Black) => Piece::Black,
                    Some(Side::White) => Piece::White,
                    None if self.inside(place) => Piece::Empty,
                    None => Piece::Outside,
                },
                last: self.last == Some(place),
                done: self.done.contains(&place),
            }
        })
    }

    /// The board with its coordinates: `(X)` is the last stone, `[X]` a completed line.
    pub fn show(&self) -> String {
        let near = |place: &&Place| self.near(**place);
        let (rows, columns) = self.frame();
        let (top, bottom, left, right) = (rows.start, rows.end, columns.start, columns.end);
        let heads = (left..right).map(|column| match column {
            0..26 if column < self.width => format!(" {} ", self.head(column)),
            _ => format!("{:>2} ", self.head(column)),
        });
        let mut text = format!("    {}", heads.collect::<String>().trim_end());
        for row in top..bottom {
            let cells: String = (left..right).map(|column| self.sign((row, column))).collect();
            text.push_str(format!("\n{:>3} {cells}", row + 1).trim_end());
        }
        let far: Vec<String> = self
            .stones
            .keys()
            .filter(|place| !near(place))
            .map(|&place| self.name(place))
            .collect();
        if !far.is_empty() {
            text.push_str(&format!("\n    and O far away on {}", far.join("  ")));
        }
        text
    }

    fn sign(&self, place: Place) -> String {
        let stone = match self.at(place) {
            None if self.inside(place) => '.',
            None => ' ',
            Some(Side::Black) => 'X',
            Some(Side::White) => 'O',
        };
        match place {
            _ if self.done.contains(&place) => format!("[{stone}]"),
            _ if self.last == Some(place) => format!("({stone})"),
            _ => format!(" {stone} "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_go_together_inside_and_outside() {
        let board = Board::new(3, 4);
        for (name, place) in
            [("a1", (0, 0)), ("d3", (2, 3)), ("5,1", (0, 4)), ("0,-2", (-3, -1)), ("1,4", (3, 0))]
        {
            assert_eq!(board.name(place), name);
            assert_eq!(Board::named(name), Some(place));
        }
        assert_eq!(Board::named("E2"), Some((1, 4)));
        assert_eq!(Board::named(" 5 , 1 ".trim()), Some((0, 4)));
        for wrong in ["", "a", "a0", "1", "ä1", "1,", "1,x", "99999,1", "aa1", "a-1"] {
            assert_eq!(Board::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn stones_outside_the_window_stay_visible() {
        let mut board = Board::new(2, 2);
        board.put((0, 0), Side::Black);
        board.put((1, -2), Side::White);
        assert_eq!(board.show(), "    -1  0  a  b\n  1        X  .\n  2 (O)    .  .");
        board.put((0, 1), Side::Black);
        board.mark(&[(0, 0), (0, 1)]);
        board.put((50, 50), Side::White);
        let picture =
            "    -1  0  a  b\n  1       [X][X]\n  2  O     .  .\n    and O far away on 51,51";
        assert_eq!(board.show(), picture);
    }
}
