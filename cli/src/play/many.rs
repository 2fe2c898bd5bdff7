//! Games against a random opponent: one to look at, or very many to count.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hasami_game::play::Status;
use hasami_game::random::{SplitMix, scramble};
use serde_json::json;

use super::screen::Screen;
use super::{PlayArgs, Seat};
use crate::failure::Failure;
use crate::output::grouped;

/// Plays the games and says how they ended.
pub fn play(seat: &Seat<'_, '_>, options: &PlayArgs) -> Result<(), Failure> {
    let screen = Screen::new(options.answer.output);
    screen.say(&format!("{}\n{}\n", seat.match_up.header.asked, seat.match_up.claim))?;
    let mut ends = BTreeMap::<String, u64>::new();
    let (mut fewest, mut most) = (usize::MAX, 0);
    let mut line = Vec::new();
    for number in 0..options.games {
        let mut random = SplitMix::new(scramble(options.seed).wrapping_add(number));
        line.clear();
        let end = game(seat, &mut random, &mut line, (options.games == 1).then_some(screen))
            .map_err(|what| {
                let moves = line.join(" ");
                Failure::Failed(format!("{what}\ngame {}, the moves were: {moves}", number + 1))
            })?;
        *ends.entry(end).or_default() += 1;
        (fewest, most) = (fewest.min(line.len()), most.max(line.len()));
    }
    let mut human = format!(
        "{} games against a random opponent, seed {}, {fewest} to {most} moves long\n",
        grouped(options.games),
        options.seed
    );
    for (end, count) in &ends {
        let _ = writeln!(human, "  {:>9}  {end}", grouped(*count));
    }
    screen.say(&human)?;
    let mut json = seat.json();
    json["seed"] = json!(options.seed);
    json["games"] = json!(options.games);
    json["fewest_moves"] = json!(fewest);
    json["most_moves"] = json!(most);
    json["ends"] = json!(ends);
    if options.games == 1 {
        json["moves"] = json!(line);
    }
    let quiet: Vec<String> = ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
    screen.end(&json, &quiet.join("\n"))
}

/// Plays one game to its end and gives how it ended.
fn game(
    seat: &Seat<'_, '_>,
    random: &mut SplitMix,
    line: &mut Vec<String>,
    screen: Option<Screen>,
) -> Result<String, String> {
    let mut duel = (seat.match_up.begin)();
    let say = |text: String| match screen {
        Some(screen) => screen.say(&text).map_err(|_| "standard output is gone".to_string()),
        None => Ok(()),
    };
    loop {
        let sides = duel.sides();
        let (side, moved) = match duel.status() {
            Status::Over(end) => {
                say(format!("{}\n\n", duel.show()))?;
                return Ok(end);
            }
            Status::Program => (sides.program, duel.answer()),
            Status::Opponent => {
                say(format!("{}\n\n", duel.show()))?;
                let choice = duel.random(random);
                (sides.opponent, duel.play(&choice))
            }
        };
        let name = moved.map_err(|trouble| trouble.to_string())?;
        say(format!("{side} plays {name}\n"))?;
        line.push(name);
    }
}
