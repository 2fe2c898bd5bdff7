//! `hasami games`: what can be asked about.

use std::fmt::Write as _;

use hasami_games::Param;
use hasami_games::games;
use hasami_sweep::{BUILTINS, problems};
use serde_json::json;

use crate::args::GamesArgs;
use crate::failure::Failure;
use crate::output;

/// Lists the games and their parameters.
pub fn run(options: &GamesArgs) -> Result<(), Failure> {
    let games = games();
    let mut human = String::new();
    for game in &games {
        let _ = writeln!(human, "{}: {}", game.name, game.about);
        list(game.params, &mut human);
        let _ = writeln!(human, "    hasami solve {}\n", game.example);
    }
    let _ = writeln!(human, "In sweep files also (docs/sweeps.md):\n");
    for job in problems().iter().filter(|job| games.iter().all(|game| game.name != job.name)) {
        let _ = writeln!(human, "{}: {}", job.name, job.about);
        list(job.params, &mut human);
        let _ = writeln!(human);
    }
    let sweeps: Vec<_> = BUILTINS.iter().map(|sweep| sweep.name).collect();
    let _ = writeln!(human, "Sweeps that come with the program: {}", sweeps.join(", "));
    let json = games.iter().map(|game| {
        let params = game.params.iter().map(|param| {
            json!({ "name": param.name, "help": param.help, "default": param.default,
                    "values": param.values })
        });
        json!({ "name": game.name, "about": game.about, "example": game.example,
                "parameters": params.collect::<Vec<_>>() })
    });
    let names: Vec<_> = games.iter().map(|game| game.name).collect();
    output::print(options.answer.output, &human, &json.collect(), &names.join("\n"))
}

fn list(params: &[Param], human: &mut String) {
    for param in params {
        let default = param.default.map_or(String::new(), |value| format!(" [{value}]"));
        let _ = writeln!(human, "    {:<12} {}{default}", param.name, param.help);
    }
}
