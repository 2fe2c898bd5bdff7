//! `hasami puzzles merge`: puzzles that were made before, by `make` or by the workers of a sweep, on
//! one sheet; each position once, up to symmetry.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_answer::Puzzles;
use hasami_puzzles::Made;
use serde_json::Value;

use super::sheet::{Drawn, GradeArg, SheetArgs, maker};
use crate::failure::Failure;
use crate::output::OutputArgs;
use crate::screen::say;
use crate::tree::Verb;

/// Put puzzles that were made before on one sheet, each position once
#[derive(Clone, Debug, Parser)]
#[command(
    name = "merge",
    after_help = "\
Files are what `hasami puzzles make -o FILE.jsonl` writes, or the JSON of a run.

Example:
  hasami puzzles merge quarto puzzles.jsonl results.json --plies 5 -o sheet.html"
)]
pub struct Merge {
    /// The game: quarto, mancala or pyonpyon
    pub game: String,
    /// Files with puzzles, as JSON
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub sheet: SheetArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Merge {
    fn run(self) -> Result<(), Failure> {
        self.sheet.prepare()?;
        let (spec, maker) = maker(&self.game)?;
        let (puzzles, files) = merged(&self, maker)?;
        let (rules, legend) = (maker.rules(), maker.legend());
        let drawn = Drawn { game: spec.name, rules, legend: &legend, puzzles: &puzzles };
        self.sheet.print(&drawn, &files, 0, self.answer.output)
    }
}

/// The puzzles in the files that are as the options want them, and their certificates.
fn merged(
    options: &Merge,
    maker: &dyn Puzzles,
) -> Result<(Vec<Made>, Vec<Option<PathBuf>>), Failure> {
    let mut seen = HashSet::new();
    let (mut puzzles, mut files, mut read) = (Vec::new(), Vec::new(), 0_u64);
    for file in &options.files {
        let text = std::fs::read_to_string(file).map_err(|error| Failure::reading(file, &error))?;
        for (at, line) in text.lines().enumerate() {
            for value in puzzles_of(line).map_err(|what| wrong(file, at, &what))? {
                if value["game"] != options.game.as_str() {
                    continue;
                }
                let made = maker.read(&value).map_err(|what| wrong(file, at, &what))?;
                read += 1;
                if wanted(&options.sheet, maker, &made) && seen.insert(made.key) {
                    puzzles.push(made);
                    files.push(value["certificate"].as_str().map(PathBuf::from));
                }
            }
        }
    }
    say(&format!("{read} puzzles read, {} of them as wanted and different", puzzles.len()));
    puzzles.truncate(options.sheet.count as usize);
    files.truncate(puzzles.len());
    Ok((puzzles, files))
}

fn wrong(file: &Path, line: usize, what: &str) -> Failure {
    Failure::Usage(format!("{}: line {}: {what}", file.display(), line + 1))
}

fn wanted(options: &SheetArgs, maker: &dyn Puzzles, made: &Made) -> bool {
    let plies = (options.plies.least..=options.plies.most).contains(&made.plies);
    let grade = options.grade.map(GradeArg::grade).is_none_or(|grade| grade == made.grade);
    // Without a question under the hardest reading nothing is known.
    let rule_proof = || made.rule_proof == Some(true) || !maker.has_readings(&made.params);
    plies && grade && (!options.rule_proof || rule_proof())
}

/// The puzzles of a line: one, those of an item of a sweep, or those of all items of a run.
fn puzzles_of(line: &str) -> Result<Vec<Value>, String> {
    let value = parsed(line)?;
    match (value["results"].as_array(), value.get("fields")) {
        (Some(items), _) => {
            let lists = items.iter().map(listed).collect::<Result<Vec<_>, _>>()?;
            Ok(lists.concat())
        }
        (None, Some(_)) => listed(&value),
        (None, None) => Ok(vec![value]),
    }
}

/// The puzzles of an item; none, if it has no answer yet.
fn listed(item: &Value) -> Result<Vec<Value>, String> {
    item["fields"]["list"].as_str().unwrap_or_default().lines().map(parsed).collect()
}

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("expected JSON ({error})"))
}
