//! A table for papers: `longtable`, one line per item, with everything escaped.

use crate::table::{Columns, Table};

/// The table as LaTeX; it needs the package `longtable`.
#[must_use]
pub fn latex(table: &Table, columns: Columns) -> String {
    let head = table.head(columns);
    let rows: Vec<Vec<String>> = table.rows().iter().map(|row| table.cells(row, columns)).collect();
    // Claims repeat the other columns in words; empty columns are useless.
    let kept: Vec<usize> = (0..head.len())
        .filter(|&at| head[at] != "claim" && rows.iter().any(|row| !row[at].is_empty()))
        .collect();
    let line = |cells: &[String]| {
        let cells: Vec<String> = kept.iter().map(|&at| escaped(&cells[at])).collect();
        cells.join(" & ") + " \\\\\n"
    };
    let mut text = format!(
        "% \\usepackage{{longtable}}\n\\begin{{longtable}}{{{}}}\n\\caption{{{}}}\\\\\n\\hline\n{}\\hline\n\\endhead\n",
        "l".repeat(kept.len()),
        escaped(&table.title),
        line(&head)
    );
    for row in &rows {
        text.push_str(&line(row));
    }
    text + "\\hline\n\\end{longtable}\n"
}

fn escaped(cell: &str) -> String {
    let mut text = String::new();
    for sign in cell.chars() {
        match sign {
            '\\' => text.push_str("\\textbackslash{}"),
            '^' => text.push_str("\\textasciicircum{}"),
            '~' => text.push_str("\\textasciitilde{}"),
            '|' => text.push_str("\\textbar{}"),
            '<' => text.push_str("\\textless{}"),
            '>' => text.push_str("\\textgreater{}"),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => {
                text.push('\\');
                text.push(sign);
            }
            '\n' | '\r' | '\t' => text.push(' '),
            _ => text.push(sign),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::small;

    #[test]
    fn every_line_has_the_columns_of_the_head_and_nothing_breaks_out() {
        let text = latex(&small(), Columns::Results);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "\\begin{longtable}{llllllll}");
        assert_eq!(
            lines[4],
            "item & rows & columns & verdict & length & note & certificates & basis \\\\"
        );
        assert!(lines[7].starts_with("0 & 1 & 1 & disproven & 0 & "), "{text}");
        assert_eq!(
            text.lines().filter(|line| line.ends_with("\\\\") && line.contains('&')).count(),
            5
        );
        assert_eq!(escaped("{1|^2*}_&"), "\\{1\\textbar{}\\textasciicircum{}2*\\}\\_\\&");
    }
}
