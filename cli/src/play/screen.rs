//! What is seen of a game while it is played: everything for people, nothing else for programs.

use std::io::{self, Write};

use crate::failure::Failure;
use crate::output::Output;

/// Where a game is shown.
#[derive(Clone, Copy)]
pub struct Screen {
    form: Output,
}

impl Screen {
    /// Shows games in this form.
    pub fn new(form: Output) -> Self {
        Self { form }
    }

    /// Prints for people, without a new line at the end.
    pub fn say(self, text: &str) -> Result<(), Failure> {
        if self.form != Output::Human {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        match write!(out, "{text}").and_then(|()| out.flush()) {
            // Whoever closed the pipe has seen enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::Failed(format!("standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Tells the user that something typed was of no use.
    pub fn complain(self, text: &str) -> Result<(), Failure> {
        if self.form != Output::Human {
            eprintln!("{text}");
        }
        self.say(&format!("{text}\n"))
    }

    /// The answer at the end, for programs.
    pub fn end(self, json: &serde_json::Value, quiet: &str) -> Result<(), Failure> {
        match self.form {
            Output::Human => Ok(()),
            form => crate::output::print(form, "", json, quiet),
        }
    }
}
