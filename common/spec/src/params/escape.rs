//! Escapes values in a spelling of `key=value` words: separators become `%XX`, as in URLs.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// Characters that could be mistaken for a separator or that a terminal may not show.
const SPECIAL: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'=');

/// Writes special and non-ASCII characters as `%XX`.
pub(super) fn escape(value: &str) -> String {
    utf8_percent_encode(value, SPECIAL).to_string()
}

/// Reverses [`escape`]; `None` if a `%` is not followed by two digits.
pub(super) fn unescape(value: &str) -> Option<String> {
    let digits =
        |rest: &str| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    if !value.split('%').skip(1).all(digits) {
        return None;
    }
    percent_decode_str(value).decode_utf8().ok().map(Cow::into_owned)
}
