//! The sheet that puzzles are printed on: which puzzles are wanted, and the forms of the file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hasami_answer::registry::{ENTRIES, puzzle_games};
use hasami_answer::{Puzzles, puzzle_json};
use hasami_puzzles::sheet::{Sheet, html, moves, svg, text};
use hasami_puzzles::{Grade, Made, Mark, Origin, Plies};
use hasami_spec::Spec;
use hasami_spec::suggest::{hint, nearest};
use serde_json::json;

use crate::failure::Failure;
use crate::files::{self, Form, prepare_place};
use crate::output::{self, Output};

/// The certificates of puzzles in their order; none at all, if none were wanted.
pub type Certificates = [Option<PathBuf>];

/// What a sheet can be written as.
const FORMS: [Form; 4] = [Form::Html, Form::Svg, Form::Text, Form::Jsonl];

/// Which puzzles, and where they go.
#[derive(Clone, Debug, Args)]
pub struct SheetArgs {
    /// How many puzzles
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub count: u32,
    /// How long: a number of plies, or a range like 5-9. The side to move wins with an odd number
    #[arg(long, default_value = "5", value_name = "PLIES")]
    pub plies: Plies,
    /// How hard [default: whatever comes]
    #[arg(long, value_enum, value_name = "GRADE")]
    pub grade: Option<GradeArg>,
    /// Only puzzles that are won under every reading of the rules
    #[arg(long)]
    pub rule_proof: bool,
    /// The sheet: a file that ends in .html, .svg, .txt or .jsonl [default: text on standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub out: Option<PathBuf>,
    /// The heading of the sheet
    #[arg(long, value_name = "TEXT", help_heading = "Results")]
    pub title: Option<String>,
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

impl GradeArg {
    /// The same for the games.
    pub fn grade(self) -> Grade {
        match self {
            Self::Easy => Grade::Easy,
            Self::Medium => Grade::Medium,
            Self::Hard => Grade::Hard,
        }
    }
}

impl SheetArgs {
    /// Finds out before the work whether the sheet can be written.
    pub fn prepare(&self) -> Result<(), Failure> {
        match &self.out {
            Some(file) => files::form(file, &FORMS).and_then(|_| prepare_place("-o", file)),
            None => Ok(()),
        }
    }

    /// Writes the sheet, and prints it or what became of it.
    pub fn print(
        &self,
        &Drawn { game, rules, legend, puzzles }: &Drawn<'_>,
        certificates: &Certificates,
        attempts: u64,
        output: Output,
    ) -> Result<(), Failure> {
        let title = self.title.clone().unwrap_or_else(|| {
            let (least, most) = (moves(self.plies.least), moves(self.plies.most));
            let range = if least == most {
                most
            } else {
                format!("{} to {most}", self.plies.least.div_ceil(2))
            };
            format!("{}: win in {range}", title_of(game))
        });
        let proof = proofs(puzzles, certificates);
        let sheet = Sheet { title: &title, rules, legend, puzzles, proof: &proof };
        if let Some(file) = &self.out {
            let text = written(&sheet, files::form(file, &FORMS)?, certificates);
            files::save(file, text.as_bytes())?;
        }
        let list: Vec<_> = puzzles
            .iter()
            .enumerate()
            .map(|(at, made)| puzzle_json(made, certificates.get(at).and_then(Option::as_ref)))
            .collect();
        let json = json!({ "game": game, "attempts": attempts, "puzzles": list });
        let human = match &self.out {
            Some(file) => format!("{} puzzles: {}", puzzles.len(), file.display()),
            None => text(&sheet),
        };
        output::print(output, &human, &json, &puzzles.len().to_string())
    }
}

/// Puzzles of a game, with its rules in a sentence or two.
pub struct Drawn<'a> {
    pub game: &'a str,
    pub rules: &'a str,
    pub legend: &'a [(Mark, &'static str)],
    pub puzzles: &'a [Made],
}

/// How puzzles of a game are made.
pub fn maker(game: &str) -> Result<(&'static Spec, &'static dyn Puzzles), Failure> {
    let entry = ENTRIES.iter().find(|entry| entry.spec.name == game);
    entry.and_then(|entry| Some((entry.spec, entry.puzzles?))).ok_or_else(|| {
        let known = puzzle_games();
        let hint = hint(nearest(game, known.iter().copied()));
        Failure::Usage(format!(
            "unknown game \"{game}\"; expected one of {}{hint}",
            known.join(", ")
        ))
    })
}

/// A name as a heading has it.
fn title_of(game: &str) -> String {
    match game {
        "quarto" => "QUARTO!".to_string(),
        _ => game[..1].to_uppercase() + &game[1..],
    }
}

/// What is said of puzzles without a certificate that were drawn from a database: a line for each database.
fn proofs(puzzles: &[Made], certificates: &Certificates) -> Vec<String> {
    let mut lines: Vec<(&Origin, Vec<String>)> = Vec::new();
    for (at, puzzle) in puzzles.iter().enumerate() {
        let certified = certificates.get(at).is_some_and(Option::is_some);
        let Some(origin) = puzzle.origin.as_ref().filter(|_| !certified) else { continue };
        let number = (at + 1).to_string();
        match lines.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, numbers)) => numbers.push(number),
            None => lines.push((origin, vec![number])),
        }
    }
    let told = |(origin, numbers): (&Origin, Vec<String>)| {
        let Origin { about, blake3 } = origin;
        let numbers = numbers.join(", ");
        format!("No certificate for {numbers}: the proof is the database {about}, BLAKE3 {blake3}.")
    };
    lines.into_iter().map(told).collect()
}

/// The whole file.
fn written(sheet: &Sheet<'_>, form: Form, certificates: &Certificates) -> String {
    match form {
        Form::Html => html(sheet),
        Form::Svg => svg(sheet),
        Form::Text => text(sheet),
        _ => {
            let lines = sheet.puzzles.iter().enumerate().map(|(at, puzzle)| {
                let mut line =
                    puzzle_json(puzzle, certificates.get(at).and_then(Option::as_ref)).to_string();
                line.push('\n');
                line
            });
            lines.collect()
        }
    }
}
