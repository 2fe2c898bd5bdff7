//! The page that says why there is no other.

use maud::html;

use crate::frame::{Frame, page};
use crate::view::Viewer;

/// A page about an error, with the way back.
#[must_use]
pub fn problem(viewer: &Viewer, title: &str, text: &str) -> String {
    let body = html! {
        h1 { (title) }
        @for line in text.lines() { p { (line) } }
        p { a href="/" { "All runs" } }
    };
    page(viewer, &Frame { title, place: "", live: None }, body)
}
