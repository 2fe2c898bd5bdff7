//! Log lines: for people or as JSON, on standard error or in files that rotate, filtered by
//! `RUST_LOG`. Times are UTC.

mod rotate;
mod writer;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::failure::Failure;
use crate::screen;
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
    /// Form of the log lines
    #[arg(
        long,
        value_enum,
        default_value = "human",
        global = true,
        value_name = "FORM",
        help_heading = "Log"
    )]
    pub log_format: LogFormat,
    /// Log to this file instead of standard error
    #[arg(long, global = true, value_name = "FILE", help_heading = "Log")]
    pub log_file: Option<PathBuf>,
    /// Begin a new log file when it has grown to this; the old one becomes FILE.1
    #[arg(long, global = true, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576), help_heading = "Log")]
    pub log_rotate_mib: u32,
    /// Keep so many old log files
    #[arg(long, global = true, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000), help_heading = "Log")]
    pub log_keep: u16,
}

/// Lines still on their way are written when this is dropped.
pub struct Logging {
    /// Whether the lines go to a file.
    file: bool,
}

/// The lines of this process, for those who end it.
static LINES: OnceLock<Lines> = OnceLock::new();

/// Waits until the lines on their way are written; not for long, should nobody take them.
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
    /// Tells a log file how the command has failed; on standard error it is told anyway.
    pub fn tell(&self, failure: &Failure) {
        if let Some(message) = failure.message().filter(|_| self.file) {
            tracing::error!(exit_code = failure.exit_code(), "ended: {message}");
        }
    }
}

/// Starts logging for the rest of the process. `level` is what is logged where `RUST_LOG` does not
/// say.
pub fn start(options: &LogArgs, level: &str) -> Result<Logging, Failure> {
    let format = options.log_format;
    let (lines, colours) = match &options.log_file {
        None => (Lines::start(screen::Stderr, format), std::io::stderr().is_terminal()),
        Some(path) => {
            let bytes = u64::from(options.log_rotate_mib) << 20;
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
    begin(format, level, colours, move || lines.clone());
    Ok(Logging { file: options.log_file.is_some() })
}

fn begin<W>(format: LogFormat, level: &str, colours: bool, writer: W)
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(colours)
        .with_target(false);
    match format {
        LogFormat::Human => log.init(),
        LogFormat::Json => log.json().init(),
    }
}
