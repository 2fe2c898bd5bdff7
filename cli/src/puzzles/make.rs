//! `hasami puzzles make`: draws positions of a game until enough of them are puzzles.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Parser, ValueEnum};
use hasami_andor::Control;
use hasami_answer::Puzzles;
use hasami_puzzles::{Made, Method, Order, Unique};

use super::sheet::{self, GradeArg, SheetArgs};
use crate::amounts::count;
use crate::failure::Failure;
use crate::files::default_place;
use crate::output::{Output, OutputArgs, grouped};
use crate::screen::say;
use crate::solve::stop_on_signal;
use crate::tree::Verb;

/// Make puzzles of a game, each with its certificate, on a sheet to print
#[derive(Clone, Debug, Parser)]
#[command(
    name = "make",
    after_help = "\
The side to move wins in as many plies as the sheet says, by one first move only. No two puzzles are
equal up to symmetry. Solutions are on the back.

Examples:
  hasami puzzles make quarto --count 20 --plies 5 --grade medium --seed 7 -o sheet.html
  hasami puzzles make pyonpyon --plies 15 --rule-proof -o sheet.svg
  hasami puzzles make mancala goal=own --plies 3 --method b -o puzzles.jsonl"
)]
pub struct Make {
    /// The game: quarto, mancala or pyonpyon
    pub game: String,
    /// Parameters of the game, for variants of its rules
    #[arg(value_name = "KEY=VALUE")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub sheet: SheetArgs,
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
    /// The same seed gives the same puzzles
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// Give up after this many positions
    #[arg(long, default_value = "5M", value_name = "N", value_parser = count, help_heading = "Limits")]
    pub attempts: u64,
    /// Nodes for one position; harder ones are passed over
    #[arg(long, default_value = "3M", value_name = "NODES", value_parser = count, help_heading = "Limits")]
    pub nodes: u64,
    /// Where certificates go [default: hasami-data/certificates]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub certificates: Option<PathBuf>,
    /// Make no certificates
    #[arg(long, conflicts_with = "certificates", help_heading = "Results")]
    pub no_certificates: bool,
    #[command(flatten)]
    pub answer: OutputArgs,
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

impl Verb for Make {
    fn run(self) -> Result<(), Failure> {
        self.sheet.prepare()?;
        let (spec, maker) = sheet::maker(&self.game)?;
        let rules = spec.read_words(self.words.iter().map(String::as_str));
        let rules = rules.map_err(Failure::Usage)?;
        let control = Arc::new(Control::unlimited());
        stop_on_signal("the puzzles found so far are printed", &control)?;
        Making { options: &self, maker, control: &control }.make(spec.name, &rules)
    }
}

struct Making<'a> {
    options: &'a Make,
    maker: &'static dyn Puzzles,
    control: &'a Control,
}

impl Making<'_> {
    fn make(&self, game: &str, rules: &[(String, String)]) -> Result<(), Failure> {
        let Make { sheet, .. } = self.options;
        let order = order(self.options, self.maker);
        let mut generator = self.maker.generator(rules, order, &self.options.database)?;
        let mut puzzles: Vec<Made> = Vec::new();
        let mut aside: Vec<Made> = Vec::new();
        let mut files = Vec::new();
        let count = sheet.count as usize;
        while puzzles.len() < count
            && puzzles.len() + aside.len() < TRIED * count
            && generator.attempts() < self.options.attempts
            && !self.control.is_cancelled()
        {
            let made = generator.attempt();
            if let Some(error) = generator.trouble() {
                return Err(Failure::from(error));
            }
            let Some(made) = made else { continue };
            if alike(&puzzles, &made, count) {
                aside.push(made);
                continue;
            }
            if !self.options.no_certificates {
                let place = |name: &str| self.place(name);
                let nodes = self.options.nodes;
                files.push(self.maker.certificate(&made, &place, nodes, self.control)?);
            }
            puzzles.push(made);
            tell(&puzzles, sheet.count, generator.attempts());
        }
        // What is alike is better than nothing.
        for made in aside.into_iter().take(count.saturating_sub(puzzles.len())) {
            if !self.options.no_certificates {
                let place = |name: &str| self.place(name);
                let nodes = self.options.nodes;
                files.push(self.maker.certificate(&made, &place, nodes, self.control)?);
            }
            puzzles.push(made);
        }
        let attempts = generator.attempts();
        // An empty sheet is useless, but programs still get it.
        if !puzzles.is_empty() || self.options.answer.output == Output::Json {
            let (rules, legend) = (self.maker.rules(), self.maker.legend());
            let drawn = sheet::Drawn { game, rules, legend: &legend, puzzles: &puzzles };
            sheet.print(&drawn, &files, attempts, self.options.answer.output)?;
        }
        if puzzles.len() == sheet.count as usize {
            return Ok(());
        }
        say(&format!(
            "found {} of {} puzzles in {} positions; other options, or --attempts with more, may find the rest",
            puzzles.len(),
            sheet.count,
            grouped(attempts)
        ));
        Err(Failure::Unsettled)
    }

    /// Where a certificate goes.
    fn place(&self, name: &str) -> PathBuf {
        match &self.options.certificates {
            Some(directory) => directory.join(name),
            None => default_place(name),
        }
    }
}

/// At most so many times the puzzles of a sheet are made, for variety.
const TRIED: usize = 3;

/// Whether a puzzle is much like others of its sheet: from the same drawn position, or with the first
/// move of every fourth.
fn alike(puzzles: &[Made], made: &Made, count: usize) -> bool {
    let first = |made: &Made| made.turns.first().and_then(|turn| turn.marks.first()).cloned();
    let same = puzzles.iter().filter(|known| first(known) == first(made)).count();
    puzzles.iter().any(|known| known.attempt == made.attempt) || same > count / 4
}

/// The order that the options make.
fn order(options: &Make, maker: &dyn Puzzles) -> Order {
    let method = match options.method {
        Some(MethodArg::A) => Method::Guided,
        Some(MethodArg::B) => Method::Played,
        Some(MethodArg::Passing) => Method::Passing,
        Some(MethodArg::Free) => Method::Free,
        None => maker.method(),
    };
    Order {
        plies: options.sheet.plies,
        unique: match options.unique {
            Some(UniqueArg::Win) => Unique::Win,
            Some(UniqueArg::Shortest) => Unique::Shortest,
            Some(UniqueArg::Any) => Unique::Any,
            None => maker.usual_unique(method),
        },
        grade: options.sheet.grade.map(GradeArg::grade),
        rule_proof: options.sheet.rule_proof,
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
