//! `hasami database query`: what a database says of a position, move by move.

use std::path::PathBuf;

use clap::Parser;
use hasami_game::race::{Exact, Outcome, QueryError};
use hasami_race::query::{AnyDatabase, Told};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// Look a position up in a database: its value, and that of every move
#[derive(Clone, Debug, Parser)]
#[command(
    name = "query",
    after_help = "\
Examples:
  hasami database query pass.db start
  hasami database query pass.db GG.SS.G.S/GGG...SSS/GGG...SSS:first --output json
  hasami database query endings.db 1,0,1,1,1,0/0,1,0,1,0,1:second"
)]
pub struct Query {
    /// The database
    pub file: PathBuf,
    /// The position, as in the parameter `position` of its game
    pub position: String,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Query {
    fn run(self) -> Result<(), Failure> {
        look_up(&self)
    }
}

fn look_up(options: &Query) -> Result<(), Failure> {
    let told =
        AnyDatabase::open(&options.file).and_then(|database| database.ask(&options.position));
    let told = told.map_err(|error| match error {
        QueryError::Database(error) => Failure::from(error),
        QueryError::Contradiction(_) => Failure::Failed(error.to_string()),
        other => Failure::Usage(other.to_string()),
    })?;
    let json = json!({
        "database": options.file.display().to_string(),
        "about": told.about,
        "position": told.position,
        "to_move": told.mover.word(),
        "outcome": word(told.value),
        "plies": told.value.plies,
        "moves": told.moves.iter().map(|mv| json!({
            "move": mv.name,
            "position": mv.position,
            "outcome": word(mv.value),
            "plies": mv.value.plies,
        })).collect::<Vec<_>>(),
    });
    output::print(options.answer.output, &human(&told), &json, &told.value.to_string())
}

fn human(told: &Told) -> String {
    let mut text = format!("{}\n{}\n{}\n", told.about, told.drawing, told.value);
    let mut moves: Vec<_> = told.moves.iter().collect();
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.value.merit()));
    for mv in moves {
        text.push_str(&format!("  {:>4}  {:<16} {}\n", mv.name, mv.value.to_string(), mv.position));
    }
    text
}

fn word(value: Exact) -> &'static str {
    match value.outcome {
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
    }
}
