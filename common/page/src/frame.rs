//! The frame of every page: head, navigation, landmarks.

use maud::{DOCTYPE, Markup, html};

use crate::view::Viewer;

/// The style sheet of all pages and reports.
pub const STYLE: &str = include_str!("style.css");
/// The script of all pages. They work without it.
pub const SCRIPT: &str = include_str!("page.js");

/// A name that changes with the assets, so that browsers may keep them for ever.
#[must_use]
pub fn etag() -> String {
    let hash = STYLE.bytes().chain(SCRIPT.bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// The places of the navigation.
const PLACES: [(&str, &str); 4] =
    [("/", "Runs"), ("/workers", "Workers"), ("/log", "Log"), ("/submit", "Submit")];

/// What a page is besides its contents.
pub(crate) struct Frame<'a> {
    /// In the title bar of the browser.
    pub title: &'a str,
    /// The place of the navigation that it belongs to.
    pub place: &'a str,
    /// The stream of its changes, if it changes by itself.
    pub live: Option<String>,
}

/// A whole page.
pub(crate) fn page(viewer: &Viewer, frame: &Frame<'_>, body: Markup) -> String {
    let version = etag();
    let whole = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="same-origin";
                title { (frame.title) " · hasami" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href={ "/assets/" (version) "/style.css" };
                script defer src={ "/assets/" (version) "/page.js" } {}
                @if frame.live.is_some() {
                    noscript { meta http-equiv="refresh" content="5"; }
                }
            }
            body data-live=[frame.live.as_deref()] {
                a.skip href="#main" { "Skip to the contents" }
                header.top {
                    a.brand href="/" aria-label="hasami: all runs" { "挟 " b { "hasami" } }
                    nav aria-label="Main" {
                        @for (address, name) in PLACES {
                            a href=(address) aria-current=[(address == frame.place).then_some("page")] {
                                (name)
                            }
                        }
                    }
                    (who(viewer))
                }
                main id="main" tabindex="-1" { (body) }
                footer.foot {
                    span id="beat" role="status" {}
                    span { "hasami " (env!("CARGO_PKG_VERSION")) }
                }
            }
        }
    };
    whole.into_string()
}

fn who(viewer: &Viewer) -> Markup {
    html! {
        div.who {
            @match (&viewer.name, &viewer.form_key) {
                (Some(name), Some(key)) => {
                    form method="post" action="/logout" {
                        (form_key(key))
                        span { (name) " " }
                        button.plain type="submit" { "Log out" }
                    }
                }
                _ if viewer.may_log_in => { a href="/login" { "Log in" } }
                _ => {}
            }
        }
    }
}

/// The hidden field of every form.
pub(crate) fn form_key(key: &str) -> Markup {
    html! { input type="hidden" name="key" value=(key); }
}
