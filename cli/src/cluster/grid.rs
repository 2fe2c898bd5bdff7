//! Aligned tables for terminals.

use std::fmt::Write as _;

use console::measure_text_width as width;

/// Alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// Rows under headings; columns are as wide as needed.
pub struct Grid {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table with these headings; those that begin with `>` are right-aligned.
    pub fn new(headings: &[&str]) -> Self {
        let sides = headings
            .iter()
            .map(|text| if text.starts_with('>') { Side::Right } else { Side::Left });
        let words = headings.iter().map(|text| text.trim_start_matches('>').to_string());
        Self { sides: sides.collect(), rows: vec![words.collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table, without trailing spaces.
    pub fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.sides.len())
            .map(|at| self.rows.iter().filter_map(|row| row.get(at)).map(|c| width(c)).max())
            .map(Option::unwrap_or_default)
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, side), most) in row.iter().zip(&self.sides).zip(&widths) {
                let gap = " ".repeat(most.saturating_sub(width(cell)));
                let _ = match side {
                    Side::Left => write!(line, "{cell}{gap}  "),
                    Side::Right => write!(line, "{gap}{cell}  "),
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

/// Lines of a name and a value, with the values aligned.
pub fn facts(lines: &[(&str, String)]) -> String {
    let most = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in lines {
        let gap = " ".repeat(most - width(name));
        let value = value.replace('\n', &format!("\n    {}", " ".repeat(most)));
        let _ = writeln!(text, "  {name}{gap}  {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_headings() {
        let mut grid = Grid::new(&["NAME", ">ITEMS", "NOTE"]);
        grid.row(["挟み".to_string(), "1".to_string(), String::new()]);
        grid.row(["x".to_string(), "1,000,000".to_string(), "y".to_string()]);
        let expected = "\
NAME      ITEMS  NOTE
挟み          1
x     1,000,000  y
";
        assert_eq!(grid.text(), expected);
    }

    #[test]
    fn facts_have_their_values_in_one_column() {
        let lines = [("a", "1".to_string()), ("long", "2\n3".to_string())];
        assert_eq!(facts(&lines), "  a     1\n  long  2\n        3\n");
    }
}
