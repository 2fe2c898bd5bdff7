//! The command line: what was asked for, or an error that lists what can be.
//!
//! `solve` has one subcommand for each game, made from the registry, so that a new game needs
//! nothing here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use hasami_games::{GameInfo, games};

use crate::cgt::CgtArgs;
use crate::cluster::ClusterCommand;
use crate::database::{DatabaseArgs, QueryArgs};
use crate::failure::Failure;
use crate::go::{self, GoArgs};
use crate::kernel_args::KernelArgs;
use crate::log::LogArgs;
use crate::output::OutputArgs;
use crate::pave::PaveArgs;
use crate::play::{PlayArgs, What};
use crate::puzzles::PuzzlesArgs;
use crate::shapes::ShapesArgs;
use crate::table::TableArgs;

/// Everything a command line says.
pub struct Request {
    /// How to log.
    pub log: LogArgs,
    /// What to do.
    pub action: Action,
}

impl Request {
    /// What is logged where `RUST_LOG` does not say.
    pub fn level(&self) -> &'static str {
        match &self.action {
            Action::Cluster(command) => command.level(),
            _ => "info",
        }
    }
}

/// What to do.
pub enum Action {
    /// Settle one question.
    Solve(Question, Box<SolveArgs>),
    /// Look for pavings.
    Pave(Box<PaveArgs>),
    /// List polyominoes.
    Shapes(ShapesArgs),
    /// Values of games.
    Cgt(CgtArgs),
    /// Value a Go board.
    Go(GoArgs),
    /// Play against a certificate.
    Play(What, PlayArgs),
    /// Make puzzles.
    Puzzles(Box<PuzzlesArgs>),
    /// Make a table of results.
    Table(TableArgs),
    /// Check a certificate.
    Verify(VerifyArgs),
    /// Build a database.
    Database(DatabaseArgs),
    /// Ask a database.
    Query(QueryArgs),
    /// Look after a store.
    Store(StoreArgs),
    /// List the games.
    Games(GamesArgs),
    /// Something about the cluster.
    Cluster(ClusterCommand),
}

/// A game and what was said about it.
pub struct Question {
    /// Its name.
    pub game: String,
    /// Its parameters, as given.
    pub pairs: Vec<(String, String)>,
}

/// Options of `solve`, whatever the game.
#[derive(Clone, Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// Size of the transposition table
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=16_777_216), help_heading = "Limits")]
    pub table_mib: u32,
    /// Stop after so many nodes [default: none]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub budget: Option<u64>,
    /// Seed of everything random: the problem, where it is drawn, and ties in the search
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub seed: Option<u64>,
    /// Where to write the certificate [default: hasami-data/certificates/GAME-ID.cert]
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub certificate: Option<PathBuf>,
    /// Store to start from and to publish to: a stopped search goes on from it
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub store: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Options of `verify`.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The certificates
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The database that it rests on, if that is elsewhere now
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Options of `games`.
#[derive(Clone, Debug, Args)]
pub struct GamesArgs {
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Options of `store`.
#[derive(Clone, Debug, Args)]
pub struct StoreArgs {
    #[command(flatten)]
    pub answer: OutputArgs,
    #[command(subcommand)]
    pub action: StoreAction,
}

/// What to do with a store.
#[derive(Clone, Debug, Subcommand)]
pub enum StoreAction {
    /// Count what is in a store
    #[command(after_help = "Example:\n  hasami store stats hasami-data/store")]
    Stats {
        /// The store
        store: PathBuf,
    },
    /// Make a consistent copy, by hard links where possible
    #[command(
        after_help = "Example:\n  hasami store checkpoint hasami-data/store /backup/monday\n\nOf a coordinator at work, `hasami checkpoint` copies everything, its store included."
    )]
    Checkpoint {
        /// The store
        store: PathBuf,
        /// Where the copy goes; must not exist yet
        checkpoint: PathBuf,
    },
    /// Check a checkpoint and make a store of it
    #[command(after_help = "Example:\n  hasami store restore /backup/monday hasami-data/store")]
    Restore {
        /// The checkpoint
        checkpoint: PathBuf,
        /// Where the store goes; must not exist yet
        store: PathBuf,
    },
}

const ABOUT: &str = "Settles AND/OR questions about combinatorial games, with certificates";
const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 failed, 2 wrong usage or bad input, 3 not settled within the budget";
const PAVE_HELP: &str = "\
A paving is a set of disjoint pairs of cells. It blocks a shape if every placement, however turned
and wherever, holds a whole pair: White answers in the partner cell, and Black never completes the
shape. A period PxQ+S repeats every Q columns, and every P rows moved S columns to the right.

Examples:
  hasami pave Square I
  hasami pave '##./.##/.#.' U --pairs any --svg paving.svg
  hasami pave Square I --period 4x4 --list
  hasami pave Square --period 6x6 --prefixes 3
  hasami pave Square --period 6x6 --count --prefix 0.1.2
  hasami pave --minimal-losers";

const CGT_HELP: &str = "\
A game is written {a,b|c} or with bars, the highest one outermost: 3||||2|||1||0|0. Names: 1/2, *, *2,
^ (up), v (down), ^3*, tiny(1), miny(1), ±1 or +-1. Sums a+b, multiples 3.g, comparisons = < > <= >= || <|
|>, functions mean, temp, cool, chill, heat, aw and more: type `help` at the prompt, which comes up
without an expression. Several expressions are drawn over each other.

Examples:
  hasami cgt '3||2|0'
  hasami cgt '{1|-1}+{2|-2}' '{5|0}' --svg thermograph.svg
  hasami cgt '^ || *' --output quiet
  hasami cgt";
const QUERY_HELP: &str = "\
Examples:
  hasami query pass.db start
  hasami query pass.db GG.SS.G.S/GGG...SSS/GGG...SSS:first --output json
  hasami query endings.db 1,0,1,1,1,0/0,1,0,1,0,1:second";

const PLAY_HELP: &str = "\
The side that the certificate is about is played by this program, the other one by you; type `help`
during the game. Moves can be piped in.

Examples:
  hasami play polyomino Square W
  hasami play hasami-data/certificates/mnk-1f0c4a12.cert
  hasami play chomp rows=5 columns=6 --opponent random --seed 7 --games 1000";

const PUZZLES_HELP: &str = "\
The side to move wins in as many plies as the sheet says, by one first move only. No two puzzles are
equal up to symmetry. Solutions are on the back.

Examples:
  hasami puzzles quarto --count 20 --plies 5 --grade medium --seed 7 --out sheet.html
  hasami puzzles pyonpyon --plies 15 --rule-proof --out sheet.svg
  hasami puzzles mancala goal=own --plies 3 --method b --out puzzles.jsonl";

/// Reads the command line of this process.
pub fn parse() -> Result<Request, Failure> {
    parse_from(crate::cgt::with_minus_signs(std::env::args_os().collect()))
}

fn parse_from(words: Vec<OsString>) -> Result<Request, Failure> {
    let command = command();
    let matches = command.clone().try_get_matches_from(&words);
    let matches = matches.map_err(|error| explain(error, command, &words))?;
    let log = LogArgs::from_arg_matches(&matches).map_err(usage)?;
    let (name, below) = matches.subcommand().expect("a subcommand is required");
    let action = match name {
        "solve" => solve_action(below)?,
        "pave" => Action::Pave(Box::new(PaveArgs::from_arg_matches(below).map_err(usage)?)),
        "shapes" => Action::Shapes(ShapesArgs::from_arg_matches(below).map_err(usage)?),
        "cgt" => Action::Cgt(CgtArgs::from_arg_matches(below).map_err(usage)?),
        "go" => Action::Go(GoArgs::from_arg_matches(below).map_err(usage)?),
        "play" => play_action(below)?,
        "puzzles" => {
            Action::Puzzles(Box::new(PuzzlesArgs::from_arg_matches(below).map_err(usage)?))
        }
        "table" => Action::Table(TableArgs::from_arg_matches(below).map_err(usage)?),
        "verify" => Action::Verify(VerifyArgs::from_arg_matches(below).map_err(usage)?),
        "database" => Action::Database(DatabaseArgs::from_arg_matches(below).map_err(usage)?),
        "query" => Action::Query(QueryArgs::from_arg_matches(below).map_err(usage)?),
        "store" => Action::Store(StoreArgs::from_arg_matches(below).map_err(usage)?),
        "games" => Action::Games(GamesArgs::from_arg_matches(below).map_err(usage)?),
        _ => Action::Cluster(ClusterCommand::from_arg_matches(&matches).map_err(usage)?),
    };
    Ok(Request { log, action })
}

fn command() -> Command {
    let pave = PaveArgs::augment_args(Command::new("pave"))
        .about("Show that shapes are losers: find a periodic paving that blocks them")
        .after_help(format!("{PAVE_HELP}\n\n{EXIT_CODES}"));
    let shapes = ShapesArgs::augment_args(Command::new("shapes"))
        .about("List polyominoes: by number of cells, and by which holds which")
        .after_help(
            "Examples:\n  hasami shapes\n  hasami shapes --cells 5 --contains Elly\n  \
             hasami shapes --within SS",
        );
    let cgt = CgtArgs::augment_args(Command::new("cgt"))
        .about("Values of combinatorial games: canonical form, order, temperature, thermograph")
        .after_help(format!("{CGT_HELP}\n\n{EXIT_CODES}"));
    let puzzles = PuzzlesArgs::augment_args(Command::new("puzzles"))
        .about("Make puzzles of a game, each with its certificate, on a sheet to print")
        .after_help(format!("{PUZZLES_HELP}\n\n{EXIT_CODES}"));
    let go = GoArgs::augment_args(Command::new("go"))
        .about("Value a Go endgame: every region, the sum, and where to play")
        .after_help(format!("{}\n\n{EXIT_CODES}", go::HELP));
    let verify = VerifyArgs::augment_args(Command::new("verify"))
        .about("Check certificates with the rules alone")
        .after_help(
            "Of several files each has a line; the exit code is 1 if any does not hold.\n\n\
             Examples:\n  hasami verify hasami-data/certificates/mnk-1f0c4a12.cert\n  \
             hasami verify hasami-data/certificates/*",
        );
    let table = TableArgs::augment_args(Command::new("table"))
        .about("Make a table of results, each with a certificate")
        .after_help("Example:\n  hasami table pairs --html pairs.html --csv pairs.csv");
    let database = DatabaseArgs::augment_args(Command::new("database"))
        .about("Compute the exact value of every position of a game, into one file")
        .after_help(format!(
            "Example:\n  hasami database pyonpyon --no-move pass --out pass.db\n\n{EXIT_CODES}"
        ));
    let query = QueryArgs::augment_args(Command::new("query"))
        .about("Look a position up in a database: its value, and that of every move")
        .after_help(format!("{QUERY_HELP}\n\n{EXIT_CODES}"));
    let store = StoreArgs::augment_args(Command::new("store"))
        .about("Look after a store: stats, checkpoint, restore")
        .after_help("Example:\n  hasami store stats hasami-data/store");
    let list = GamesArgs::augment_args(Command::new("games"))
        .about("List the games and their parameters")
        .after_help("Example:\n  hasami games");
    let hasami = LogArgs::augment_args(Command::new("hasami"))
        .about(ABOUT)
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(format!("Example:\n  hasami solve {}\n\n{EXIT_CODES}", games()[0].example))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(solve_command())
        .subcommands([
            pave,
            shapes,
            cgt,
            go,
            table,
            puzzles,
            play_command(),
            verify,
            database,
            query,
            store,
            list,
        ]);
    // The text of the commands of the cluster would take the place of ours.
    ClusterCommand::augment_subcommands(hasami).about(ABOUT).long_about(None::<&str>)
}

fn solve_command() -> Command {
    Command::new("solve")
        .about("Settle one question, now")
        .after_help(format!(
            "Example:\n  hasami solve {}\n\n`hasami solve GAME --help` lists the parameters of a game.\n{EXIT_CODES}",
            games()[0].example
        ))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommands(games().iter().map(|game| {
            game_command(game, "solve", SolveArgs::augment_args(Command::new(game.name)))
        }))
}

fn play_command() -> Command {
    PlayArgs::augment_args(Command::new("play"))
        .about("Play against a certificate, which is verified first")
        .after_help(format!("{PLAY_HELP}\n\n{EXIT_CODES}"))
        .arg(
            Arg::new("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .help("The certificate; or name a game, for the file where `hasami solve` puts it"),
        )
        .arg_required_else_help(true)
        .args_conflicts_with_subcommands(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommands(games().iter().map(|game| {
            game_command(game, "play", PlayArgs::augment_args(Command::new(game.name)))
        }))
}

/// The command for one game, from one that has the options already.
fn game_command(game: &GameInfo, verb: &str, command: Command) -> Command {
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

fn solve_action(matches: &ArgMatches) -> Result<Action, Failure> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    let options = SolveArgs::from_arg_matches(matches).map_err(usage)?;
    let (game, mut pairs) = read_game(name, matches)?;
    let has_seed = game.params.iter().any(|param| param.name == "seed");
    if let (Some(seed), true) = (options.seed, has_seed) {
        pairs.push(("seed".to_string(), seed.to_string()));
    }
    Ok(Action::Solve(Question { game: name.to_string(), pairs }, Box::new(options)))
}

fn play_action(matches: &ArgMatches) -> Result<Action, Failure> {
    if let Some((name, matches)) = matches.subcommand() {
        let options = PlayArgs::from_arg_matches(matches).map_err(usage)?;
        let (_, pairs) = read_game(name, matches)?;
        let question = Question { game: name.to_string(), pairs };
        return Ok(Action::Play(What::Question(question), options));
    }
    let options = PlayArgs::from_arg_matches(matches).map_err(usage)?;
    match matches.get_one::<PathBuf>("FILE") {
        Some(file) => Ok(Action::Play(What::File(file.clone()), options)),
        None => Err(Failure::Usage("nothing to play; expected FILE or GAME".to_string())),
    }
}

/// The game and its parameters, but for the seed, which is an option for all games.
fn read_game(
    name: &str,
    matches: &ArgMatches,
) -> Result<(GameInfo, Vec<(String, String)>), Failure> {
    let game = games().into_iter().find(|game| game.name == name).expect("a game by this name");
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
    pairs.extend(game.read_words(words.map(String::as_str)).map_err(Failure::Usage)?);
    Ok((game, pairs))
}

fn usage(error: clap::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// Turns an error of the parser into one line that says what was found and what can be there.
fn explain(error: clap::Error, command: Command, words: &[OsString]) -> Failure {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return Failure::Help(error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return Failure::Usage(format!("nothing to do\n\n{error}"));
        }
        _ => {}
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let first = text.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    // The command that the words lead to, as far as they do.
    let mut at = command;
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(below) = at.find_subcommand(word) {
            at = below.clone();
        }
    }
    let what = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let names: Vec<_> = at.get_subcommands().map(|c| c.get_name().to_string()).collect();
            format!("\n  expected one of: {}", names.join(", "))
        }
        ErrorKind::UnknownArgument => {
            let names: Vec<_> =
                at.get_arguments().filter_map(|a| a.get_long()).map(|l| format!("--{l}")).collect();
            format!("\n  expected one of: {}", names.join(", "))
        }
        _ => String::new(),
    };
    let hint = match error
        .get(ContextKind::SuggestedArg)
        .or(error.get(ContextKind::SuggestedSubcommand))
    {
        Some(suggestion) => format!("\n  did you mean {suggestion}?"),
        None => String::new(),
    };
    Failure::Usage(format!("{first}{what}{hint}\n  see `{} --help`", full_name(words, &at)))
}

fn full_name(words: &[OsString], at: &Command) -> String {
    let mut name = vec!["hasami".to_string()];
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        name.push(word.to_string());
        if word == at.get_name() {
            return name.join(" ");
        }
    }
    "hasami".to_string()
}
