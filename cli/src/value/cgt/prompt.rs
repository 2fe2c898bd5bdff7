//! The prompt: a line, an answer. At a terminal lines can be edited and are remembered; from a pipe
//! they are just read.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use hasami_cgt::notation::Session;
use hasami_cgt::{Games, ParseError, draw};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use serde_json::Value as Json;

use super::{Facts, help, mark, report};
use crate::failure::Failure;
use crate::files::xdg;
use crate::output::{self, Output};

/// Answers lines until they end.
pub fn run(games: &mut Games, session: &mut Session, output: Output) -> Result<(), Failure> {
    let mut prompt = Prompt { games, session, output, number: 0, errors: 0 };
    if std::io::stdin().is_terminal() {
        return prompt.edited();
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Usage(format!("standard input: {error}")))?;
        prompt.number += 1;
        if !prompt.line(&line)? {
            break;
        }
    }
    match prompt.errors {
        0 => Ok(()),
        1 => Err(Failure::Usage("one line had no answer".to_string())),
        errors => Err(Failure::Usage(format!("{errors} lines had no answer"))),
    }
}

struct Prompt<'a> {
    games: &'a mut Games,
    session: &'a mut Session,
    output: Output,
    /// Lines read from a pipe; 0 at a terminal, where the line is in sight.
    number: usize,
    /// Lines without an answer.
    errors: usize,
}

impl Prompt<'_> {
    fn edited(&mut self) -> Result<(), Failure> {
        let trouble = |error: ReadlineError| Failure::Failed(format!("terminal: {error}"));
        let mut editor = DefaultEditor::new().map_err(trouble)?;
        let history = history_file();
        if let Some(file) = &history {
            // The first time there is none.
            let _ = editor.load_history(file);
        }
        println!("Values of combinatorial games; `help` tells what can be typed.");
        let ended = loop {
            match editor.readline("cgt> ") {
                Ok(line) => {
                    if !line.trim().is_empty() {
                        let _ = editor.add_history_entry(line.as_str());
                    }
                    match self.line(&line) {
                        Ok(true) => {}
                        Ok(false) => break Ok(()),
                        Err(failure) => break Err(failure),
                    }
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => break Ok(()),
                Err(error) => break Err(trouble(error)),
            }
        };
        if let Some(file) = &history {
            let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) =
                folder.map_err(ReadlineError::from).and_then(|()| editor.save_history(file))
            {
                eprintln!("history not kept: {}: {error}", file.display());
            }
        }
        ended
    }

    /// Answers a line; does the prompt go on?
    fn line(&mut self, line: &str) -> Result<bool, Failure> {
        self.games.refill();
        let line = line.trim();
        match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
            ("", _) => {}
            (word, _) if word.starts_with('#') => {}
            ("quit" | "exit", "") => return Ok(false),
            ("help" | "?", "") => self.say(&help::text(), &Json::Null, "")?,
            ("names", "") => self.names()?,
            ("info", rest) if !rest.trim_start().starts_with(":=") => self.info(rest)?,
            _ => self.statement(line)?,
        }
        Ok(true)
    }

    fn statement(&mut self, line: &str) -> Result<(), Failure> {
        match self.session.run(self.games, line) {
            Ok(answer) => {
                let report = report::short(self.games, line, &answer);
                self.say(&report.human, &report.json, &report.quiet)
            }
            Err(error) => {
                self.complain(line, &error);
                Ok(())
            }
        }
    }

    fn info(&mut self, text: &str) -> Result<(), Failure> {
        let mut session = self.session.clone();
        let text = if text.trim().is_empty() { "ans" } else { text };
        let value = session.run(self.games, &format!("ans := {text}"));
        let facts = value.and_then(|answer| match answer {
            hasami_cgt::notation::Answer::Named(_, value) => {
                Ok(Facts::of(self.games, text, value)?)
            }
            _ => unreachable!("an assignment"),
        });
        match facts {
            Ok(facts) => {
                let human = format!("{}\n{}", facts.text(), draw::text(&[facts.drawn()]));
                self.say(&human, &facts.json(), &facts.value)
            }
            Err(ParseError::Bad { column, message }) => {
                // The columns are those of the line with the assignment before it.
                let before = "ans := ".len();
                let error =
                    ParseError::Bad { column: column.saturating_sub(before).max(1), message };
                self.complain(text, &error);
                Ok(())
            }
            Err(error) => {
                self.complain(text, &error);
                Ok(())
            }
        }
    }

    fn names(&mut self) -> Result<(), Failure> {
        let names: Vec<(String, String)> = self
            .session
            .names()
            .map(|(name, value)| (name.to_string(), self.games.show_within(value, 200)))
            .collect();
        let lines: Vec<_> =
            names.iter().map(|(name, value)| format!("{name} := {value}")).collect();
        let json: serde_json::Map<String, Json> =
            names.into_iter().map(|(name, value)| (name, value.into())).collect();
        self.say(&lines.join("\n"), &json.into(), &lines.join("\n"))
    }

    fn complain(&mut self, line: &str, error: &ParseError) {
        self.errors += 1;
        let place = match self.number {
            0 => String::new(),
            number => format!("line {number}: "),
        };
        match error.column() {
            Some(column) => eprintln!("error: {place}{error}\n{}", mark(line, column)),
            None => {
                eprintln!("error: {place}{error}: --limit");
                // What was remembered on the way may fill the memory.
                self.games.forget();
            }
        }
    }

    fn say(&self, human: &str, json: &Json, quiet: &str) -> Result<(), Failure> {
        output::print(self.output, human, json, quiet)
    }
}

/// Under the user's state directory.
fn history_file() -> Option<PathBuf> {
    Some(xdg("XDG_STATE_HOME", ".local/state")?.join("cgt-history"))
}
