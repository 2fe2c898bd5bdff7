//! The latest log lines, kept for the page of a coordinator in this process.

use std::fmt::{self, Write as _};
use std::sync::OnceLock;

use hasami_coordinator::LogLines;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::words::now_ms;

/// Set when there is a page.
static LINES: OnceLock<LogLines> = OnceLock::new();

/// The lines for a page: from now on they are kept.
pub fn page_lines() -> LogLines {
    LINES.get_or_init(LogLines::default).clone()
}

/// Keeps what is logged.
pub struct Keep;

impl<S: Subscriber> Layer<S> for Keep {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let Some(lines) = LINES.get() else { return };
        let mut words = Words(String::new());
        event.record(&mut words);
        lines.push(now_ms(), event.metadata().level().as_str(), &words.0);
    }
}

/// The message and its fields in one line.
struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let space = if self.0.is_empty() { "" } else { " " };
        let _ = match field.name() {
            "message" => write!(self.0, "{space}{value:?}"),
            name => write!(self.0, "{space}{name}={value:?}"),
        };
    }
}
