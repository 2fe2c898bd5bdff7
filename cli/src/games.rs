//! `hasami games`: what can be asked about.

use std::fmt::Write as _;

use clap::Parser;
use hasami_games::{GameInfo, Param, games};
use hasami_sweep::{BUILTINS, problems};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::suggest;
use crate::tree::Verb;

/// List the games, or one of them with its parameters
#[derive(Clone, Debug, Parser)]
#[command(name = "games", after_help = "Examples:\n  hasami games\n  hasami games polyomino")]
pub struct Games {
    /// The game, or a problem of sweep files
    pub name: Option<String>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Games {
    fn run(self) -> Result<(), Failure> {
        let (human, json, quiet) = match &self.name {
            None => all(),
            Some(name) => one(name)?,
        };
        output::print(self.answer.output, &human, &json, &quiet)
    }
}

fn all() -> (String, Value, String) {
    let games = games();
    let mut human = String::new();
    for game in &games {
        let _ = writeln!(human, "{:<18} {}", game.name, game.about);
    }
    let _ = writeln!(human, "\nIn sweep files also:");
    for job in problems().iter().filter(|job| games.iter().all(|game| game.name != job.name)) {
        let _ = writeln!(human, "{:<18} {}", job.name, job.about);
    }
    let sweeps: Vec<_> = BUILTINS.iter().map(|sweep| sweep.name).collect();
    let _ = writeln!(human, "\nSweeps that come with the program: {}", sweeps.join(", "));
    let _ = writeln!(human, "`hasami games NAME` lists the parameters of one.");
    let names: Vec<_> = games.iter().map(|game| game.name).collect();
    (human, games.iter().map(described).collect(), names.join("\n"))
}

fn one(name: &str) -> Result<(String, Value, String), Failure> {
    let games = games();
    let problems = problems();
    let params = |params: &[Param]| -> String {
        let names: Vec<_> = params.iter().map(|param| param.name).collect();
        names.join("\n")
    };
    if let Some(game) = games.iter().find(|game| game.name == name) {
        let mut human = format!("{}: {}\n", game.name, game.about);
        list(game.params, &mut human);
        let _ = writeln!(human, "\n  hasami solve {}", game.example);
        return Ok((human, described(game), params(game.params)));
    }
    if let Some(job) = problems.iter().find(|job| job.name == name) {
        let mut human = format!("{}: {} (in sweep files)\n", job.name, job.about);
        list(job.params, &mut human);
        let json = json!({
            "name": job.name, "about": job.about, "parameters": parameters(job.params),
        });
        return Ok((human, json, params(job.params)));
    }
    let mut names: Vec<_> = games.iter().map(|game| game.name).collect();
    names.extend(
        problems
            .iter()
            .map(|job| job.name)
            .filter(|name| !names.contains(name))
            .collect::<Vec<_>>(),
    );
    let hint = suggest::nearest(name, names.iter().copied());
    let hint = hint.map_or(String::new(), |hint| format!("; did you mean {hint}?"));
    Err(Failure::Usage(format!("unknown game {name}; expected one of {}{hint}", names.join(", "))))
}

fn described(game: &GameInfo) -> Value {
    json!({
        "name": game.name, "about": game.about, "example": game.example,
        "parameters": parameters(game.params),
    })
}

fn parameters(params: &[Param]) -> Vec<Value> {
    let one = |param: &Param| {
        json!({
            "name": param.name, "help": param.help, "default": param.default,
            "values": param.values,
        })
    };
    params.iter().map(one).collect()
}

fn list(params: &[Param], human: &mut String) {
    for param in params {
        let default = param.default.map_or(String::new(), |value| format!(" [{value}]"));
        let _ = writeln!(human, "  {:<12} {}{default}", param.name, param.help);
    }
}
