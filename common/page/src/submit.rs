//! The form for a new sweep, which is checked as it is typed.

use maud::{Markup, html};

use crate::frame::{Frame, form_key, page};
use crate::view::Viewer;
use crate::words::counted;

/// What was found in the text of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is a sweep: its name, problem, number of items and the first questions.
    Good {
        /// Its name.
        name: String,
        /// The game or job.
        problem: String,
        /// How many items it has.
        items: u64,
        /// The first questions.
        first: Vec<String>,
    },
    /// Why it is none, a line for each error.
    Bad(String),
    /// Nothing was typed yet.
    Empty,
}

/// The result of a check.
#[must_use]
pub fn check(found: &Check) -> Markup {
    html! {
        div id="check" role="status" {
            @match found {
                Check::Empty => { p.soft { "The sweep is checked as you type." } }
                Check::Bad(errors) => { pre.alert { (errors) } }
                Check::Good { name, problem, items, first } => {
                    p.good { "✓ " b { (name) } ": " (counted(*items, "item")) " of " code { (problem) } }
                    ul.soft { @for question in first { li { code { (question) } } } }
                }
            }
        }
    }
}

/// The page: `text` is what the form holds, `builtin` the sweeps that come with the program.
#[must_use]
pub fn submit(viewer: &Viewer, text: &str, found: &Check, builtin: &[(&str, &str)]) -> String {
    let body = html! {
        h1 { "Submit a sweep" }
        @match &viewer.form_key {
            None => {
                p {
                    "This needs the token of a client: "
                    a href="/login?next=/submit" { "log in" } "."
                }
            }
            Some(key) => {
                form.stack id="submit" method="post" action="/submit" {
                    (form_key(key))
                    label for="sweep" { "Sweep file (TOML)" }
                    textarea id="sweep" name="sweep" rows="16" spellcheck="false" required
                        aria-describedby="check" { (text) }
                    (check(found))
                    label.inline {
                        input type="checkbox" name="force" value="yes";
                        " compute everything, also what is known"
                    }
                    div.row {
                        button type="submit" { "Submit" }
                        button.plain type="submit" formaction="/submit/check" { "Check" }
                    }
                }
            }
        }
        h2 { "Sweeps that come with the program" }
        ul.columns {
            @for (name, about) in builtin {
                li { a href={ "/submit?builtin=" (name) } { (name) } " " span.soft { (about) } }
            }
        }
    };
    page(viewer, &Frame { title: "Submit", place: "/submit", live: None }, body)
}
