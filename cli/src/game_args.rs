//! The parameters of a game as options and words, made from the registry: a new game needs nothing
//! here.

use clap::{Arg, ArgAction, ArgMatches, Command};
use hasami_answer::Rules;
use hasami_answer::registry::{entry, games};
use hasami_spec::{ParamError, Params, Spec};

use crate::failure::Failure;
use crate::tree::EXIT_CODES;

/// A game and what was said about it.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its name.
    pub game: String,
    /// Its parameters, as given.
    pub pairs: Vec<(String, String)>,
}

impl Question {
    /// The rules of the game, and its parameters, checked.
    pub fn read(&self) -> Result<(&'static dyn Rules, Params), Failure> {
        self.checked().map_err(|error| Failure::Usage(format!("game {}: {error}", self.game)))
    }

    /// The same, with the error as it is.
    pub fn checked(&self) -> Result<(&'static dyn Rules, Params), ParamError> {
        let entry = entry(&self.game).expect("a game of the registry");
        let params = entry.spec.read(&self.pairs)?;
        Ok((entry.rules.expect("the rules of a game"), params))
    }
}

/// A command with one subcommand for each game. `with_options` adds the options of the command.
pub fn with_games(command: Command, verb: &str, with_options: fn(Command) -> Command) -> Command {
    command
        .arg_required_else_help(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommands(
            games().map(|game| {
                game_command(game.spec, verb, with_options(Command::new(game.spec.name)))
            }),
        )
}

/// The command for one game, from one that has the options already.
fn game_command(game: &Spec, verb: &str, command: Command) -> Command {
    let mut command = command
        .about(game.about)
        .after_help(format!("Example:\n  hasami {verb} {}\n\n{EXIT_CODES}", game.example));
    for param in game.params.iter().filter(|param| param.name != "seed") {
        let mut help = param.help.to_string();
        if let Some(default) = param.default {
            help.push_str(&format!(" [default: {default}]"));
        }
        let arg = Arg::new(param.name)
            .long(param.name)
            .value_name(param.placeholder)
            .help(help)
            .help_heading("Game");
        command = command.arg(arg);
        for value in param.values.iter().filter(|_| param.flags) {
            let flag = Arg::new(*value)
                .long(*value)
                .action(ArgAction::SetTrue)
                .conflicts_with(param.name)
                .help(format!("The same as --{} {value}", param.name))
                .help_heading("Game");
            command = command.arg(flag);
        }
    }
    let help = match game.words {
        None => "The same parameters, as words".to_string(),
        Some(key) => format!("The same parameters, as words; plain words are the {key}"),
    };
    let words = Arg::new("WORDS")
        .num_args(0..)
        .value_name(if game.words.is_some() { "WORD|KEY=VALUE" } else { "KEY=VALUE" })
        .help(help)
        .help_heading("Game");
    command.arg(words)
}

/// The question that a game's subcommand asks. The seed is an option of the command, and a parameter
/// of games that draw.
pub fn question(
    name: &str,
    matches: &ArgMatches,
    seed: Option<u64>,
) -> Result<Question, clap::Error> {
    let game = entry(name).expect("a game by this name").spec;
    let mut pairs = Vec::new();
    for param in game.params.iter().filter(|param| param.name != "seed") {
        if let Some(value) = matches.get_one::<String>(param.name) {
            pairs.push((param.name.to_string(), value.clone()));
        }
        for value in param.values.iter().filter(|value| param.flags && matches.get_flag(value)) {
            pairs.push((param.name.to_string(), value.to_string()));
        }
    }
    let words = matches.get_many::<String>("WORDS").into_iter().flatten();
    let words = game.read_words(words.map(String::as_str));
    pairs.extend(
        words.map_err(|what| clap::Error::raw(clap::error::ErrorKind::ValueValidation, what))?,
    );
    let has_seed = game.params.iter().any(|param| param.name == "seed");
    if let Some(seed) = seed.filter(|_| has_seed) {
        pairs.push(("seed".to_string(), seed.to_string()));
    }
    Ok(Question { game: name.to_string(), pairs })
}
