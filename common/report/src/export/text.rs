//! Text for terminals: aligned columns, matrices above, a summary below.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::statistics::statistics;
use crate::table::{Columns, Matrix, Table};

/// Cells are cut to this width; the other exports have them in full.
const MAX_WIDTH: usize = 72;
/// Most values shown with their counts, by frequency.
const MOST_VALUES: usize = 12;

/// The table for a terminal.
#[must_use]
pub fn text(table: &Table, columns: Columns) -> String {
    let mut text = String::new();
    for matrix in table.matrices() {
        if !matrix.caption.is_empty() {
            text.push_str(&matrix.caption);
            text.push('\n');
        }
        text.push_str(&aligned(&shortened(&grid(table, &matrix))));
        text.push('\n');
    }
    let mut lines = vec![table.head(columns)];
    lines.extend(table.rows().iter().map(|row| table.cells(row, columns)));
    text.push_str(&aligned(&shortened(&without_empty(&lines))));
    let counts: Vec<String> =
        table.counts().iter().map(|(word, count)| format!("{count} {word}")).collect();
    for one in statistics(table) {
        text.push('\n');
        text.push_str(&one.text(MOST_VALUES));
    }
    text + &format!("\n{} items: {}\n", table.rows().len(), counts.join(", "))
}

fn grid(table: &Table, matrix: &Matrix) -> Vec<Vec<String>> {
    let corner = matrix.names.join(" \\ ");
    let mut head = vec![corner.trim_matches([' ', '\\']).to_string()];
    head.extend(matrix.right.iter().cloned());
    let mut lines = vec![head];
    for (down, label) in matrix.down.iter().enumerate() {
        let mut line = vec![label.clone()];
        for right in 0..matrix.right.len() {
            let sign = match matrix.cells.get(&(down, right)) {
                Some(&row) => table.rows()[row].mark(),
                None if down == right => matrix.diagonal.get(down).map_or("", String::as_str),
                None => "",
            };
            line.push(sign.to_string());
        }
        lines.push(line);
    }
    lines
}

/// Removes empty columns.
fn without_empty(lines: &[Vec<String>]) -> Vec<Vec<String>> {
    let Some((head, rows)) = lines.split_first() else { return Vec::new() };
    let used: Vec<usize> =
        (0..head.len()).filter(|&at| rows.iter().any(|row| !row[at].is_empty())).collect();
    lines.iter().map(|line| used.iter().map(|&at| line[at].clone()).collect()).collect()
}

/// Aligns cells in columns as wide as their widest cell on a terminal.
#[must_use]
pub fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| lines.iter().filter_map(|line| line.get(at)).map(|cell| cell.width()).max())
        .map(|width| width.unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut out = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            out.push_str(cell);
            out.push_str(&" ".repeat(width - cell.width() + 2));
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
}

fn shortened(lines: &[Vec<String>]) -> Vec<Vec<String>> {
    lines.iter().map(|line| line.iter().map(|cell| cut(cell)).collect()).collect()
}

/// Makes a cell one line of limited width without terminal control sequences.
fn cut(cell: &str) -> String {
    let cell: String = cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if cell.width() <= MAX_WIDTH {
        return cell;
    }
    let mut width = 0;
    let fits = cell.chars().take_while(|c| {
        width += c.width().unwrap_or(0);
        width < MAX_WIDTH
    });
    fits.collect::<String>() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{pairs, small};

    #[test]
    fn columns_are_aligned_also_where_letters_are_wide() {
        let line = |cells: [&str; 2]| cells.map(str::to_string).to_vec();
        let text = aligned(&[line(["挟み", "a"]), line(["xyz", "b"]), line(["", "c"])]);
        assert_eq!(text, "挟み  a\nxyz   b\n      c\n");
        assert_eq!(cut("a\u{1b}[2J\nb"), "a [2J b");
        assert!(cut(&"挟".repeat(99)).width() <= MAX_WIDTH);
    }

    #[test]
    fn a_sweep_with_two_axes_is_a_matrix_first() {
        let text = text(&small(), Columns::Results);
        let expected = "rows \\ columns  1  2\n1               ✗  ✓\n2               !  ?\n\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("4 items: 1 disproven, 1 proven, 1 failed, 1 open\n"), "{text}");
    }

    #[test]
    fn pairs_are_the_upper_half_of_a_matrix() {
        let text = text(&pairs(), Columns::Results);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("        Square"), "{text}");
        assert!(lines[1].starts_with("Square  ") && lines[12].starts_with("ZZ "), "{text}");
        assert!(lines[2].starts_with("Z               "), "nothing below the diagonal: {text}");
        assert!(lines[1].contains('◎'), "{text}");
    }
}
