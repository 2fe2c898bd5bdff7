//! From the words of a command line to what is asked for, or an error that lists what can be asked.

use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};
use clap::{ArgMatches, Command, FromArgMatches};

use crate::failure::Failure;
use crate::global::GlobalArgs;
use crate::output::Output;
use crate::tree::{self, Action};
use crate::{config, suggest, value};

/// What a command line asks for.
pub struct Request {
    /// Options of every command.
    pub global: GlobalArgs,
    /// The command.
    pub action: Action,
    /// Its arguments, below those of the commands that it belongs to.
    matches: ArgMatches,
}

impl Request {
    /// Does it.
    pub fn run(&self) -> Result<(), Failure> {
        let (action, matches) = tree::find(&self.matches).expect("a command was found before");
        if self.global.check_usage { (action.check)(matches) } else { (action.run)(matches) }
    }
}

/// Reads the command line of this process.
pub fn parse(words: &[OsString]) -> Result<Request, Failure> {
    let words = value::cgt::with_minus_signs(words.to_vec());
    let command = config::apply(tree::command(), &words)?;
    let matches = command.clone().try_get_matches_from(&words);
    let matches = matches.map_err(|error| explain(&error, &command, &words))?;
    let global = GlobalArgs::from_arg_matches(&matches)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let Some((action, _)) = tree::find(&matches) else {
        return Err(Failure::Usage("nothing to do; see `hasami --help`".to_string()));
    };
    Ok(Request { global, action, matches })
}

/// The form that a command line asks for, also where it cannot be parsed.
pub fn form(words: &[OsString]) -> Output {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let given =
        words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("--output") {
            Some("") => words.get(at + 1).map(ToString::to_string),
            Some(rest) => rest.strip_prefix('=').map(String::from),
            None => None,
        });
    match given.or_else(|| std::env::var(tree::variable("output")).ok()).as_deref() {
        Some("json") => Output::Json,
        Some("quiet") => Output::Quiet,
        _ => Output::Human,
    }
}

/// Turns an error of the parser into one that says what was found and what can be there.
fn explain(error: &clap::Error, command: &Command, words: &[OsString]) -> Failure {
    let (path, at) = place(command, words);
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return Failure::Help(error.render().to_string());
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return Failure::Usage(format!("nothing to do\n\n{error}"));
        }
        _ => {}
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let first = text.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let found = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (expected, hint) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = found(ContextKind::InvalidSubcommand);
            (names(at), suggest::command(command, at, &path, &word))
        }
        ErrorKind::UnknownArgument => {
            let word = found(ContextKind::InvalidArg);
            let names = options(at);
            let nearest = suggest::nearest(&word, names.iter().map(String::as_str));
            let hint = nearest.map(String::from);
            (names, hint)
        }
        _ => (Vec::new(), error.get(ContextKind::SuggestedValue).map(ToString::to_string)),
    };
    let expected = if expected.is_empty() {
        String::new()
    } else {
        format!("\n  expected one of: {}", expected.join(", "))
    };
    let hint = hint.map_or(String::new(), |hint| format!("\n  did you mean {hint}?"));
    Failure::Usage(format!("{first}{expected}{hint}\n  see `{path} --help`"))
}

/// The command that the words lead to, as far as they do.
fn place<'c>(command: &'c Command, words: &[OsString]) -> (String, &'c Command) {
    let (mut path, mut at) = ("hasami".to_string(), command);
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(below) = at.find_subcommand(word) {
            path.push_str(&format!(" {word}"));
            at = below;
        }
    }
    (path, at)
}

fn names(command: &Command) -> Vec<String> {
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    shown.map(|below| below.get_name().to_string()).collect()
}

fn options(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(|arg| arg.get_long());
    let mut names: Vec<String> = own.map(|long| format!("--{long}")).collect();
    for shared in ["--output", "--verbose", "--quiet", "--log-format", "--log-file", "--config"] {
        if !names.iter().any(|name| name == shared) {
            names.push(shared.to_string());
        }
    }
    names
}
