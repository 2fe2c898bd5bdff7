//! A report in one file: no outside hosts, light and dark, certificates linked by relative path.

use std::fmt::Write as _;

use super::grouped;
use super::plots::plots;
use super::statistics::statistics;
use crate::table::{Columns, Matrix, Row, Table};

/// Rows beyond this are left to the other exports: no browser is glad of more.
const MAX_ROWS: usize = 20_000;
/// Of the values that are counted, the most frequent ones.
const MOST_VALUES: usize = 40;
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// What a report needs beside the table.
#[derive(Clone, Debug)]
pub struct Report {
    /// Where the certificates are, seen from the page, like `certificates`.
    pub certificates: String,
    /// Which columns the list has.
    pub columns: Columns,
}

/// The table as a page.
#[must_use]
pub fn html(table: &Table, report: &Report) -> String {
    let matrices = table.matrices();
    let title = escape(&table.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>{title}</h1>\n"
    );
    page.push_str(&subtitle(table));
    page.push_str("</header>\n");
    page.push_str(&summary(table));
    if !matrices.is_empty() {
        let grids: String = matrices.iter().map(|matrix| grid(table, matrix)).collect();
        let _ = write!(page, "<section>\n{grids}{}</section>\n", legend(table));
    }
    page.push_str(&spread(table));
    page.push_str(&bars(table));
    page.push_str(&list(table, report));
    page.push_str(&verify(table, report));
    let _ = write!(page, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

fn subtitle(table: &Table) -> String {
    let mut text = format!(
        "<p class=\"sub\">sweep <code>{}</code> · problem <code>{}</code>",
        escape(&table.name),
        escape(table.spec.name)
    );
    for (name, value) in &table.fixed {
        let _ = write!(text, " · {} <code>{}</code>", escape(name), escape(value));
    }
    text + "</p>\n"
}

/// How many there are of each, as tiles and as a bar.
fn summary(table: &Table) -> String {
    let all = table.rows().len();
    let mut tiles = format!(
        "<div class=\"tile\"><b>{}</b><span>{}</span></div>\n",
        grouped(all as u64),
        if all == 1 { "item" } else { "items" }
    );
    let mut bar = String::new();
    for (word, count) in table.counts() {
        let of = |row: &&Row| row.field("class").unwrap_or_else(|| row.verdict()) == word;
        let tone = table.rows().iter().find(of).map_or("none", Row::tone);
        let _ = writeln!(
            tiles,
            "<div class=\"tile {tone}\"><b>{}</b><span>{}</span></div>",
            grouped(count as u64),
            escape(word)
        );
        let _ = write!(bar, "<i class=\"{tone}\" style=\"flex:{count}\"></i>");
    }
    format!(
        "<section>\n<div class=\"tiles\">\n{tiles}</div>\n<div class=\"bar\">{bar}</div>\n</section>\n"
    )
}

/// How temperatures are spread and how many different values there are, where answers are values.
fn spread(table: &Table) -> String {
    match plots(table) {
        none if none.is_empty() => none,
        pictures => format!("<section>\n<h2>Spread</h2>\n{pictures}</section>\n"),
    }
}

/// How often each value occurs, where answers are values.
fn bars(table: &Table) -> String {
    let pictures: String = statistics(table).iter().map(|one| one.svg(MOST_VALUES)).collect();
    match pictures.is_empty() {
        true => pictures,
        false => format!("<section>\n<h2>How often</h2>\n{pictures}</section>\n"),
    }
}

fn grid(table: &Table, matrix: &Matrix) -> String {
    let [down, right] = matrix.names.each_ref().map(|name| escape(name));
    let corner = if down.is_empty() { String::new() } else { format!("{down} ╲ {right}") };
    let caption = match matrix.caption.is_empty() {
        true => String::new(),
        false => format!("<caption>{}</caption>", escape(&matrix.caption)),
    };
    let head: String =
        matrix.right.iter().map(|label| format!("<th>{}</th>", escape(label))).collect();
    let mut text = format!(
        "<div class=\"scroll\"><table class=\"grid\">{caption}\n<tr><th>{corner}</th>{head}</tr>\n"
    );
    for (at, label) in matrix.down.iter().enumerate() {
        let _ = write!(text, "<tr><th>{}</th>", escape(label));
        for right in 0..matrix.right.len() {
            text.push_str(&match matrix.cells.get(&(at, right)) {
                Some(&row) => {
                    cell(&table.rows()[row], &format!("{label}, {}", matrix.right[right]))
                }
                None if at == right && !matrix.diagonal.is_empty() => {
                    format!("<td class=\"self\">{}</td>", escape(&matrix.diagonal[at]))
                }
                None => "<td class=\"void\"></td>".to_string(),
            });
        }
        text.push_str("</tr>\n");
    }
    text + "</table></div>\n"
}

fn cell(row: &Row, labels: &str) -> String {
    let claim = row.answer.as_ref().map_or(row.state.as_str(), |answer| &answer.claim);
    format!(
        "<td class=\"{}\" title=\"{}: {}\"><a href=\"#item-{}\">{}</a></td>",
        row.tone(),
        escape(labels),
        escape(claim),
        row.item,
        escape(row.mark())
    )
}

/// What the signs mean, for those that occur.
fn legend(table: &Table) -> String {
    let mut seen: Vec<(&str, &str, &str)> = Vec::new();
    for row in table.rows() {
        let word = row.field("class").unwrap_or_else(|| row.verdict());
        if !seen.iter().any(|(known, ..)| *known == word) {
            seen.push((word, row.tone(), row.mark()));
        }
    }
    let mut text = String::from("<p class=\"legend\">");
    for (word, tone, mark) in seen {
        // Of losers the sign says which pavings block them: no one sign stands for all.
        let (mark, word) = match word {
            "loser" => ("1 … 6", "loser: blocked by these pavings of Yakuwa et al.; L: by another"),
            "paving-winner" => (mark, "paving winner: no paving blocks it, no win found"),
            _ => (mark, word),
        };
        let _ =
            write!(text, "<span><i class=\"{tone}\">{}</i>{}</span> ", escape(mark), escape(word));
    }
    text + "</p>\n"
}

fn list(table: &Table, report: &Report) -> String {
    let head = table.head(report.columns);
    let names: String = head
        .iter()
        .map(|name| format!("<th><button type=\"button\">{}</button></th>", escape(name)))
        .collect();
    let mut text = format!(
        "<section>\n<p><input type=\"search\" id=\"filter\" placeholder=\"filter\" \
         aria-label=\"filter the rows\"></p>\n<div class=\"scroll\"><table id=\"list\">\n\
         <thead><tr>{names}</tr></thead>\n<tbody>\n"
    );
    for row in table.rows().iter().take(MAX_ROWS) {
        let _ = write!(text, "<tr id=\"item-{}\">", row.item);
        for (name, value) in head.iter().zip(table.cells(row, report.columns)) {
            text.push_str(&match name.as_str() {
                "certificates" => format!("<td class=\"files\">{}</td>", links(row, report)),
                "verdict" | "class" | "mark" => {
                    format!("<td><i class=\"{}\">{}</i></td>", row.tone(), escape(&value))
                }
                "claim" => format!("<td class=\"claim\">{}</td>", escape(&value)),
                _ => format!("<td>{}</td>", escape(&value)),
            });
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    if table.rows().len() > MAX_ROWS {
        let _ = writeln!(
            text,
            "<p>The first {} of {} items; the other exports have all.</p>",
            grouped(MAX_ROWS as u64),
            grouped(table.rows().len() as u64)
        );
    }
    text + "</section>\n"
}

fn links(row: &Row, report: &Report) -> String {
    let files = row.answer.iter().flat_map(|answer| &answer.certificates).map(|file| {
        let path = format!("{}/{}", report.certificates.trim_end_matches('/'), file.name);
        format!("<a href=\"{}\">{}</a>", address(&path), escape(&file.name))
    });
    files.collect::<Vec<_>>().join("<br>")
}

fn verify(table: &Table, report: &Report) -> String {
    let files = table.rows().iter().filter_map(|row| row.answer.as_ref());
    let mut files = files.flat_map(|answer| &answer.certificates);
    let Some(first) = files.next() else { return String::new() };
    let directory = escape(report.certificates.trim_end_matches('/'));
    format!(
        "<section>\n<h2>Checking it</h2>\n<p>Every verdict has a certificate that has been verified. \
         To check {} as a stranger would, with the rules alone:</p>\n\
         <pre>hasami verify {directory}/{}</pre>\n</section>\n",
        if files.next().is_some() { "any of the certificates" } else { "it" },
        escape(&first.name)
    )
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(sign),
        }
    }
    out
}

/// A relative path as an address: it stays a path whatever is in it.
fn address(path: &str) -> String {
    let mut out = String::with_capacity(path.len() + 2);
    // Something like `javascript:` is a path too, if it begins with a dot.
    if !path.starts_with(['.', '/']) {
        out.push_str("./");
    }
    for byte in path.bytes() {
        match byte.is_ascii_alphanumeric() || b"-_./+".contains(&byte) {
            true => out.push(char::from(byte)),
            false => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{pairs, small};

    fn page(table: &Table, columns: Columns) -> String {
        html(table, &Report { certificates: "certificates/".to_string(), columns })
    }

    #[test]
    fn the_page_needs_no_other_host() {
        for table in [small(), pairs()] {
            let page = page(&table, Columns::All);
            assert!(!page.contains("http") && !page.contains("//"), "an address");
        }
    }

    #[test]
    fn certificates_are_linked_and_the_command_is_shown() {
        let page = page(&small(), Columns::Results);
        assert!(page.contains("<a href=\"./certificates/chomp-00.cert\">chomp-00.cert</a>"));
        assert!(page.contains("<pre>hasami verify certificates/chomp-00.cert</pre>"));
        assert!(!page.contains("seconds") && !page.contains("the worker died"));
    }

    #[test]
    fn pairs_look_like_the_table_of_the_paper() {
        let page = page(&pairs(), Columns::Results);
        let grid =
            &page[page.find("class=\"grid\"").unwrap()..page.find("class=\"legend\"").unwrap()];
        assert_eq!(grid.matches("href=\"#item-").count(), 66);
        assert_eq!(grid.matches("class=\"self\"").count(), 12);
        assert_eq!(grid.matches("class=\"void\"").count(), 66);
        assert!(grid.contains(">◎</a>") && grid.contains("<th>ZZ</th>"));
    }

    #[test]
    fn no_cell_can_smuggle_markup_in() {
        let mut table = small();
        let evil = "<script>alert('x')</script>\"";
        table.title = evil.to_string();
        if let Some(answer) = table.rows[0].answer.as_mut() {
            answer.claim = evil.to_string();
            answer.certificates[0].name = "javascript:alert(1)\"".to_string();
        }
        let page = page(&table, Columns::All);
        assert!(!page.contains("<script>alert"));
        assert!(page.contains("./certificates/javascript%3Aalert%281%29%22"));
    }
}
