//! `hasami puzzles`: puzzles of a game, each with its certificate, on a sheet to print.

mod merge;
mod sheet;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hasami_andor::Control;
use hasami_games::puzzle::{
    Generator, Grade, Made, Method, Order, Plies, Puzzle, PuzzleVisitor, Unique, visit_puzzle,
};
use hasami_games::{Params, games};
use hasami_worker::jobs::{puzzle_certificate, puzzle_json};
use serde_json::json;

use crate::certify::{default_place, prepare_place};
use crate::failure::Failure;
use crate::output::{self, Output, OutputArgs, grouped};
use crate::screen::say;
use crate::solve::stop_on_signal;
use sheet::Form;

/// The certificates of puzzles in their order; none at all, if none were wanted.
type Certificates = [Option<PathBuf>];

/// Options of `puzzles`.
#[derive(Clone, Debug, Args)]
pub struct PuzzlesArgs {
    /// The game: quarto, mancala or pyonpyon
    pub game: String,
    /// Parameters of the game, for variants of its rules
    #[arg(value_name = "KEY=VALUE")]
    pub words: Vec<String>,
    /// How many puzzles
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub count: u32,
    /// How long: a number of plies, or a range like 5-9. The side to move wins with an odd number
    #[arg(long, default_value = "5", value_name = "PLIES")]
    pub plies: Plies,
    /// How hard [default: whatever comes]
    #[arg(long, value_enum, value_name = "GRADE")]
    pub grade: Option<GradeArg>,
    /// How positions are drawn [default: what suits the game]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub method: Option<MethodArg>,
    /// How many solutions [default: win, where the method allows it]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub unique: Option<UniqueArg>,
    /// Draw positions from this database, and look everything up there (pyonpyon); with --rule-proof, that of
    /// no-move=draw as a second one
    #[arg(long, value_name = "FILE", conflicts_with = "method")]
    pub database: Vec<PathBuf>,
    /// Only puzzles that are won under every reading of the rules
    #[arg(long)]
    pub rule_proof: bool,
    /// The same seed gives the same puzzles
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// Make nothing: take the puzzles from these JSON files, of `--out` or of a sweep, each once
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["method", "unique", "seed", "certificates", "database"])]
    pub from: Vec<PathBuf>,
    /// Give up after so many positions
    #[arg(long, default_value_t = 5_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub attempts: u64,
    /// Nodes for one position; harder ones are passed over
    #[arg(long, default_value_t = 3_000_000, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub nodes: u64,
    /// The sheet: a file that ends in .html, .svg, .txt or .jsonl [default: text on standard output]
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub out: Option<PathBuf>,
    /// The heading of the sheet
    #[arg(long, value_name = "TEXT", help_heading = "Results")]
    pub title: Option<String>,
    /// Where certificates go [default: hasami-data/certificates]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub certificates: Option<PathBuf>,
    /// Make no certificates
    #[arg(long, conflicts_with = "certificates", help_heading = "Results")]
    pub no_certificates: bool,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// How hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GradeArg {
    /// Few choices, and nothing that misleads.
    Easy,
    /// Between the others.
    Medium,
    /// Many choices and traps.
    Hard,
}

/// How positions are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Random positions of a kind in which wins are likely.
    A,
    /// Games of two players who look ahead, taken back from their end.
    B,
    /// As a, in the game in which the opponent passes (mancala).
    Passing,
    /// Random positions of any kind.
    Free,
}

/// How many solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UniqueArg {
    /// One first move wins.
    Win,
    /// One first move wins in the fewest plies.
    Shortest,
    /// Any number.
    Any,
}

/// Makes the puzzles.
pub fn run(options: &PuzzlesArgs) -> Result<(), Failure> {
    let form = options.out.as_deref().map(Form::of).transpose()?;
    if let Some(file) = &options.out {
        prepare_place("--out", file)?;
    }
    let info = games().into_iter().find(|game| game.name == options.game);
    let words = options.words.iter().map(String::as_str);
    let pairs = match info {
        Some(info) => info.read_words(words).map_err(Failure::Usage)?,
        None => Vec::new(),
    };
    let control = Arc::new(Control::unlimited());
    stop_on_signal(&control)?;
    let make = Make { options, form, control: &control };
    visit_puzzle(&options.game, &pairs, make)?
}

struct Make<'a> {
    options: &'a PuzzlesArgs,
    form: Option<Form>,
    control: &'a Control,
}

impl PuzzleVisitor for Make<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Puzzle>(self, params: &Params) -> Self::Output {
        if !self.options.from.is_empty() {
            let (puzzles, files) = merge::merged::<G>(self.options)?;
            return self.print::<G>(&puzzles, &files, 0);
        }
        let mut generator = self.generator::<G>(params)?;
        let mut puzzles: Vec<Made> = Vec::new();
        let mut files = Vec::new();
        while puzzles.len() < self.options.count as usize
            && generator.attempts() < self.options.attempts
            && !self.control.is_cancelled()
        {
            let made = generator.attempt();
            if let Some(error) = generator.trouble() {
                return Err(Failure::from(error));
            }
            let Some(made) = made else { continue };
            if !self.options.no_certificates {
                files.push(self.certificate::<G>(&made)?);
            }
            puzzles.push(made);
            tell(&puzzles, self.options.count, generator.attempts());
        }
        // An empty sheet is of no use; programs are told of it all the same.
        if !puzzles.is_empty() || self.options.answer.output == Output::Json {
            self.print::<G>(&puzzles, &files, generator.attempts())?;
        }
        match puzzles.len() < self.options.count as usize {
            true => {
                say(&format!(
                    "found {} of {} puzzles in {} positions; other options, or --attempts with more, may find the rest",
                    puzzles.len(),
                    self.options.count,
                    grouped(generator.attempts())
                ));
                Err(Failure::Unsettled)
            }
            false => Ok(()),
        }
    }
}

impl Make<'_> {
    fn generator<G: Puzzle>(&self, params: &Params) -> Result<Generator<G>, Failure> {
        let order = order::<G>(self.options);
        let wrong = |error| Failure::Usage(format!("{}: {error}", G::NAME));
        let Some((file, others)) = self.options.database.split_first() else {
            return Generator::new(params, order).map_err(wrong);
        };
        let solved = G::solved(params, file, others)
            .map_err(|error| Failure::Usage(format!("--database: {error}")))?;
        Generator::of_solution(params, order, solved).map_err(wrong)
    }

    /// The certificate of a puzzle. A puzzle from a database may be too long for the search: then there is
    /// none.
    fn certificate<G: Puzzle>(&self, made: &Made) -> Result<Option<PathBuf>, Failure> {
        let place = |name: &str| self.place(name);
        Ok(puzzle_certificate::<G>(made, &place, self.options.nodes, self.control)?)
    }

    /// Where a certificate goes.
    fn place(&self, name: &str) -> PathBuf {
        match &self.options.certificates {
            Some(directory) => directory.join(name),
            None => default_place(name),
        }
    }

    fn print<G: Puzzle>(
        &self,
        puzzles: &[Made],
        files: &Certificates,
        attempts: u64,
    ) -> Result<(), Failure> {
        let title = self.options.title.clone().unwrap_or_else(|| {
            let plies = self.options.plies.to_string();
            let unit = if plies == "1" { "ply" } else { "plies" };
            format!("{}: win in {plies} {unit}", title_of(G::NAME))
        });
        let proof = sheet::proofs(puzzles, files);
        let sheet = hasami_games::puzzle::sheet::Sheet {
            title: &title,
            rules: G::RULES,
            puzzles,
            proof: &proof,
        };
        if let (Some(file), Some(form)) = (&self.options.out, self.form) {
            let text = sheet::written(&sheet, form, files);
            std::fs::write(file, text)
                .map_err(|error| Failure::Failed(format!("--out {}: {error}", file.display())))?;
        }
        let list: Vec<_> = puzzles
            .iter()
            .enumerate()
            .map(|(at, made)| puzzle_json(made, files.get(at).and_then(Option::as_ref)))
            .collect();
        let json = json!({ "game": G::NAME, "attempts": attempts, "puzzles": list });
        let human = match &self.options.out {
            Some(file) => format!("{} puzzles: {}", puzzles.len(), file.display()),
            None => hasami_games::puzzle::sheet::text(&sheet),
        };
        output::print(self.options.answer.output, &human, &json, &puzzles.len().to_string())
    }
}

/// The order that the options make.
fn order<G: Puzzle>(options: &PuzzlesArgs) -> Order {
    let method = match options.method {
        Some(MethodArg::A) => Method::Guided,
        Some(MethodArg::B) => Method::Played,
        Some(MethodArg::Passing) => Method::Passing,
        Some(MethodArg::Free) => Method::Free,
        None => G::METHOD,
    };
    Order {
        plies: options.plies,
        unique: match options.unique {
            Some(UniqueArg::Win) => Unique::Win,
            Some(UniqueArg::Shortest) => Unique::Shortest,
            Some(UniqueArg::Any) => Unique::Any,
            None => G::usual_unique(method),
        },
        grade: options.grade.map(|grade| match grade {
            GradeArg::Easy => Grade::Easy,
            GradeArg::Medium => Grade::Medium,
            GradeArg::Hard => Grade::Hard,
        }),
        rule_proof: options.rule_proof,
        method,
        seed: options.seed,
        nodes: options.nodes,
    }
}

/// A line for each tenth of the way.
fn tell(puzzles: &[Made], count: u32, attempts: u64) {
    let made = puzzles.len() as u32;
    if made.is_multiple_of((count / 10).max(1)) {
        say(&format!("{made} of {count} puzzles, {} positions drawn", grouped(attempts)));
    }
}

/// A name as a heading has it.
fn title_of(game: &str) -> String {
    match game {
        "quarto" => "QUARTO!".to_string(),
        _ => game[..1].to_uppercase() + &game[1..],
    }
}
