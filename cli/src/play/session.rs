//! One game against the user, line by line.

use std::io::{BufRead, IsTerminal};

use hasami_game::play::{Duel, Status, Trouble};
use serde_json::json;

use super::Seat;
use super::screen::Screen;
use crate::failure::Failure;
use crate::output::{Output, grouped};

const HELP: &str = "  help   this
  moves  the moves you have
  show   the position again
  undo   take your last move back
  quit   end the game";

/// Plays until the game is over or the user has had enough.
pub fn play(seat: &Seat<'_, '_>, form: Output) -> Result<(), Failure> {
    let screen = Screen::new(form);
    let mut session = Session {
        seat,
        screen,
        duel: (seat.match_up.begin)(),
        typed: Vec::new(),
        line: Vec::new(),
    };
    session.greet()?;
    let end = session.run(std::io::stdin().lock())?;
    match &end {
        Some(end) => screen.say(&format!("{end}\n"))?,
        None => screen.say(&format!("the game ends here, after {} moves\n", session.line.len()))?,
    }
    let mut json = seat.json();
    json["finished"] = json!(end.is_some());
    json["moves"] = json!(session.line);
    json["end"] = json!(end);
    screen.end(&json, end.as_deref().unwrap_or("unfinished"))
}

struct Session<'m, 'a> {
    seat: &'m Seat<'m, 'a>,
    screen: Screen,
    duel: Box<dyn Duel + 'a>,
    /// The user's moves, to play again after `undo`.
    typed: Vec<String>,
    /// All moves.
    line: Vec<String>,
}

impl Session<'_, '_> {
    fn greet(&self) -> Result<(), Failure> {
        let sides = self.duel.sides();
        self.screen.say(&format!(
            "{}\n{}\nThe certificate is verified ({} states) and plays {}; you play {}.\n{}\n\
             Type a move, or help, moves, show, undo, quit.\n\n",
            self.seat.match_up.header.asked,
            self.seat.match_up.claim,
            grouped(self.seat.match_up.nodes),
            sides.program,
            sides.opponent,
            sides.about,
        ))
    }

    /// Gives how the game ended; `None` if it did not.
    fn run(&mut self, input: impl BufRead) -> Result<Option<String>, Failure> {
        let mut lines = input.lines();
        let mut shown = false;
        loop {
            match self.duel.status() {
                Status::Over(end) => {
                    self.show()?;
                    return Ok(Some(end));
                }
                Status::Program => {
                    let name = self.duel.answer().map_err(|trouble| self.failure(&trouble))?;
                    let side = self.duel.sides().program;
                    self.screen.say(&format!("{side} plays {name}\n"))?;
                    self.line.push(name);
                    shown = false;
                    continue;
                }
                Status::Opponent => {}
            }
            if !shown {
                self.show()?;
                shown = true;
            }
            self.screen.say(&format!("{}? ", self.duel.sides().opponent))?;
            let Some(line) = lines.next() else {
                self.screen.say("\n")?;
                return Ok(None);
            };
            let line = line.map_err(|error| Failure::Usage(format!("standard input: {error}")))?;
            if !std::io::stdin().is_terminal() {
                // What is piped in should be seen as if it had been typed.
                self.screen.say(&format!("{line}\n"))?;
            }
            match line.trim() {
                "" => {}
                "quit" | "exit" => return Ok(None),
                "help" | "?" => {
                    self.screen.say(&format!("type {}\n{HELP}\n", self.duel.expected()))?;
                }
                "show" => shown = false,
                "moves" => self.list()?,
                "undo" => {
                    self.undo()?;
                    shown = false;
                }
                text => shown = !self.play(text)?,
            }
        }
    }

    /// Tells whether the move could be made.
    fn play(&mut self, text: &str) -> Result<bool, Failure> {
        // A number is a place in the list of `moves`.
        let listed =
            || self.duel.moves().into_iter().nth(text.parse::<usize>().ok()?.checked_sub(1)?);
        let text = listed().unwrap_or_else(|| text.to_string());
        match self.duel.play(&text) {
            Ok(name) => {
                let side = self.duel.sides().opponent;
                self.screen.say(&format!("{side} plays {name}\n"))?;
                self.typed.push(text);
                self.line.push(name);
                Ok(true)
            }
            Err(Trouble::NoMove(what)) => {
                self.screen.complain(&what)?;
                Ok(false)
            }
            Err(trouble) => Err(self.failure(&trouble)),
        }
    }

    fn show(&self) -> Result<(), Failure> {
        self.screen.say(&format!("{}\n\n", self.duel.show()))
    }

    fn list(&self) -> Result<(), Failure> {
        let moves = self.duel.moves();
        let width = moves.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let columns = (76 / (width + 6)).max(1);
        let named: Vec<String> = moves
            .iter()
            .enumerate()
            .map(|(at, name)| format!("{:>3} {name:<width$}", at + 1))
            .collect();
        let rows = named.chunks(columns).map(|row| row.join("  ").trim_end().to_string());
        self.screen.say(&format!("{}\n", rows.collect::<Vec<_>>().join("\n")))
    }

    /// Begins again and plays all of the user's moves but the last: answers never differ.
    fn undo(&mut self) -> Result<(), Failure> {
        if self.typed.pop().is_none() {
            return self.screen.complain("there is no move of yours to take back");
        }
        self.duel = (self.seat.match_up.begin)();
        self.line.clear();
        let typed = self.typed.clone();
        let mut typed = typed.iter();
        loop {
            let moved = match self.duel.status() {
                Status::Program => self.duel.answer(),
                Status::Opponent => match typed.next() {
                    Some(text) => self.duel.play(text),
                    None => return Ok(()),
                },
                Status::Over(_) => return Ok(()),
            };
            let name = moved.map_err(|trouble| self.failure(&trouble))?;
            self.line.push(name);
        }
    }

    fn failure(&self, trouble: &Trouble) -> Failure {
        Failure::Failed(format!("{trouble}\nthe moves were: {}", self.line.join(" ")))
    }
}
