//! The page where a token is shown once, for a session.

use maud::html;

use crate::frame::{Frame, page};
use crate::view::Viewer;

/// The form; `wrong` says why the last try failed, `next` is where to go afterwards.
#[must_use]
pub fn login(viewer: &Viewer, wrong: Option<&str>, next: &str) -> String {
    let body = html! {
        h1 { "Log in" }
        p { "With the token of a client or operator: the value of " code { "client_token" } " in an access file." }
        @if let Some(wrong) = wrong { p.alert role="alert" { (wrong) } }
        form.stack method="post" action="/login" {
            input type="hidden" name="next" value=(next);
            label for="token" { "Token" }
            input id="token" name="token" type="password" autocomplete="current-password" required
                autofocus spellcheck="false";
            button type="submit" { "Log in" }
        }
        p.soft {
            "Make one with " code { "hasami access add NAME --role client" }
            ". The browser keeps a session and not the token; it ends with the coordinator, after twelve hours, or when the token is revoked."
        }
    };
    page(viewer, &Frame { title: "Log in", place: "", live: None }, body)
}
