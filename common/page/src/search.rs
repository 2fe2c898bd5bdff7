//! A search that is split over workers: the path of the one that leads, and where the others are.

use maud::{Markup, html};

use crate::words::{duration, grouped, short};

/// One split search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchView {
    /// The item.
    pub run: u64,
    /// Its number in the run.
    pub item: u32,
    /// What is asked.
    pub question: String,
    /// The name of the partitioner.
    pub kind: String,
    /// Proof and disproof number of the root.
    pub root: (u32, u32),
    /// Nodes so far.
    pub nodes: u64,
    /// States that the coordinator keeps of the search.
    pub kept: usize,
    /// The path of the leader, from the root down.
    pub path: Vec<PathStep>,
    /// Who searches what.
    pub searchers: Vec<Searcher>,
}

/// One state on the path of the leader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathStep {
    /// Whether the side that wants a proof is to move.
    pub or: bool,
    /// Moves that are not settled yet.
    pub open: u32,
    /// Proof and disproof number.
    pub numbers: (u32, u32),
    /// Units of other workers on this state.
    pub helpers: Vec<u32>,
}

/// A worker's part of a split search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Searcher {
    /// The number of the unit.
    pub unit: u32,
    /// `leader`, `slave`, `seed` or `leaf`.
    pub part: String,
    /// The worker, if one has it.
    pub worker: String,
    /// The depth of its state on the path, if it is there.
    pub depth: Option<usize>,
    /// Nodes so far.
    pub nodes: u64,
    /// Seconds since it was handed out.
    pub seconds: f64,
}

/// Steps of a path that are drawn; the rest is counted.
const DRAWN: usize = 40;
/// Searchers that are listed.
const LISTED: usize = 100;

/// The split searches of a run; empty if there are none.
#[must_use]
pub fn searches(views: &[SearchView]) -> Markup {
    html! {
        @for view in views {
            section.search aria-label={ "Split search of item " (view.item) } {
                h2 {
                    "Search split by " code { (view.kind) } ": "
                    a href={ "/runs/" (view.run) "/items/" (view.item) } { (view.question) }
                }
                p.soft {
                    "root " (number(view.root.0)) " / " (number(view.root.1)) " (proof / disproof number), "
                    (grouped(view.nodes)) " nodes"
                    @if view.kept > 0 { ", " (grouped(view.kept as u64)) " states kept here" }
                }
                @if !view.path.is_empty() { (path(view)) }
                (searchers(view))
            }
        }
    }
}

/// The path as a row of states: squares want a proof, circles a disproof.
fn path(view: &SearchView) -> Markup {
    let drawn = view.path.len().min(DRAWN);
    let width = 40 + 44 * drawn as u32;
    let about = format!(
        "The leader is {} moves below the root. Squares are OR states, circles AND states; \
         filled ones are searched by another worker.",
        view.path.len().saturating_sub(1)
    );
    html! {
        p.soft { (about) }
        div.scroll tabindex="0" role="region" aria-label="Path of the leader" {
            svg.path viewBox=(format!("0 0 {width} 74")) width=(width) height="74" role="img" aria-label=(about) {
                @for (at, step) in view.path.iter().take(DRAWN).enumerate() {
                    @let x = 24 + 44 * at as u32;
                    @if at > 0 { path d=(format!("M{} 30H{}", x - 32, x - 12)) {} }
                    g class=(if step.helpers.is_empty() { "free" } else { "taken" }) {
                        @if step.or { rect x=(x - 11) y="19" width="22" height="22" rx="3" {} }
                        @else { circle cx=(x) cy="30" r="12" {} }
                        title {
                            (if step.or { "OR" } else { "AND" }) " state at depth " (at) ", "
                            (step.open) " moves open, numbers " (number(step.numbers.0)) "/" (number(step.numbers.1))
                        }
                        text x=(x) y="34" { (step.open) }
                    }
                    @if let Some(first) = step.helpers.first() {
                        text.unit x=(x) y="60" {
                            "#" (first) @if step.helpers.len() > 1 { "+" (step.helpers.len() - 1) }
                        }
                    }
                }
            }
        }
        @if view.path.len() > DRAWN { p.soft { "and " (view.path.len() - DRAWN) " more below" } }
    }
}

fn searchers(view: &SearchView) -> Markup {
    html! {
        table.wide.cards {
            thead {
                tr {
                    th scope="col" { "Unit" } th scope="col" { "Part" } th scope="col" { "Worker" }
                    th scope="col" { "Where" } th.num scope="col" { "Nodes" } th.num scope="col" { "Time" }
                }
            }
            tbody {
                @for one in view.searchers.iter().take(LISTED) {
                    tr {
                        th scope="row" { "#" (one.unit) }
                        td data-label="Part" { (one.part) }
                        td data-label="Worker" { (one.worker) }
                        td data-label="Where" {
                            @match one.depth {
                                Some(0) => "the root",
                                Some(depth) => { "depth " (depth) " of the path" }
                                None => "beside the path",
                            }
                        }
                        td.num data-label="Nodes" { (short(one.nodes as f64)) }
                        td.num data-label="Time" { (duration(one.seconds)) }
                    }
                }
            }
        }
        @if view.searchers.len() > LISTED {
            p.soft { "and " (view.searchers.len() - LISTED) " more" }
        }
    }
}

/// Numbers beyond what can be told apart count as infinite.
fn number(number: u32) -> String {
    if number >= u32::MAX / 4 { "∞".to_string() } else { grouped(u64::from(number)) }
}
