//! Numbers, durations and times as people read them: the same words as on the page.

pub use hasami_page::words::{counted, duration, now_ms, percent, short, utc};
