//! A shogi GUI: it starts an engine without arguments, sends commands and reads lines. Every line
//! must be one of the protocol, as strict GUIs read it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::program::Hasami;

/// Much longer than anything takes; a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// An engine as a GUI has it.
pub struct Engine {
    child: Child,
    /// `None` after the end of the input.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Hasami {
    /// Starts the program as a GUI does: by the name `hasami-usi`, without arguments.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn engine(&self) -> Engine {
        let link = self.path("hasami-usi");
        let program = self.command("").get_program().to_owned();
        if !link.exists() {
            std::os::unix::fs::symlink(program, &link).expect("a link to the program");
        }
        let mut command = std::process::Command::new(link);
        self.settle(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let output = child.stdout.take().expect("a pipe from standard output");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let line = line.expect("lines of UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }
}

impl Engine {
    /// Sends a command.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends anything.
    ///
    /// # Panics
    /// If the engine does not read it.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an input that is open");
        input.write_all(bytes).expect("the engine reads");
        input.flush().expect("the engine reads");
    }

    /// Reads lines up to the first one that begins with these words; that one is the last.
    ///
    /// # Panics
    /// If it does not come, or a line is none of the protocol.
    #[track_caller]
    pub fn until(&mut self, words: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Ok(line) = self.lines.recv_timeout(PATIENCE) else {
                panic!("no {words:?} after {lines:#?}")
            };
            check(&line);
            let found = line.split_whitespace().zip(words.split_whitespace());
            let found = found.filter(|(a, b)| a == b).count() == words.split_whitespace().count();
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// What a GUI does before a game.
    pub fn begin(&mut self, options: &[(&str, &str)]) -> Vec<String> {
        self.send("usi");
        let introduced = self.until("usiok");
        for (name, value) in options {
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.send("isready");
        self.until("readyok");
        self.send("usinewgame");
        introduced
    }

    /// Asks for a mate; returns what was said before the answer, and the words of the answer.
    #[track_caller]
    pub fn mate(&mut self, sfen: &str, time: &str) -> (Vec<String>, Vec<String>) {
        self.send(&format!("position sfen {sfen}"));
        self.send(&format!("go mate {time}"));
        let mut said = self.until("checkmate");
        let answer = said.pop().unwrap_or_default();
        (said, answer.split(' ').skip(1).map(String::from).collect())
    }

    /// Closes the input without a word.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process; returns its exit code and the lines that came meanwhile.
    ///
    /// # Panics
    /// If it does not end.
    #[track_caller]
    pub fn end(mut self) -> (Option<i32>, Vec<String>) {
        let mut lines = Vec::new();
        // The channel closes with the output of the process.
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("the engine does not end: {error}"),
            }
        }
        let status = self.child.wait().expect("the program is waited for");
        (status.code(), lines)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks a line as a strict GUI reads it.
#[track_caller]
fn check(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    assert!(words.iter().all(|word| !word.is_empty()), "two spaces, or one at the end: {line:?}");
    match words[0] {
        "id" => assert!(["name", "author"].contains(&words[1]) && words.len() > 2, "{line:?}"),
        "option" => assert!(words[1] == "name" && words[3] == "type", "{line:?}"),
        "usiok" | "readyok" => assert_eq!(words.len(), 1, "{line:?}"),
        "checkmate" => {
            let word = words.get(1).unwrap_or_else(|| panic!("a bare checkmate"));
            let single = ["nomate", "timeout", "notimplemented"].contains(word);
            assert!(!single || words.len() == 2, "{line:?}");
            assert!(single || words[1..].iter().all(|word| is_move(word)), "{line:?}");
        }
        "bestmove" => assert!(words.len() == 2 && (words[1] == "resign" || is_move(words[1]))),
        "info" => check_info(&words[1..], line),
        _ => panic!("no line of the protocol: {line:?}"),
    }
}

/// Keys with their values; `pv` and `string` take the rest of the line.
#[track_caller]
fn check_info(mut words: &[&str], line: &str) {
    while let Some((&key, rest)) = words.split_first() {
        let number = |text: &str| text.parse::<i64>().is_ok();
        let used = match key {
            "string" => return assert!(!rest.is_empty(), "{line:?}"),
            "pv" => {
                return assert!(!rest.is_empty() && rest.iter().all(|mv| is_move(mv)), "{line:?}");
            }
            "score" => {
                let known = number(rest[1]) || rest[0] == "mate" && ["+", "-"].contains(&rest[1]);
                assert!(["cp", "mate"].contains(&rest[0]) && known, "{line:?}");
                2
            }
            "depth" | "seldepth" | "time" | "nodes" | "nps" | "hashfull" => {
                assert!(number(rest[0]), "{line:?}");
                1
            }
            _ => panic!("{key:?} in {line:?}"),
        };
        words = &rest[used..];
    }
}

fn is_move(word: &str) -> bool {
    let square = |text: &[u8]| matches!(text, [b'1'..=b'9', b'a'..=b'i']);
    let word = word.as_bytes();
    match word {
        [b'P' | b'L' | b'N' | b'S' | b'G' | b'B' | b'R', b'*', to @ ..] => square(to),
        [a, b, rest @ ..] if square(&[*a, *b]) => {
            matches!(rest, [to @ .., b'+'] if square(to)) || square(rest)
        }
        _ => false,
    }
}
