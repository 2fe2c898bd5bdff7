//! Log lines on standard error: for people or as JSON, filtered by `RUST_LOG`.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;

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
    /// Form of the log lines on standard error
    #[arg(long, value_enum, default_value = "human", global = true, value_name = "FORM")]
    pub log_format: LogFormat,
}

/// Starts logging for the rest of the process.
pub fn start(options: &LogArgs) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    match options.log_format {
        LogFormat::Human => log.init(),
        LogFormat::Json => log.json().init(),
    }
}
