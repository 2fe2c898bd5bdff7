//! Log lines: for people or as JSON, on standard error or in files that rotate, filtered by
//! `RUST_LOG`. Times are UTC.

mod page;
mod rotate;
mod writer;

use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use tracing::field::Field;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{Writer, debug_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::amounts::mebibytes;
use crate::failure::Failure;
use crate::output::grouped;
use crate::screen;
pub use page::page_lines;
use rotate::Rotating;
use writer::Lines;

/// The form of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Human,
    /// A JSON object a line.
    Json,
}

/// How to log.
#[derive(Clone, Debug, Args)]
pub struct LogArgs {
    /// Form of the log lines: human or json
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        default_value = "human",
        global = true,
        value_name = "FORM",
        help_heading = "Log"
    )]
    pub log_format: LogFormat,
    /// Log to this file instead of standard error
    #[arg(long, global = true, value_name = "FILE", help_heading = "Log")]
    pub log_file: Option<PathBuf>,
    /// Begin a new log file when it has grown to this size; the old one becomes FILE.1
    #[arg(long = "log-rotate", global = true, default_value = "64MiB", value_name = "SIZE", value_parser = mebibytes, help_heading = "Log")]
    pub log_rotate_mib: u64,
    /// Keep so many old log files
    #[arg(long, global = true, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000), help_heading = "Log")]
    pub log_keep: u16,
}

/// Lines still on their way are written when this is dropped.
pub struct Logging {
    /// Whether the lines go to a file.
    file: bool,
}

/// The log writer of this process, to be flushed at its end.
static LINES: OnceLock<Lines> = OnceLock::new();

/// Waits until queued lines are written, but not for long if they cannot be written.
pub fn finish() {
    if let Some(lines) = LINES.get() {
        lines.finish();
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        finish();
    }
}

impl Logging {
    /// Writes the error of a failed command to a log file; standard error gets it anyway.
    pub fn tell(&self, failure: &Failure) {
        if let Some(message) = failure.message().filter(|_| self.file) {
            tracing::error!(exit_code = failure.exit_code(), "ended: {message}");
        }
    }
}

/// Starts logging for the rest of the process. `asked` is the level that the options ask for,
/// `usual` the one where `RUST_LOG` does not say either.
pub fn start(options: &LogArgs, asked: Option<&str>, usual: &str) -> Result<Logging, Failure> {
    let filter = filter(asked, std::env::var("RUST_LOG").ok().as_deref(), usual)?;
    let format = options.log_format;
    let (lines, colours) = match &options.log_file {
        // `console` knows NO_COLOR, CLICOLOR and CLICOLOR_FORCE.
        None => (Lines::start(screen::Stderr, format), console::colors_enabled_stderr()),
        Some(path) => {
            let bytes = options.log_rotate_mib << 20;
            let file = Rotating::open(path, bytes, options.log_keep).map_err(|error| {
                Failure::Usage(format!(
                    "--log-file {}: {error}; expected a file that can be written",
                    path.display()
                ))
            })?;
            (Lines::start(file, format), false)
        }
    };
    let lines = LINES.get_or_init(|| lines).clone();
    begin(format, filter, colours, move || lines.clone());
    Ok(Logging { file: options.log_file.is_some() })
}

/// Options go before the environment, and that before what is usual.
fn filter(asked: Option<&str>, variable: Option<&str>, usual: &str) -> Result<EnvFilter, Failure> {
    let text = asked.or(variable.filter(|text| !text.is_empty())).unwrap_or(usual);
    EnvFilter::builder().parse(text).map_err(|error| {
        Failure::Usage(format!(
            "RUST_LOG={text}: {error}; expected a level like info, or directives like \
             hasami_worker=debug,warn"
        ))
    })
}

fn begin<W>(format: LogFormat, filter: EnvFilter, colours: bool, writer: W)
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(colours)
        .with_target(false);
    match format {
        LogFormat::Human => {
            log.fmt_fields(debug_fn(field).delimited(" ")).finish().with(page::Keep).init();
        }
        LogFormat::Json => log.json().finish().with(page::Keep).init(),
    }
}

/// A field for people: large numbers with commas, the message without its name.
fn field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    // One line each, whatever others have sent.
    let text = hasami_sweep::text::line(&format!("{value:?}"), usize::MAX);
    let text = match text.parse::<u64>() {
        Ok(number) if number >= 10_000 && !IDS.contains(&field.name()) => grouped(number),
        _ => text,
    };
    match field.name() {
        "message" => write!(writer, "{text}"),
        name => write!(writer, "{name}={text}"),
    }
}

/// Numbers that are names.
const IDS: [&str; 4] = ["pid", "run", "item", "worker"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_go_before_the_environment_and_a_wrong_one_is_an_error() {
        let of =
            |asked, variable| filter(asked, variable, "info").map(|filter| filter.to_string()).ok();
        assert_eq!(of(None, None).as_deref(), Some("info"));
        assert_eq!(of(None, Some("")).as_deref(), Some("info"));
        assert_eq!(of(None, Some("debug")).as_deref(), Some("debug"));
        assert_eq!(of(Some("error"), Some("debug")).as_deref(), Some("error"));
        assert_eq!(of(None, Some("hasami=loud")), None);
    }
}
