//! Lines to the GUI.

use std::io::{self, Write};

use hasami_sweep::text;

use crate::leave;

/// Bytes of a message at most: it may quote what it is about.
const LONGEST: usize = 400;

/// Standard output, a whole line at a time.
#[derive(Clone, Copy)]
pub struct Out;

impl Out {
    /// Sends a line.
    pub fn line(self, line: &str) {
        let mut out = io::stdout().lock();
        let sent = out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n"));
        if sent.and_then(|()| out.flush()).is_err() {
            // Nobody listens any more.
            leave::leave(0);
        }
    }

    /// Tells the user something.
    pub fn tell(self, message: &str) {
        self.line(&format!("info string {}", text::line(message, LONGEST)));
    }

    /// Tells the user what is wrong.
    pub fn error(self, message: &str) {
        tracing::debug!("{message}");
        self.tell(&format!("error {message}"));
    }
}
