//! `hasami games`: what can be asked about.

use std::fmt::Write as _;

use hasami_games::games;
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
        for param in game.params {
            let default = param.default.map_or(String::new(), |value| format!(" [{value}]"));
            let _ = writeln!(human, "    {:<12} {}{default}", param.name, param.help);
        }
        let _ = writeln!(human, "    hasami solve {}\n", game.example);
    }
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
