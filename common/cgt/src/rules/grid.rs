//! Small boards of characters, for rulesets that are played on them.

use std::fmt;

/// Rows of characters, all of one length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    columns: usize,
    signs: Vec<u8>,
}

/// A syntax error in a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}, column {column}: found {found}; expected {expected}")]
pub struct GridError {
    /// Row, from 1.
    pub row: usize,
    /// Column, from 1.
    pub column: usize,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

/// Maximum number of cells.
const MOST: usize = 4096;

impl Grid {
    /// Parses rows of these characters, separated by `/` or line ends.
    pub fn parse(text: &str, signs: &str) -> Result<Self, GridError> {
        let wrong = |row: usize, column: usize, found: String, expected: String| {
            Err(GridError { row: row + 1, column: column + 1, found, expected })
        };
        let text = text.trim_end_matches(['\n', '\r']);
        let mut grid = Self { columns: 0, signs: Vec::new() };
        for (row, line) in text.split(['/', '\n']).enumerate() {
            let mut columns = 0;
            for (column, sign) in line.trim_end_matches('\r').chars().enumerate() {
                if !signs.contains(sign) {
                    let listed: Vec<String> = signs.chars().map(String::from).collect();
                    let expected = format!("one of {}", listed.join(" "));
                    return wrong(row, column, format!("{sign:?}"), expected);
                }
                grid.signs.push(sign as u8);
                columns += 1;
            }
            if row == 0 {
                grid.columns = columns;
            }
            if columns != grid.columns || columns == 0 {
                let expected = match grid.columns {
                    0 => "at least one place".to_string(),
                    same => format!("{same} places, as in the first row"),
                };
                return wrong(row, columns, format!("a row of {columns} places"), expected);
            }
            if grid.signs.len() > MOST {
                return wrong(row, 0, "more".to_string(), format!("at most {MOST} places"));
            }
        }
        Ok(grid)
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn at(&self, place: usize) -> u8 {
        self.signs[place]
    }

    /// All cells with this character.
    pub(crate) fn places(&self, sign: u8) -> impl Iterator<Item = usize> {
        self.signs.iter().enumerate().filter(move |(_, at)| **at == sign).map(|(place, _)| place)
    }

    /// The neighbours of a cell.
    pub(crate) fn near(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, all) = (self.columns, self.signs.len());
        let column = place % columns;
        [
            (place >= columns).then(|| place.wrapping_sub(columns)),
            (column > 0).then(|| place.wrapping_sub(1)),
            (column + 1 < columns).then_some(place + 1),
            (place + columns < all).then_some(place + columns),
        ]
        .into_iter()
        .flatten()
    }

    /// A copy with other characters in some cells.
    pub(crate) fn with(&self, changes: &[(usize, u8)]) -> Self {
        let mut grid = self.clone();
        for &(place, sign) in changes {
            grid.signs[place] = sign;
        }
        grid
    }

    /// Each row as its own board.
    pub(crate) fn rows(&self) -> Vec<Self> {
        let row = |signs: &[u8]| Self { columns: self.columns, signs: signs.to_vec() };
        self.signs.chunks(self.columns).map(row).collect()
    }

    /// The connected sets of cells with certain characters, each in a corner; `.` elsewhere.
    pub(crate) fn joined(&self, within: impl Fn(u8) -> bool) -> Vec<Self> {
        let mut seen = vec![false; self.signs.len()];
        let mut found = Vec::new();
        for start in 0..self.signs.len() {
            if seen[start] || !within(self.signs[start]) {
                continue;
            }
            seen[start] = true;
            let mut places = vec![start];
            let mut next = 0;
            while next < places.len() {
                for near in self.near(places[next]) {
                    if !seen[near] && within(self.signs[near]) {
                        seen[near] = true;
                        places.push(near);
                    }
                }
                next += 1;
            }
            found.push(self.cut(&places));
        }
        found
    }

    fn cut(&self, places: &[usize]) -> Self {
        let rows = places.iter().map(|place| place / self.columns);
        let columns = places.iter().map(|place| place % self.columns);
        let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        let (left, right) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        let width = right - left + 1;
        let mut signs = vec![b'.'; (bottom - top + 1) * width];
        for &place in places {
            let at = (place / self.columns - top) * width + place % self.columns - left;
            signs[at] = self.signs[place];
        }
        Self { columns: width, signs }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, row) in self.signs.chunks(self.columns).enumerate() {
            let row = String::from_utf8_lossy(row);
            write!(f, "{}{row}", if at == 0 { "" } else { "/" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_have_a_place() {
        let error = |text: &str| Grid::parse(text, "xo.").unwrap_err().to_string();
        assert_eq!(error("xo/x?"), "row 2, column 2: found '?'; expected one of x o .");
        assert!(error("xo/x").starts_with("row 2, column 2: found a row of 1 places; expected 2"));
        assert!(error("").contains("at least one place"));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[xo./\né]{0,40}") {
            if let Ok(grid) = Grid::parse(&text, "xo.") {
                let shown = grid.to_string();
                prop_assert_eq!(Grid::parse(&shown, "xo.").unwrap(), grid);
            }
        }
    }
}
