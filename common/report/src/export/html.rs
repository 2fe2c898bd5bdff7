//! A report in one file: no external hosts, light and dark, certificates linked by relative path.

use hasami_sweep::{Answer, Basis};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::grid::{grid, legend};
use super::grouped;
use super::plots::plots;
use super::statistics::statistics;
use super::trials::trials;
use crate::table::{Columns, Row, Table};

/// Most rows in a report: browsers cannot handle more. The other exports have them all.
const MAX_ROWS: usize = 20_000;
/// Most values shown with their counts, by frequency.
const MOST_VALUES: usize = 40;
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Settings of a report.
#[derive(Clone, Debug)]
pub struct Report {
    /// Path of the certificates relative to the page, like `certificates`.
    pub certificates: String,
    /// The columns of the list.
    pub columns: Columns,
}

/// The table as a page.
#[must_use]
pub fn html(table: &Table, report: &Report) -> String {
    let matrices = table.matrices();
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (table.title) }
                style { "\n" (PreEscaped(STYLE)) }
            }
            "\n"
            body {
                "\n"
                header { h1 { (table.title) } (subtitle(table)) }
                "\n"
                (summary(table))
                @if !matrices.is_empty() {
                    section {
                        @for matrix in &matrices { (grid(table, matrix, &|row| format!("#item-{}", row.item))) }
                        (legend(table))
                    }
                    "\n"
                }
                (spread(table))
                (bars(table))
                (section("Settings", trials(table, report.columns)))
                (list(table, report))
                (verify(table, report))
                script { "\n" (PreEscaped(SCRIPT)) }
                "\n"
            }
        }
        "\n"
    };
    page.into_string()
}

fn subtitle(table: &Table) -> Markup {
    html! {
        p.sub {
            "sweep " code { (table.name) } " · problem " code { (table.spec.name) }
            @for (name, value) in &table.fixed { " · " (name) " " code { (value) } }
        }
    }
}

/// The counts of each verdict, as tiles and as a bar.
fn summary(table: &Table) -> Markup {
    let all = table.rows().len();
    let counts: Vec<(&str, usize, &str)> = table
        .counts()
        .into_iter()
        .map(|(word, count)| {
            let of = |row: &&Row| row.field("class").unwrap_or_else(|| row.verdict()) == word;
            (word, count, table.rows().iter().find(of).map_or("none", Row::tone))
        })
        .collect();
    html! {
        section {
            "\n"
            div.tiles {
                div.tile {
                    b { (grouped(all as u64)) }
                    span { @if all == 1 { "item" } @else { "items" } }
                }
                @for (word, count, tone) in &counts {
                    "\n"
                    div class={ "tile " (tone) } {
                        b { (grouped(*count as u64)) } span { (word) }
                    }
                }
            }
            "\n"
            div.bar {
                @for (_, count, tone) in &counts { i class=(tone) style={ "flex:" (count) } {} }
            }
        }
        "\n"
    }
}

/// The distribution of temperatures and the number of different values, if answers are values.
fn spread(table: &Table) -> Markup {
    section("Spread", plots(table))
}

/// The count of each value, if answers are values.
fn bars(table: &Table) -> Markup {
    section("How often", html! { @for one in statistics(table) { (one.svg(MOST_VALUES)) } })
}

/// A section with pictures; empty without pictures.
fn section(title: &str, pictures: Markup) -> Markup {
    html! {
        @if !pictures.0.is_empty() {
            section { "\n" h2 { (title) } "\n" (pictures) }
            "\n"
        }
    }
}

fn list(table: &Table, report: &Report) -> Markup {
    let head = table.head(report.columns);
    html! {
        section {
            "\n"
            p { input type="search" id="filter" placeholder="filter" aria-label="filter the rows"; }
            "\n"
            div.scroll {
                table id="list" {
                    thead { tr { @for name in &head { th { button type="button" { (name) } } } } }
                    "\n"
                    tbody {
                        @for row in table.rows().iter().take(MAX_ROWS) {
                            "\n"
                            tr id={ "item-" (row.item) } {
                                @for (name, value) in
                                    head.iter().zip(table.cells(row, report.columns))
                                {
                                    (list_cell(row, report, name, &value))
                                }
                            }
                        }
                    }
                }
            }
            @if table.rows().len() > MAX_ROWS {
                "\n"
                p {
                    "The first " (grouped(MAX_ROWS as u64)) " of "
                    (grouped(table.rows().len() as u64)) " items; the other exports have all."
                }
            }
        }
        "\n"
    }
}

fn list_cell(row: &Row, report: &Report, name: &str, value: &str) -> Markup {
    html! {
        @match name {
            "certificates" => { td.files { (links(row, report)) } }
            "verdict" | "class" | "mark" => { td { i class=(row.tone()) { (value) } } }
            "claim" => { td.claim { (value) } }
            _ => { td { (value) } }
        }
    }
}

fn links(row: &Row, report: &Report) -> Markup {
    let files = row.answer.iter().flat_map(|answer| &answer.certificates);
    let directory = report.certificates.trim_end_matches('/');
    html! {
        @for (at, file) in files.enumerate() {
            @if at > 0 { br; }
            a href=(address(&format!("{directory}/{}", file.file_name()))) { (file.name) }
        }
    }
}

fn verify(table: &Table, report: &Report) -> Markup {
    let answers = || table.rows().iter().filter_map(|row| row.answer.as_ref());
    let mut files = answers().flat_map(|answer| &answer.certificates);
    let (first, several) = (files.next(), files.next().is_some());
    html! {
        @if answers().next().is_some() {
            section {
                h2 { "Checking it" }
                p { (basis(answers())) }
                @if let Some(first) = first {
                    p {
                        "To check "
                        @if several { "any of the certificates" } @else { "the certificate" }
                        " as a stranger would, with the rules alone:"
                    }
                    pre {
                        "hasami verify " (report.certificates.trim_end_matches('/')) "/"
                        (first.file_name())
                    }
                }
            }
            "\n"
        }
    }
}

/// What was done to check the answers, in a sentence for each kind.
fn basis<'a>(answers: impl Iterator<Item = &'a Answer>) -> String {
    let mut counts = [0; 4];
    for answer in answers.filter(|answer| answer.verdict.settled()) {
        counts[match answer.check.as_ref().map(|check| check.basis) {
            Some(Basis::Proved) => 0,
            Some(Basis::Recomputed) => 1,
            Some(Basis::Unproved) => 2,
            None => 3,
        }] += 1;
    }
    let kinds = [
        "proved by certificates that somebody other than the sender has verified",
        "computed again by somebody other than the sender",
        "the word of the worker that sent it: such answers have no certificate",
        "from before answers were checked: verify its certificate",
    ];
    let told = counts.iter().zip(kinds).filter(|(count, _)| **count > 0);
    let told: Vec<String> = told.map(|(count, kind)| format!("{count} {kind}")).collect();
    match told.is_empty() {
        true => "Nothing is settled yet.".to_string(),
        false => format!("Settled answers: {}.", told.join("; ")),
    }
}

/// All characters but these are written as `%XX` in a path.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'/').remove(b'+');

/// A relative path as a URL: it stays a path whatever it contains.
fn address(path: &str) -> String {
    // A text like `javascript:` becomes a path if it begins with a dot.
    let start = if path.starts_with(['.', '/']) { "" } else { "./" };
    format!("{start}{}", utf8_percent_encode(path, PATH))
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
        let file = format!("{}.cert", "07".repeat(32));
        assert!(page.contains(&format!("<a href=\"./certificates/{file}\">chomp-00.cert</a>")));
        assert!(page.contains(&format!("<pre>hasami verify certificates/{file}</pre>")));
        assert!(page.contains("Settled answers: 1 proved by certificates that somebody other"));
        assert!(page.contains("; 1 from before answers were checked"));
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
        assert!(grid.contains(">◎</a>") && grid.contains("<th scope=\"col\">ZZ</th>"));
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
        assert!(page.contains(">javascript:alert(1)&quot;</a>"), "a text, not an address");
    }
}
