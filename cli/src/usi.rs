//! `hasami usi`: an engine for mate problems that shogi GUIs can use (docs/shogi.md). Standard output
//! has lines of the protocol and nothing else; the log goes to standard error.

mod engine;
mod go;
mod input;
mod options;
mod out;
mod position;
mod report;
mod run;
mod search;
mod table;
mod watch;

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;

use crate::amounts::mebibytes;
use crate::failure::Failure;
use crate::tree::Verb;
use engine::{Engine, Fault, Next};
use input::Lines;
use options::Settings;
use out::Out;

/// A program with this name is `hasami usi`: a GUI starts an engine without arguments.
const NAME: &str = "hasami-usi";

/// Be a USI engine for shogi mates, for a GUI
#[derive(Clone, Debug, Parser)]
#[command(
    name = "usi",
    after_help = "\
A GUI starts an engine without arguments. Give it a link to this program that is called
hasami-usi, or a script with this one line:
  exec hasami usi

Examples:
  ln -s \"$(command -v hasami)\" ~/bin/hasami-usi
  hasami usi --table 1GiB
    position sfen 9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1
    go mate 10000"
)]
pub struct Usi {
    /// Size of the transposition table: the default of the option USI_Hash
    #[arg(long = "table", default_value = "256MiB", value_name = "SIZE", value_parser = mebibytes)]
    table_mib: u64,
    /// Threads of a search: the default of the option Threads
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=Settings::MOST_THREADS))]
    threads: u16,
}

impl Verb for Usi {
    fn level() -> &'static str {
        "warn"
    }

    fn run(self) -> Result<(), Failure> {
        let mut engine = Engine::new(Settings::new(self.table_mib, self.threads));
        let mut lines = Lines::new(std::io::stdin().lock());
        while let Some(line) = lines.next() {
            let done = line.map_err(Fault::from).and_then(|text| engine.obey(&text));
            match done {
                Ok(Next::Line) => {}
                Ok(Next::End) => break,
                Err(Fault { what, answer }) => {
                    Out.error(&format!("line {}: {what}", lines.number()));
                    answer.into_iter().for_each(|answer| Out.line(answer));
                }
            }
        }
        // A search that is still running ends with the process.
        Ok(())
    }
}

/// The words of a command line; those of `hasami usi` if the program was started by its other name.
pub fn by_name(mut words: Vec<OsString>) -> Vec<OsString> {
    let named = words.first().map(Path::new).and_then(Path::file_stem);
    if named.is_some_and(|name| name == NAME) {
        words.insert(1, "usi".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_other_name_stands_for_the_command() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(by_name(words("/a/hasami-usi -v")), words("/a/hasami-usi usi -v"));
        assert_eq!(by_name(words("hasami-usi.exe")), words("hasami-usi.exe usi"));
        assert_eq!(by_name(words("hasami usi")), words("hasami usi"));
        assert_eq!(by_name(Vec::new()), Vec::<OsString>::new());
    }
}
