//! Comma separated lines (RFC 4180, with plain line ends), a head line first.

use crate::table::{Columns, Table};

/// The table as comma separated lines.
#[must_use]
pub fn csv(table: &Table, columns: Columns) -> String {
    let mut text = line(&table.head(columns));
    for row in table.rows() {
        text.push_str(&line(&table.cells(row, columns)));
    }
    text
}

fn line(cells: &[String]) -> String {
    let quoted: Vec<String> = cells.iter().map(|cell| quote(cell)).collect();
    quoted.join(",") + "\n"
}

fn quote(cell: &str) -> String {
    let bare = !cell.contains([',', '"', '\n', '\r']) && cell.trim() == cell;
    match bare {
        true => cell.to_string(),
        false => format!("\"{}\"", cell.replace('"', "\"\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::small;

    #[test]
    fn what_would_break_a_line_is_quoted() {
        for (cell, quoted) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("a\rb", "\"a\rb\""),
            (" x", "\" x\""),
        ] {
            assert_eq!(quote(cell), quoted);
        }
    }

    #[test]
    fn every_line_has_a_cell_for_every_column() {
        let text = csv(&small(), Columns::Results);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "item,rows,columns,verdict,claim,length,note,certificates");
        assert_eq!(lines[1], "0,1,1,disproven,disproven,0,,chomp-00.cert");
        assert_eq!(lines[2], "1,1,2,proven,proven,1,\"a,b\",chomp-01.cert");
        assert_eq!(lines[3], "2,2,1,failed,,,,");
        assert_eq!(lines[4], "3,2,2,open,,,,");
        let all = csv(&small(), Columns::All);
        assert!(
            all.lines()
                .next()
                .unwrap()
                .ends_with("certificates,state,reused,attempts,nodes,seconds,store_hits,failure")
        );
        assert!(all.contains(",failed,no,3,0,0.000,0,the worker died"), "{all}");
    }
}
