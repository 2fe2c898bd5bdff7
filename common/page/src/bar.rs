//! The counts of a run as a bar and as words.

use hasami_proto::v1::{Counts, RunInfo, RunState};
use maud::{Markup, html};

use crate::words::grouped;

/// The states of items in the order of the bar, with their counts.
pub(crate) fn parts(run: &RunInfo) -> [(&'static str, u64); 6] {
    let counts = counts(run);
    [
        ("settled", counts.settled),
        ("open", counts.open),
        ("failed", counts.failed),
        ("cancelled", counts.cancelled),
        ("running", counts.running),
        ("waiting", counts.waiting),
    ]
}

pub(crate) fn counts(run: &RunInfo) -> Counts {
    run.counts.unwrap_or_default()
}

/// Items that have ended.
pub(crate) fn ended(run: &RunInfo) -> u64 {
    let counts = counts(run);
    counts.settled + counts.open + counts.failed + counts.cancelled
}

/// Whether its state is final.
pub(crate) fn over(run: &RunInfo) -> bool {
    matches!(run.state(), RunState::Finished | RunState::Cancelled | RunState::Unreadable)
}

/// A word for the state of an item: nothing runs without a worker.
pub(crate) fn word(run: &RunInfo, state: &'static str) -> &'static str {
    if state == "running" && run.workers == 0 { "begun" } else { state }
}

/// A bar with a part for each state.
pub(crate) fn bar(run: &RunInfo) -> Markup {
    let all = run.items.max(1) as f64;
    let mut left = 0.0;
    let mut rects = Vec::new();
    for (state, count) in parts(run).into_iter().filter(|(_, count)| *count > 0) {
        let width = count as f64 / all * 1000.0;
        rects.push((state, left, width));
        left += width;
    }
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=(told(run)) {
            @for (state, left, width) in rects {
                rect class={ "s-" (state) } x=(format!("{left:.2}"))
                    width=(format!("{width:.2}")) height="10" {}
            }
        }
    }
}

/// `38 settled, 6 open`: counts of 0 are left out.
pub(crate) fn told(run: &RunInfo) -> String {
    let parts = parts(run).into_iter().filter(|(_, count)| *count > 0);
    let words: Vec<String> =
        parts.map(|(state, count)| format!("{} {}", grouped(count), word(run, state))).collect();
    if words.is_empty() { "no items".to_string() } else { words.join(", ") }
}

/// The state of a run as a coloured word.
pub(crate) fn chip(run: &RunInfo) -> Markup {
    let word = run.state().word();
    let failed = if counts(run).failed > 0 { " some failed" } else { "" };
    html! { span class={ "chip r-" (word) (failed) } { (word) } }
}
