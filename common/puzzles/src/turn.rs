//! The turns of a solution as a sheet prints them.

use crate::drawing::Mark;

/// What one side does when it is its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Whether it is the side that wins.
    pub wins: bool,
    /// Words, and pieces where they are drawn.
    pub marks: Vec<Mark>,
}

impl Turn {
    /// In words alone.
    #[must_use]
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.marks.iter().map(|mark| mark.text.as_str()).collect();
        words.join(" ")
    }

    /// The sides in turn, beginning with the one that wins.
    #[must_use]
    pub fn alternate(moves: impl Iterator<Item = Vec<Mark>>) -> Vec<Self> {
        moves.enumerate().map(|(at, marks)| Self { wins: at % 2 == 0, marks }).collect()
    }
}

/// The name of a cell: a letter for the column and the number of the row.
#[must_use]
pub fn cell_name(row: u32, column: u32) -> String {
    let letter = char::from(b'a' + u8::try_from(column.min(25)).unwrap_or(25));
    format!("{letter}{}", row + 1)
}

/// The names of the first columns.
#[must_use]
pub fn column_names(count: usize) -> Vec<String> {
    (0..count.min(26) as u8).map(|at| char::from(b'a' + at).to_string()).collect()
}
