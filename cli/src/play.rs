//! `hasami play`: a certificate plays, the user answers.

mod find;
mod many;
mod screen;
mod session;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, ValueEnum};
use hasami_answer::registry::games;
use hasami_answer::{MatchUp, Opened};
use hasami_game::Resources;
use hasami_game::text_certificate::TextCertificate as _;
use hasami_polyomino::paving::certificate as paving;
use hasami_polyomino::polyomino::shape::spell_set;

use crate::failure::Failure;
use crate::game_args::{self, Question};
use crate::output::OutputArgs;
use crate::tree::Verb;

const HELP: &str = "\
The side that the certificate is about is played by this program, the other one by you; type `help`
during the game. Moves can be piped in.

Examples:
  hasami play polyomino Square W
  hasami play hasami-data/certificates/mnk-1f0c4a12.cert
  hasami play chomp rows=5 columns=6 --opponent random --seed 7 --games 1000";

/// The command: a certificate by its file, or by its question.
pub struct Play {
    what: What,
    options: PlayArgs,
}

/// Options of `play`.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// Who plays against the certificate
    #[arg(long, value_enum, default_value = "user", value_name = "WHO", help_heading = "Opponent")]
    pub opponent: Opponent,
    /// Seed of the random opponent
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Opponent")]
    pub seed: u64,
    /// How many games to play, with a random opponent
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Opponent")]
    pub games: u64,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Who plays against the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Opponent {
    /// Moves are read from standard input.
    User,
    /// Moves are drawn.
    Random,
}

/// What to play.
pub enum What {
    /// This certificate.
    File(PathBuf),
    /// The certificate of this question, where `solve` puts it.
    Question(Question),
}

impl CommandFactory for Play {
    fn command() -> Command {
        let file = Arg::new("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("The certificate; or name a game, for the file where `hasami solve` puts it");
        let command = PlayArgs::augment_args(Command::new("play"))
            .about("Play against a certificate, which is verified first")
            .after_help(HELP)
            .arg(file)
            .args_conflicts_with_subcommands(true);
        game_args::with_games(command, "play", PlayArgs::augment_args)
    }

    fn command_for_update() -> Command {
        Self::command()
    }
}

impl FromArgMatches for Play {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        if let Some((name, matches)) = matches.subcommand() {
            let options = PlayArgs::from_arg_matches(matches)?;
            let question = game_args::question(name, matches, None)?;
            return Ok(Self { what: What::Question(question), options });
        }
        let options = PlayArgs::from_arg_matches(matches)?;
        let missing = || {
            let kind = clap::error::ErrorKind::MissingRequiredArgument;
            clap::Error::raw(kind, "nothing to play; expected FILE or GAME")
        };
        let file = matches.get_one::<PathBuf>("FILE").ok_or_else(missing)?;
        Ok(Self { what: What::File(file.clone()), options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Verb for Play {
    fn run(self) -> Result<(), Failure> {
        play(&self.what, &self.options)
    }
}

/// Verifies the certificate and plays.
fn play(what: &What, options: &PlayArgs) -> Result<(), Failure> {
    if options.games > 1 && options.opponent == Opponent::User {
        return Err(Failure::Usage("--games: expected --opponent random with it".to_string()));
    }
    let file = match what {
        What::File(file) => known_file(file)?,
        What::Question(question) => find::find(question)?,
    };
    if paving::Claim::is_one(&file)? {
        let set = spell_set(&paving::Claim::read(&file)?.shapes).replace(',', " ");
        return Err(Failure::Usage(format!(
            "{}: the certificate of a paving, which says where White answers and plays no game; \
             play against one with\n  hasami solve polyomino {set} && hasami play polyomino {set}",
            file.display()
        )));
    }
    let opened = Opened::open(&file)?;
    let rules = opened.entry.rules.expect("the rules of a game");
    let mut played = Ok(());
    rules.play(&opened, &Resources::default(), &mut |match_up| {
        let seat = Seat { file: &file, match_up };
        played = match options.opponent {
            Opponent::User => session::play(&seat, options.answer.output),
            Opponent::Random => many::play(&seat, options),
        };
    })?;
    played
}

fn known_file(file: &Path) -> Result<PathBuf, Failure> {
    if file.exists() {
        return Ok(file.to_owned());
    }
    let names: Vec<_> = games().map(|game| game.spec.name).collect();
    Err(Failure::Usage(format!(
        "{}: no such file; expected a certificate or one of the games {}",
        file.display(),
        names.join(", ")
    )))
}

/// The opponent's side of a game against a certificate.
struct Seat<'m, 'a> {
    file: &'m Path,
    match_up: &'m MatchUp<'a>,
}

impl Seat<'_, '_> {
    /// What is the same in every answer.
    fn json(&self) -> serde_json::Value {
        let MatchUp { header, claim, begin, .. } = self.match_up;
        let sides = begin().sides();
        serde_json::json!({
            "certificate": self.file.display().to_string(),
            "problem": header.asked.to_string(),
            "verdict": header.verdict.word(),
            "claim": claim,
            "program": sides.program,
            "opponent": sides.opponent,
        })
    }
}
