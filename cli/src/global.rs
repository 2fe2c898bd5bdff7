//! Options of every command: the form of the answer, the log, the configuration file.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use crate::log::LogArgs;
use crate::output::{Output, OutputOption};

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct GlobalArgs {
    #[command(flatten)]
    pub output: OutputOption,
    /// Log more: -v details, -vv everything
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet", help_heading = "Log")]
    pub verbose: u8,
    /// Log errors only
    #[arg(short, long, global = true, help_heading = "Log")]
    pub quiet: bool,
    #[command(flatten)]
    pub log: LogArgs,
    /// Read options from this file [default: $XDG_CONFIG_HOME/hasami/config.toml and ./hasami.toml]
    #[arg(long, global = true, value_name = "FILE", env = "HASAMI_CONFIG", hide_env_values = true)]
    pub config: Option<PathBuf>,
    /// Check the arguments, do nothing
    #[arg(long, global = true, hide = true)]
    pub check_usage: bool,
}

impl GlobalArgs {
    /// The log level that the options ask for.
    pub fn level(&self) -> Option<&'static str> {
        match (self.quiet, self.verbose) {
            (true, _) => Some("error"),
            (_, 1) => Some("debug"),
            (_, 2..) => Some("trace"),
            _ if self.output.output == Output::Quiet => Some("warn"),
            _ => None,
        }
    }
}
