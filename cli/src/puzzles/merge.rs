//! `hasami puzzles merge`: puzzles that were made before, by `make` or by the workers of a sweep, on
//! one sheet; each position once, up to symmetry.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_games::Params;
use hasami_games::puzzle::{
    Difficulty, Made, Origin, Puzzle, PuzzleVisitor, thresholds, visit_puzzle,
};
use serde_json::Value;

use super::sheet::{GradeArg, SheetArgs};
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
        visit_puzzle(&self.game, &[], Merging { options: &self })?
    }
}

struct Merging<'a> {
    options: &'a Merge,
}

impl PuzzleVisitor for Merging<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Puzzle>(self, _: &Params) -> Self::Output {
        let (puzzles, files) = merged::<G>(self.options)?;
        self.options.sheet.print::<G>(&puzzles, &files, 0, self.options.answer.output)
    }
}

/// The puzzles in the files that are as the options want them, and their certificates.
fn merged<G: Puzzle>(options: &Merge) -> Result<(Vec<Made>, Vec<Option<PathBuf>>), Failure> {
    let mut seen = HashSet::new();
    let (mut puzzles, mut files, mut read) = (Vec::new(), Vec::new(), 0_u64);
    for file in &options.files {
        let text = std::fs::read_to_string(file).map_err(|error| Failure::reading(file, &error))?;
        for (at, line) in text.lines().enumerate() {
            for value in puzzles_of(line).map_err(|what| wrong(file, at, &what))? {
                if value["game"] != G::NAME {
                    continue;
                }
                let made = read_puzzle::<G>(&value).map_err(|what| wrong(file, at, &what))?;
                read += 1;
                if wanted::<G>(&options.sheet, &made) && seen.insert(made.key) {
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

fn wanted<G: Puzzle>(options: &SheetArgs, made: &Made) -> bool {
    let plies = (options.plies.least..=options.plies.most).contains(&made.plies);
    let grade = options.grade.map(GradeArg::grade).is_none_or(|grade| grade == made.grade);
    // Where nobody has asked under the hardest reading, nothing is known.
    let rule_proof = || made.rule_proof == Some(true) || G::hardest_reading(&made.params).is_none();
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

/// A puzzle from its JSON. What depends on the position is computed again.
fn read_puzzle<G: Puzzle>(value: &Value) -> Result<Made, String> {
    let text = |name: &str| {
        value[name].as_str().ok_or_else(|| format!("expected a puzzle with the text {name:?}"))
    };
    let number = |name: &str| {
        let number = value[name].as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("expected a puzzle with the number {name:?}"))
    };
    let params = Params::parse(G::params(), text("question")?).map_err(|e| e.to_string())?;
    let game = G::from_params(&params).map_err(|error| error.to_string())?;
    let root = game.root();
    let free = game.asked_from(&params, &root).ok_or("expected a game that goes on")?;
    let key = G::from_params(&free).map_err(|error| error.to_string())?;
    let key = key.key(&key.root());
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let line = list("line").iter().filter_map(|mv| mv.as_str().map(str::to_string)).collect();
    let winning = |solution: &Value| {
        let plies = u32::try_from(solution["plies"].as_u64()?).ok()?;
        Some((solution["move"].as_str()?.to_string(), plies))
    };
    let winning = list("solutions").iter().filter_map(winning).collect();
    let difficulty = Difficulty {
        choices: number("choices")?,
        traps: number("traps")?,
        replies: number("replies")?,
    };
    Ok(Made {
        game: G::NAME,
        position: text("position")?.to_string(),
        plies: number("plies")?,
        key,
        winning,
        line,
        difficulty,
        grade: difficulty.grade(thresholds(G::GRADES, number("plies")?)),
        rule_proof: value["rule_proof"].as_bool(),
        label: G::label(&params),
        drawing: game.drawing(&root),
        attempt: value["attempt"].as_u64().unwrap_or_default(),
        origin: origin(&value["database"]),
        params,
    })
}

/// The database that a puzzle was drawn from.
fn origin(value: &Value) -> Option<Origin> {
    let text = |name: &str| value[name].as_str().map(str::to_string);
    Some(Origin { about: text("about")?, blake3: text("blake3")? })
}
