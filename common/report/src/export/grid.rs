//! A matrix of answers as an HTML table, for reports and pages: pairs as the triangle of the paper.

use maud::{Markup, html};

use crate::table::{Matrix, Row, Table};

/// A matrix as a table; `link` is the address of an item.
#[must_use]
pub fn grid(table: &Table, matrix: &Matrix, link: &dyn Fn(&Row) -> String) -> Markup {
    let [down, right] = &matrix.names;
    html! {
        div.scroll {
            table.grid {
                @if !matrix.caption.is_empty() { caption { (matrix.caption) } }
                "\n"
                tr {
                    th { @if !down.is_empty() { (down) " ╲ " (right) } }
                    @for label in &matrix.right { th scope="col" { (label) } }
                }
                @for (at, label) in matrix.down.iter().enumerate() {
                    "\n"
                    tr {
                        th scope="row" { (label) }
                        @for (right, other) in matrix.right.iter().enumerate() {
                            @match matrix.cells.get(&(at, right)) {
                                Some(&row) => { (cell(&table.rows()[row], label, other, link)) }
                                None if at == right && !matrix.diagonal.is_empty() => {
                                    td.self { (matrix.diagonal[at]) }
                                }
                                None => { td.void {} }
                            }
                        }
                    }
                }
            }
        }
        "\n"
    }
}

fn cell(row: &Row, down: &str, right: &str, link: &dyn Fn(&Row) -> String) -> Markup {
    let claim = row.answer.as_ref().map_or(row.state.as_str(), |answer| &answer.claim);
    html! {
        td class=(row.tone()) title={ (down) ", " (right) ": " (claim) } {
            a href=(link(row)) { (row.mark()) }
        }
    }
}

/// Explains the signs that occur.
#[must_use]
pub fn legend(table: &Table) -> Markup {
    let mut seen: Vec<(&str, &str, &str)> = Vec::new();
    for row in table.rows() {
        let word = row.field("class").unwrap_or_else(|| row.verdict());
        if !seen.iter().any(|(known, ..)| *known == word) {
            seen.push((word, row.tone(), row.mark()));
        }
    }
    // The sign of a loser names the pavings that block it: no single sign stands for all.
    let explained = seen.into_iter().map(|(word, tone, mark)| match word {
        "loser" => {
            ("loser: blocked by these pavings of Yakuwa et al.; L: by another", tone, "1 … 6")
        }
        "paving-winner" => ("paving winner: no paving blocks it, no win found", tone, mark),
        _ => (word, tone, mark),
    });
    html! {
        p.legend {
            @for (word, tone, mark) in explained { span { i class=(tone) { (mark) } (word) } " " }
        }
    }
}
