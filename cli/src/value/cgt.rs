//! `hasami value cgt`: values of combinatorial games, from the command line or at a prompt.

mod facts;
mod help;
mod prompt;
mod report;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use hasami_cgt::notation::{Answer, Session};
use hasami_cgt::{Exhausted, Games, ParseError, draw};
use serde_json::Value as Json;

use crate::amounts::count;
use crate::failure::Failure;
use crate::files::{self, Form, prepare_place};
use crate::output::{self, OutputArgs};
use crate::tree::Verb;
use facts::Facts;

const HELP: &str = "\
A game is written {a,b|c} or with bars, the highest one outermost: 3||||2|||1||0|0. Names: 1/2,
*, *2, ^ (up), v (down), ^3*, tiny(1), miny(1), ±1 or +-1. Sums a+b, multiples 3.g, comparisons
= < > <= >= || <| |>, functions mean, temp, cool, chill, heat, aw and more: type `help` at the
prompt, which comes up without an expression. Several expressions are drawn over each other.
Here -v is a game: log more with --verbose.

Examples:
  hasami value cgt '3||2|0'
  hasami value cgt '{1|-1}+{2|-2}' '{5|0}' -o thermograph.svg
  hasami value cgt '^ || *' --output quiet
  hasami value cgt";

/// What an answer can be written as.
const FORMS: [Form; 2] = [Form::Svg, Form::Html];

/// Values of combinatorial games: canonical form, order, temperature, thermograph
#[derive(Clone, Debug, Parser)]
#[command(name = "cgt", after_help = HELP)]
pub struct Cgt {
    /// A game, a comparison, or `name := game`; none for a prompt
    #[arg(value_name = "EXPRESSION")]
    pub expressions: Vec<String>,
    /// Write the thermographs to a file that ends in .svg, or with all facts in .html; may be given
    /// several times
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub out: Vec<PathBuf>,
    /// Give up an expression after this many steps; each takes some tens of bytes at most
    #[arg(long, value_name = "STEPS", default_value = "30M", value_parser = count, help_heading = "Limits")]
    pub limit: u64,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Expressions may begin with a minus sign, which options do, too: with a blank before it, it is not
/// taken for one.
pub fn with_minus_signs(mut words: Vec<OsString>) -> Vec<OsString> {
    let Some(command) = words.iter().position(|word| word == "cgt") else {
        return words;
    };
    for word in &mut words[command + 1..] {
        let text = word.to_string_lossy();
        let is_option = text.starts_with("--") || ["-h", "-q", "-o", "-V"].contains(&&*text);
        if text.starts_with('-') && text.len() > 1 && !is_option {
            *word = OsString::from(format!(" {text}"));
        }
    }
    words
}

impl Verb for Cgt {
    fn run(self) -> Result<(), Failure> {
        evaluate(&self)
    }
}

/// Answers all expressions, or begins a prompt.
fn evaluate(options: &Cgt) -> Result<(), Failure> {
    let mut games = Games::with_limit(options.limit);
    let mut session = Session::new();
    if options.expressions.is_empty() {
        if !options.out.is_empty() {
            let message = "-o: expected an expression with it";
            return Err(Failure::Usage(message.to_string()));
        }
        return prompt::run(&mut games, &mut session, options.answer.output);
    }
    for file in &options.out {
        files::form(file, &FORMS)?;
        prepare_place("-o", file)?;
    }
    let mut reports = Vec::new();
    for text in &options.expressions {
        games.refill();
        let answer = answer(&mut games, &mut session, text)?;
        reports.push(answer);
    }
    let drawn = reports.iter().filter_map(|report| report.facts.as_ref()).collect::<Vec<_>>();
    for file in &options.out {
        let text = match files::form(file, &FORMS)? {
            Form::Svg => draw::svg(&drawings(&drawn)),
            _ => {
                let rows: Vec<_> = drawn.iter().map(|facts| facts.rows()).collect();
                draw::page(&drawings(&drawn), &rows)
            }
        };
        files::save(file, text.as_bytes())?;
    }
    let quiet = reports.iter().map(|report| report.quiet.as_str()).collect::<Vec<_>>().join("\n");
    let mut json: Vec<Json> = reports.iter().map(|report| report.json.clone()).collect();
    let json = if json.len() == 1 { json.remove(0) } else { Json::Array(json) };
    output::print(options.answer.output, &report::human(&reports, &drawn), &json, &quiet)
}

/// One answer in all three forms.
pub struct Report {
    human: String,
    json: Json,
    quiet: String,
    /// Of a value, to be drawn.
    facts: Option<Facts>,
}

fn answer(games: &mut Games, session: &mut Session, text: &str) -> Result<Report, Failure> {
    let done = session.run(games, text).and_then(|answer| Ok(report(games, text, &answer)?));
    done.map_err(|error| failure(text, &error))
}

fn report(games: &mut Games, text: &str, answer: &Answer) -> Result<Report, Exhausted> {
    match answer {
        Answer::Value(value) | Answer::Named(_, value) => {
            let facts = Facts::of(games, text, *value)?;
            let human = facts.text();
            let json = facts.json();
            let quiet = facts.value.clone();
            Ok(Report { human, json, quiet, facts: Some(facts) })
        }
        other => Ok(report::short(games, text, other)),
    }
}

fn drawings(facts: &[&Facts]) -> Vec<draw::Drawn> {
    facts.iter().map(|facts| facts.drawn()).collect()
}

/// What is wrong with an expression, with a mark below the place.
fn failure(text: &str, error: &ParseError) -> Failure {
    match error {
        ParseError::Bad { column, .. } => {
            Failure::Usage(format!("{error}\n{}", mark(text, *column)))
        }
        ParseError::Exhausted(_) => {
            eprintln!("error: {error}: --limit");
            Failure::Unsettled
        }
    }
}

/// The text around a column with a mark below it.
fn mark(text: &str, column: usize) -> String {
    const AROUND: usize = 30;
    let from = column.saturating_sub(AROUND);
    let part: String = text.chars().skip(from).take(2 * AROUND).collect();
    let part = part.replace(char::is_whitespace, " ");
    let before: String = part.chars().take(column - 1 - from).collect();
    let width = console::measure_text_width(&before);
    format!("  {part}\n  {}^", " ".repeat(width))
}
