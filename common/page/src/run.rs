//! One run: its progress, its items as what they are, its sweep.

use hasami_proto::v1::{RunInfo, RunState};
use hasami_report::Table;
use hasami_report::export::{grid, legend};
use maud::{Markup, html};

use crate::bar::{bar, chip, counts, ended, over, parts, told, word};
use crate::diagrams::diagrams;
use crate::frame::{Frame, form_key, page};
use crate::items::{Items, Order, address, table};
use crate::runs::{left, seconds};
use crate::search::{SearchView, searches};
use crate::view::Viewer;
use crate::words::{counted, duration, grouped, percent, short, utc};

/// How the items of a run are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The matrix if there is one, then the table.
    #[default]
    Table,
    /// A diagram for each item.
    Diagrams,
}

impl Shown {
    /// The name in addresses; empty for what is usual.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "",
            Self::Diagrams => "diagrams",
        }
    }
}

/// Everything on the page of a run.
pub struct RunPage<'a> {
    /// The run, with the text of its sweep.
    pub run: &'a RunInfo,
    /// The title of the sweep.
    pub title: &'a str,
    /// All items, where they form a matrix.
    pub matrix: Option<&'a Table>,
    /// The items of this page.
    pub items: Items<'a>,
    /// The pictures of these items, if they are shown as diagrams.
    pub drawn: Option<&'a [Option<String>]>,
    /// Whether items can be drawn.
    pub draws: bool,
    /// Searches that are split over workers.
    pub searches: &'a [SearchView],
}

/// The progress of a run: the part of its page that changes most.
#[must_use]
pub fn progress(run: &RunInfo, split: &[SearchView]) -> Markup {
    html! {
        div id="progress" {
            p.state { (chip(run)) " " (percent(ended(run), run.items)) " done, " (told(run)) }
            @if !run.note.is_empty() { p.alert role="alert" { (run.note) } }
            (bar(run))
            (tiles(run))
            (facts(run))
            (searches(split))
        }
    }
}

fn tiles(run: &RunInfo) -> Markup {
    let shown = parts(run).into_iter().filter(|(state, count)| *count > 0 || *state == "settled");
    html! {
        ul.tiles {
            @for (state, count) in shown {
                @let order = Order { state: state.to_string(), ..Order::default() };
                li class={ "s-" (state) } {
                    a href=(address(run.run, &order)) { b { (grouped(count)) } span { (word(run, state)) } }
                }
            }
            @if counts(run).reused > 0 {
                li { span { b { (grouped(counts(run).reused)) } span { "known before" } } }
            }
        }
    }
}

fn facts(run: &RunInfo) -> Markup {
    let mut facts = vec![
        ("submitted", utc(run.submitted_ms)),
        ("time", duration(seconds(run))),
        ("nodes", grouped(run.nodes)),
    ];
    if !over(run) {
        facts.push(("speed", format!("{} nodes/s", short(run.nodes_per_second))));
        facts.push(("workers", run.workers.to_string()));
        facts.extend(left(run).map(|left| ("left", format!("about {left}"))));
    } else if run.finished_ms > 0 {
        facts.push(("finished", utc(run.finished_ms)));
    }
    if run.store_hits > 0 {
        facts.push(("from the store", counted(run.store_hits, "record")));
    }
    if let Some(stage) = run.stage.as_ref().filter(|_| !over(run)) {
        let (place, of) = (stage.place, stage.of);
        let words = format!("{place} of {of}, {} of {} items", stage.ended, stage.items);
        facts.push(("stage", words));
    }
    if run.priority != 0 {
        facts.push(("priority", run.priority.to_string()));
    }
    html! {
        dl.facts { @for (name, value) in facts { div { dt { (name) } dd { (value) } } } }
    }
}

/// The matrix of a run, if its items form one.
#[must_use]
pub fn matrices(run: u64, all: &Table) -> Markup {
    let matrices = all.matrices();
    let link = |row: &hasami_report::Row| format!("/runs/{run}/items/{}", row.item);
    html! {
        div id="grid" {
            @if !matrices.is_empty() {
                @for matrix in &matrices { (grid(all, matrix, &link)) }
                (legend(all))
            }
        }
    }
}

/// The page of a run.
#[must_use]
pub fn run(viewer: &Viewer, shown: &RunPage<'_>) -> String {
    let run = shown.run;
    let title = format!("Run {}: {}", run.run, run.name);
    let body = html! {
        div.head {
            div {
                h1 { (title) }
                @if shown.title != run.name { p.sub { (shown.title) } }
            }
            (buttons(viewer, run))
        }
        (progress(run, shown.searches))
        @if let Some(all) = shown.matrix {
            section aria-label="Results" { h2 { "Results" } (matrices(run.run, all)) }
        }
        section id="items" aria-label="Items" {
            div.head {
                h2 { "Items" }
                @if shown.draws { (views(run.run, shown.items.order)) }
            }
            @match shown.drawn {
                Some(drawn) => { (diagrams(run, &shown.items, drawn)) }
                None => { (table(run, &shown.items)) }
            }
        }
        section aria-label="Sweep" {
            details { summary { "The sweep" } pre { (run.sweep) } }
            p { a href={ "/runs/" (run.run) "/report.html" } { "Report to print or keep" } }
        }
    };
    let live = (!over(run)).then(|| format!("/live/runs/{}", run.run));
    page(viewer, &Frame { title: &title, place: "/", live }, body)
}

fn views(run: u64, order: &Order) -> Markup {
    html! {
        nav.views aria-label="View" {
            @for (shown, name) in [(Shown::Table, "Table"), (Shown::Diagrams, "Diagrams")] {
                a href=(address(run, &Order { shown, page: 0, ..order.clone() }))
                    aria-current=[(order.shown == shown).then_some("true")] { (name) }
            }
        }
    }
}

/// What may be done with a run. Cancelling cannot be undone, so it asks.
fn buttons(viewer: &Viewer, run: &RunInfo) -> Markup {
    let Some(key) = viewer.form_key.as_deref().filter(|_| !over(run)) else {
        return html! {};
    };
    let to = |verb: &str| format!("/runs/{}/{verb}", run.run);
    html! {
        div.buttons {
            @if run.state() == RunState::Paused {
                form method="post" action=(to("resume")) { (form_key(key)) button type="submit" { "Resume" } }
            } @else {
                form method="post" action=(to("pause")) { (form_key(key)) button type="submit" { "Pause" } }
            }
            details.ask {
                summary { "Cancel …" }
                form method="post" action=(to("cancel")) {
                    (form_key(key))
                    p { "Items that have not ended will have no answer in this run." }
                    button.danger type="submit" { "Cancel the run" }
                }
            }
        }
    }
}
