//! Items as diagrams: a collection of mates as a book prints it.

use hasami_proto::v1::RunInfo;
use hasami_report::Row;
use maud::{Markup, PreEscaped, html};

use crate::items::{Items, filter, pager, state};

/// One page of diagrams. `drawn` has the picture of each row, as far as there is one.
#[must_use]
pub fn diagrams(run: &RunInfo, items: &Items<'_>, drawn: &[Option<String>]) -> Markup {
    html! {
        (filter(run, items.order))
        ul.diagrams {
            @for (row, svg) in items.rows.iter().zip(drawn) { (diagram(run.run, row, svg.as_deref())) }
        }
        (pager(run.run, items))
    }
}

fn diagram(run: u64, row: &Row, svg: Option<&str>) -> Markup {
    let moves = row.field("moves_without_futile").or_else(|| row.field("moves"));
    html! {
        li {
            a href={ "/runs/" (run) "/items/" (row.item) } aria-label={ "Item " (row.item) ": " (row.verdict()) } {
                div.paper { @match svg { Some(svg) => (PreEscaped(svg)), None => span { (row.question.spelled()) } } }
            }
            p {
                b { (row.item) } " " (state(row))
                @if let Some(moves) = moves { " " span.soft { (moves) " moves" } }
            }
        }
    }
}
