//! Comma separated lines (RFC 4180, with LF line ends), header first.

use std::borrow::Cow;

use hasami_sweep::text::is_shown;

use crate::table::{Columns, Table};

/// The table as comma separated lines.
#[must_use]
pub fn csv(table: &Table, columns: Columns) -> String {
    let rows = table.rows().iter().map(|row| table.cells(row, columns));
    csv_lines(std::iter::once(table.head(columns)).chain(rows))
}

/// Arbitrary cells as comma separated lines.
#[must_use]
pub fn csv_lines<Line: IntoIterator<Item = String>>(
    lines: impl IntoIterator<Item = Line>,
) -> String {
    let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for line in lines {
        let cells = line.into_iter().map(|cell| harmless(&cell).into_owned());
        writer.write_record(cells).expect("a record written to memory");
    }
    let bytes = writer.into_inner().expect("records flushed to memory");
    String::from_utf8(bytes).expect("lines of texts are text")
}

/// Escapes a cell that a spreadsheet would take for a formula or a terminal for a control sequence.
/// Values of games begin with a sign too, so `+` and `-` count only where a formula could call or
/// link to something.
fn harmless(cell: &str) -> Cow<'_, str> {
    let formula = match cell.trim_start().chars().next() {
        Some('=' | '@') => true,
        Some('+' | '-') => cell.contains(['(', '!']),
        _ => cell.starts_with(['\t', '\r']),
    };
    let unsafe_sign = |sign: char| !is_shown(sign) && sign != '\n';
    if !formula && !cell.contains(unsafe_sign) {
        return Cow::Borrowed(cell);
    }
    let text = cell.replace(unsafe_sign, " ");
    Cow::Owned(if formula { format!("'{text}") } else { text })
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
        ] {
            let line = csv_lines([[cell.to_string(), "x".to_string()]]);
            assert_eq!(line, format!("{quoted},x\n"));
        }
    }

    #[test]
    fn no_cell_is_a_formula_or_a_command_of_a_terminal() {
        for (cell, shown) in [
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            (" =1", "' =1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"),
            ("+SUM(A1)", "'+SUM(A1)"),
            ("\t=1", "' =1"),
            ("a\u{1b}[2J\rb", "a [2J b"),
            // Values of games are unchanged.
            ("-1/2", "-1/2"),
            ("+_2", "+_2"),
            ("-{2|0}*", "-{2|0}*"),
        ] {
            assert_eq!(harmless(cell), shown);
        }
    }

    #[test]
    fn every_line_has_a_cell_for_every_column() {
        let text = csv(&small(), Columns::Results);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "item,rows,columns,verdict,claim,length,note,certificates,basis");
        assert_eq!(lines[1], "0,1,1,disproven,disproven,0,,chomp-00.cert,proved");
        assert_eq!(lines[2], "1,1,2,proven,proven,1,\"a,b\",chomp-01.cert,");
        assert_eq!(lines[3], "2,2,1,failed,,,,,");
        assert_eq!(lines[4], "3,2,2,open,,,,,");
        let all = csv(&small(), Columns::All);
        assert!(
            all.lines()
                .next()
                .unwrap()
                .ends_with("store_hits,failure,sender,checked_by,unproved,files")
        );
        assert!(all.contains("worker 1,the coordinator,nodes length,0707"), "{all}");
        assert!(all.contains(",failed,no,3,0,0.000,0,the worker died"), "{all}");
    }
}
