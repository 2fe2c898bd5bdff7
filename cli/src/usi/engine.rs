//! The engine: commands in, at most one search at a time.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use hasami_andor::Kernel;
use hasami_shogi::{Position, legality, sfen};

use super::go::Go;
use super::options::Settings;
use super::out::Out;
use super::run::Run;
use super::search::{Task, work};
use super::table::Tables;
use super::watch::watch;
use super::{position, report};
use crate::version;

/// What comes after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next line.
    Line,
    /// The end.
    End,
}

/// A line that cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong with it, and what was expected.
    pub what: String,
    /// What a GUI waits for nevertheless.
    pub answer: Option<&'static str>,
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self { what, answer: None }
    }
}

/// The engine.
pub struct Engine {
    settings: Settings,
    /// The position, or why the last one was refused.
    position: Result<Position, String>,
    tables: Tables,
    last: Option<Last>,
}

/// The last search that was asked for.
struct Last {
    run: Arc<Run>,
    go: Go,
    /// It may take longer than its answer.
    worker: JoinHandle<()>,
}

impl Engine {
    /// An engine at the usual start.
    pub fn new(settings: Settings) -> Self {
        let position = sfen::read(sfen::START).map_err(|fault| fault.to_string());
        Self { settings, position, tables: Tables::default(), last: None }
    }

    /// Obeys a line.
    ///
    /// # Errors
    /// If it cannot be obeyed.
    pub fn obey(&mut self, line: &str) -> Result<Next, Fault> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(Next::Line) };
        let mut answer = None;
        let done = match command {
            "usi" => {
                self.introduce();
                Ok(())
            }
            "isready" => {
                let prepared = self.prepare();
                Out.line("readyok");
                prepared
            }
            // What the table knows stays true.
            "usinewgame" => Ok(()),
            "setoption" => self.settings.set(rest),
            "position" => self.set_position(rest),
            "go" if self.running().is_some() => {
                Err("a search is running; expected stop before it".to_string())
            }
            "go" => {
                answer = Some(report::no_answer(Go::purpose(rest)));
                self.go(rest)
            }
            "stop" | "gameover" => {
                self.stop();
                Ok(())
            }
            "ponderhit" => {
                self.go_on();
                Ok(())
            }
            "quit" => return Ok(Next::End),
            _ => {
                let what = format!(
                    "found {command:?}; expected usi, isready, setoption, usinewgame, position, \
                     go, stop, ponderhit, gameover or quit"
                );
                return Err(what.into());
            }
        };
        match done {
            Ok(()) => Ok(Next::Line),
            Err(fault) => Err(Fault { what: format!("{command}: {fault}"), answer }),
        }
    }

    fn introduce(&self) {
        Out.line(&format!("id name hasami {}", version::short()));
        Out.line("id author the hasami project");
        self.settings.declared().iter().for_each(|option| Out.line(option));
        Out.line("usiok");
    }

    /// Gets the memory now, so that a search need not fail for it.
    fn prepare(&mut self) -> Result<(), String> {
        match self.running() {
            Some(_) => Ok(()),
            None => self.tables.prepare(self.settings.table_mib),
        }
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let found = position::read(words);
        // A wrong one must not leave the one before, which nobody asks about any more.
        self.position = found.clone().map_err(|fault| format!("no position: {fault}"));
        found.map(drop)
    }

    /// The search that has not been answered yet.
    fn running(&self) -> Option<&Last> {
        self.last.as_ref().filter(|last| !last.run.is_answered())
    }

    fn stop(&self) {
        if let Some(last) = self.running() {
            last.run.answer_now();
        }
    }

    /// The move that was pondered on has come: the answer may be sent, and the clock runs.
    fn go_on(&self) {
        if let Some(last) = self.running() {
            let deadline = last.go.time.and_then(|time| Instant::now().checked_add(time));
            last.run.change(|state| {
                state.hold = false;
                state.deadline = deadline;
            });
        }
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let position = self.position.clone()?;
        let turn = position.turn();
        let go = Go::read(words, turn)?;
        let checked = position.in_check(turn);
        let defends = self.settings.defends_in_check && checked;
        let attacker = if defends { turn.other() } else { turn };
        legality::check(&position, attacker).map_err(|fault| {
            let hint = if checked && !defends {
                "; RootIsAndNodeIfChecked asks whether the side to move gets mated"
            } else {
                ""
            };
            format!("{fault}{hint}")
        })?;
        let before = self.last.take();
        if before.as_ref().is_some_and(|last| last.run.state().spoiled) {
            self.tables.forget();
        }
        let table = self.tables.table_for(self.settings.table_mib, &position, attacker)?;
        let limit = |number: u64| if number == 0 { u64::MAX } else { number };
        let nodes = limit(self.settings.nodes).min(go.nodes.unwrap_or(u64::MAX));
        let plies = limit(self.settings.plies).min(go.plies.unwrap_or(u64::MAX));
        let task = Task {
            position,
            attacker,
            plies: u32::try_from(plies).ok(),
            shortest: self.settings.shortest,
            kernel: match self.settings.threads {
                1 => Kernel::Dfpn,
                threads => Kernel::Threads(threads as usize),
            },
        };
        let run = Arc::new(Run::new(&go, nodes, defends, table));
        let no_thread = |error| format!("no thread: {error}");
        let (searching, watching) = (Arc::clone(&run), Arc::clone(&run));
        let worker = Builder::new().name("search".to_string()).spawn(move || {
            // The search before may still be ending; both at once would share the machine.
            if let Some(Last { worker, .. }) = before {
                // A panic of that thread has been reported by its hook.
                let _ = worker.join();
            }
            work(&task, &searching);
        });
        let worker = worker.map_err(no_thread)?;
        let pause = self.settings.pause();
        Builder::new()
            .name("watch".to_string())
            .spawn(move || watch(&watching, pause))
            .map_err(no_thread)?;
        self.last = Some(Last { run, go, worker });
        Ok(())
    }
}
