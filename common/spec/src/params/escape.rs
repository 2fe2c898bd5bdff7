//! Values within a spelling of `key=value` words: what could be mistaken for a separator becomes
//! `%XX`, as in web addresses.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// What could be mistaken for a separator, or what a terminal might not show.
const SPECIAL: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'=');

/// Special signs and all that is not ASCII as `%XX`.
pub(super) fn escape(value: &str) -> String {
    utf8_percent_encode(value, SPECIAL).to_string()
}

/// The value that [`escape`] wrote, or `None` for a `%` without two digits behind it.
pub(super) fn unescape(value: &str) -> Option<String> {
    let digits =
        |rest: &str| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    if !value.split('%').skip(1).all(digits) {
        return None;
    }
    percent_decode_str(value).decode_utf8().ok().map(Cow::into_owned)
}
