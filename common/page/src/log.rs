//! The latest log lines of the coordinator.

use maud::{Markup, html};

use crate::frame::{Frame, page};
use crate::view::Viewer;
use crate::words::{grouped, utc};

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Milliseconds since 1970.
    pub time_ms: u64,
    /// `ERROR`, `WARN`, `INFO` ….
    pub level: &'static str,
    /// The message and its fields.
    pub text: String,
}

/// Lines, the newest first.
#[must_use]
pub fn log_lines(lines: &[LogLine]) -> Markup {
    html! {
        div id="lines" {
            @if lines.is_empty() { p.soft { "No line fits." } }
            @else {
                ol.log {
                    @for line in lines {
                        li class={ "l-" (line.level) } {
                            time datetime=(utc(line.time_ms)) { (&utc(line.time_ms)[11..19]) }
                            b { (line.level) }
                            span { (line.text) }
                        }
                    }
                }
            }
        }
    }
}

/// The page of the log. It changes by itself unless it is filtered.
#[must_use]
pub fn log(viewer: &Viewer, lines: &[LogLine], kept: usize, text: &str, level: &str) -> String {
    let levels = [("", "all levels"), ("WARN", "warnings and errors"), ("ERROR", "errors")];
    let body = html! {
        h1 { "Log" }
        form.filter role="search" {
            label for="q" { "Words" }
            input id="q" name="q" type="search" value=(text);
            label for="level" { "Level" }
            select id="level" name="level" {
                @for (value, name) in levels {
                    option value=(value) selected[value == level] { (name) }
                }
            }
            button type="submit" { "Filter" }
        }
        p.soft {
            "Newest first, " (grouped(lines.len() as u64)) " of the latest " (grouped(kept as u64))
            " lines. The log itself has all of them."
        }
        (log_lines(lines))
    };
    let live = (text.is_empty() && level.is_empty()).then(|| "/live/log".to_string());
    page(viewer, &Frame { title: "Log", place: "/log", live }, body)
}
