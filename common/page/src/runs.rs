//! All runs, the latest first.

use std::sync::Arc;

use hasami_proto::v1::RunInfo;
use maud::{Markup, html};

use crate::bar::{bar, chip, counts, ended, over, told};
use crate::frame::{Frame, page};
use crate::view::Viewer;
use crate::words::{counted, duration, grouped, now_ms, percent, short, utc};

/// Runs on one page.
const PER_PAGE: usize = 50;

/// The table of runs: the part of the page that changes.
#[must_use]
pub fn runs_table(runs: &[Arc<RunInfo>], page: usize) -> Markup {
    let latest = runs.iter().rev().skip(page * PER_PAGE).take(PER_PAGE);
    html! {
        div id="runs" {
            @if runs.is_empty() {
                p { "No run yet. " a href="/submit" { "Submit a sweep" } ", or use " code { "hasami submit SWEEP" } "." }
            } @else {
                table.wide.cards {
                    thead {
                        tr {
                            th scope="col" { "Run" } th scope="col" { "State" }
                            th scope="col" { "Progress" } th.num scope="col" { "Done" }
                            th.num scope="col" { "Nodes" } th.num scope="col" { "Speed" }
                            th.num scope="col" { "Time" } th.num scope="col" { "Left" }
                        }
                    }
                    tbody { @for run in latest { (row(run)) } }
                }
            }
        }
    }
}

fn row(run: &RunInfo) -> Markup {
    let failed = counts(run).failed;
    html! {
        tr {
            th scope="row" { a href={ "/runs/" (run.run) } { (run.run) " " (run.name) } }
            td data-label="State" { (chip(run)) }
            td.progress data-label="Progress" {
                (bar(run))
                span.soft { (told(run)) }
                @if failed > 0 {
                    " " a.bad href={ "/runs/" (run.run) "?state=failed#items" } { "show failed" }
                }
            }
            td.num data-label="Done" { (percent(ended(run), run.items)) }
            td.num data-label="Nodes" { (short(run.nodes as f64)) }
            td.num data-label="Speed" {
                @if over(run) { "–" } @else { (short(run.nodes_per_second)) "/s" }
            }
            td.num data-label="Time" title={ "submitted " (utc(run.submitted_ms)) } {
                (duration(seconds(run)))
            }
            td.num data-label="Left" { (left(run).unwrap_or_else(|| "–".to_string())) }
        }
    }
}

/// Its duration, or its running time so far.
pub(crate) fn seconds(run: &RunInfo) -> f64 {
    let end = if run.finished_ms > 0 { run.finished_ms } else { now_ms() };
    end.saturating_sub(run.submitted_ms) as f64 / 1000.0
}

/// The estimated remaining time, if known.
pub(crate) fn left(run: &RunInfo) -> Option<String> {
    (!over(run) && run.eta >= 0.0 && run.eta.is_finite()).then(|| duration(run.eta))
}

/// The page of all runs; `page` from 0.
#[must_use]
pub fn home(viewer: &Viewer, runs: &[Arc<RunInfo>], page_no: usize) -> String {
    let pages = runs.len().div_ceil(PER_PAGE).max(1);
    let active = runs.iter().filter(|run| !over(run)).count();
    let body = html! {
        h1 { "Runs" }
        p.soft {
            (counted(runs.len() as u64, "run")) ", " (grouped(active as u64)) " not finished"
        }
        (runs_table(runs, page_no))
        @if pages > 1 {
            nav.pages aria-label="Pages" {
                @if page_no > 0 { a rel="prev" href={ "/?page=" (page_no) } { "← newer" } }
                span { "page " (page_no + 1) " of " (pages) }
                @if page_no + 1 < pages { a rel="next" href={ "/?page=" (page_no + 2) } { "older →" } }
            }
        }
    };
    let live = (page_no == 0).then(|| "/live/runs".to_string());
    page(viewer, &Frame { title: "Runs", place: "/", live }, body)
}
