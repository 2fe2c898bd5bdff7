//! A USI engine as a process, asked for mates.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::figures::Failure;

/// An engine that says nothing for so much longer than its time is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// What an engine should look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Any mate.
    First,
    /// A mate that is known to be shortest.
    Shortest,
}

impl Goal {
    pub fn word(self) -> &'static str {
        match self {
            Self::First => "first mate",
            Self::Shortest => "shortest mate",
        }
    }
}

/// What it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A mate of so many plies.
    Mate(usize),
    /// There is none.
    NoMate,
    /// It does not know.
    Nothing,
}

/// An answer and what it cost.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub found: Found,
    pub seconds: f64,
    pub nodes: u64,
    /// It came before the time was up: the engine had nothing left to look for.
    pub in_time: bool,
}

impl Answer {
    pub fn solved(&self) -> bool {
        self.in_time && self.found != Found::Nothing
    }

    pub fn shown(&self) -> String {
        let Self { found, seconds, nodes, in_time } = self;
        let found = match found {
            Found::Mate(plies) => plies.to_string(),
            Found::NoMate => "none".to_string(),
            Found::Nothing => "?".to_string(),
        };
        let late = if *in_time { "" } else { "+" };
        format!("{found}{late} {seconds:.3} s {:.1} k", *nodes as f64 / 1e3)
    }
}

/// A running engine; killed on drop.
pub struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts an engine and waits until it is ready.
    pub fn start(
        program: &Path,
        words: &[&str],
        goal: Goal,
        mib: u64,
        threads: u32,
    ) -> Result<Self, Failure> {
        let name = program.display().to_string();
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure(format!("{name}: {error}")))?;
        let input = child.stdin.take().expect("a pipe was asked for");
        let output = child.stdout.take().expect("a pipe was asked for");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut engine = Self { name, child, input, lines };
        engine.say("usi")?;
        let offered = engine.until("usiok", PATIENCE)?;
        let (first, shortest) = match goal {
            Goal::First => ("none", "None"),
            Goal::Shortest => ("shortest", "MinLength"),
        };
        let settings = [
            ("USI_Hash", mib.to_string()),
            ("Threads", threads.to_string()),
            ("PostSearch", first.to_string()),
            ("PostSearchLevel", shortest.to_string()),
        ];
        for (option, value) in settings {
            if offered.iter().any(|line| line.starts_with(&format!("option name {option} "))) {
                engine.say(&format!("setoption name {option} value {value}"))?;
            }
        }
        engine.say("isready")?;
        engine.until("readyok", PATIENCE)?;
        Ok(engine)
    }

    /// Asks for a mate.
    pub fn ask(&mut self, sfen: &str, seconds: u64) -> Result<Answer, Failure> {
        self.say(&format!("position sfen {sfen}"))?;
        let start = Instant::now();
        self.say(&format!("go mate {}", seconds * 1000))?;
        let lines = self.until("checkmate", Duration::from_secs(seconds) + PATIENCE)?;
        let took = start.elapsed().as_secs_f64();
        let nodes = lines.iter().rev().find_map(|line| {
            let mut words = line.split_whitespace().skip_while(|word| *word != "nodes");
            words.nth(1)?.parse().ok()
        });
        let last = lines.last().map_or("", String::as_str);
        let moves: Vec<&str> = last.split_whitespace().skip(1).collect();
        let found = match &moves[..] {
            ["nomate"] => Found::NoMate,
            ["timeout" | "notimplemented" | "none"] | [] => Found::Nothing,
            moves => Found::Mate(moves.len()),
        };
        let in_time = took < seconds as f64 * 0.99;
        Ok(Answer { found, seconds: took, nodes: nodes.unwrap_or(0), in_time })
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| Failure(format!("{}: {error}", self.name)))
    }

    /// Reads up to the line that begins with a word.
    fn until(&mut self, word: &str, most: Duration) -> Result<Vec<String>, Failure> {
        let end = Instant::now() + most;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .map_err(|_| Failure(format!("{}: no {word:?} within {most:?}", self.name)))?;
            let last = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if last {
                return Ok(lines);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
