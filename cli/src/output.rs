//! What a command prints on standard output: text for people, one JSON value, or just the word.

use std::io::{self, Write};

use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use hasami_sweep::text::shown;
use serde_json::Value;

use crate::failure::Failure;

/// The form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people.
    Human,
    /// One JSON value.
    Json,
    /// The bare answer.
    Quiet,
}

/// The option, which the root of the tree has for all commands.
#[derive(Clone, Copy, Debug, Args)]
pub struct OutputOption {
    /// Form of the answer: human, json or quiet
    #[arg(
        long,
        value_enum,
        default_value = "human",
        value_name = "FORM",
        global = true,
        hide_possible_values = true
    )]
    pub output: Output,
}

/// What a command reads of it. It adds no option of its own.
#[derive(Clone, Copy, Debug)]
pub struct OutputArgs {
    /// The form of the answer.
    pub output: Output,
}

impl FromArgMatches for OutputArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let output = matches.try_get_one::<Output>("output").ok().flatten();
        Ok(Self { output: output.copied().unwrap_or(Output::Human) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OutputArgs {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Prints one of the three forms.
pub fn print(output: Output, human: &str, json: &Value, quiet: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    // Names and texts may come from others: none of them moves the cursor.
    let written = match output {
        Output::Human => writeln!(out, "{}", shown(human.trim_end())),
        Output::Json => writeln!(out, "{}", shown(&json.to_string())),
        Output::Quiet if quiet.is_empty() => Ok(()),
        Output::Quiet => writeln!(out, "{}", shown(quiet)),
    };
    match written.and_then(|()| out.flush()) {
        // A reader that has closed the pipe has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// 1234567 as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes with a unit that fits.
pub fn bytes(number: u64) -> String {
    match number {
        0..1024 => format!("{number} B"),
        1024..1_048_576 => format!("{:.1} KiB", number as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", number as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", number as f64 / 1_073_741_824.0),
    }
}
