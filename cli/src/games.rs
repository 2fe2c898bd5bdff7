//! `hasami games`: what can be asked about.

use std::fmt::Write as _;

use clap::Parser;
use hasami_answer::CATALOG;
use hasami_answer::registry::{ENTRIES, games};
use hasami_spec::{Param, Spec};
use hasami_sweep::BUILTINS;
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
    let mut human = String::new();
    for game in games() {
        let _ = writeln!(human, "{:<18} {}", game.spec.name, game.spec.about);
    }
    let _ = writeln!(human, "\nIn sweep files also:");
    for job in ENTRIES.iter().filter(|entry| entry.rules.is_none()) {
        let _ = writeln!(human, "{:<18} {}", job.spec.name, job.spec.about);
    }
    let sweeps: Vec<_> = BUILTINS.iter().map(|sweep| sweep.name).collect();
    let _ = writeln!(human, "\nSweeps that come with the program: {}", sweeps.join(", "));
    let _ = writeln!(human, "`hasami games NAME` lists the parameters of one.");
    let names: Vec<_> = games().map(|game| game.spec.name).collect();
    (human, games().map(|game| described(game.spec)).collect(), names.join("\n"))
}

fn one(name: &str) -> Result<(String, Value, String), Failure> {
    let entry = ENTRIES.iter().find(|entry| entry.spec.name == name).ok_or_else(|| {
        let names: Vec<_> = CATALOG.iter().map(|spec| spec.name).collect();
        let hint = suggest::nearest(name, names.iter().copied());
        let hint = hint.map_or(String::new(), |hint| format!("; did you mean {hint}?"));
        Failure::Usage(format!("unknown game {name}; expected one of {}{hint}", names.join(", ")))
    })?;
    let Spec { about, params, example, .. } = entry.spec;
    let is_game = entry.rules.is_some();
    let mut human = format!("{name}: {about}{}\n", if is_game { "" } else { " (in sweep files)" });
    list(params, &mut human);
    if is_game {
        let _ = writeln!(human, "\n  hasami solve {example}");
    }
    let names: Vec<_> = params.iter().map(|param| param.name).collect();
    Ok((human, described(entry.spec), names.join("\n")))
}

fn described(spec: &Spec) -> Value {
    json!({
        "name": spec.name, "about": spec.about, "example": spec.example,
        "parameters": parameters(spec.params),
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
