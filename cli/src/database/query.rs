//! `hasami query`: what a database says of a position, move by move.

use std::path::PathBuf;

use clap::Args;
use hasami_games::race::{AnyDatabase, Exact, Outcome, QueryError, Told};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{self, OutputArgs};

/// Options of `query`.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    /// The database
    pub file: PathBuf,
    /// The position, as in the parameter `position` of its game
    pub position: String,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Looks a position up.
pub fn query(options: &QueryArgs) -> Result<(), Failure> {
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
