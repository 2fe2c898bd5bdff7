//! The problems of a collection, one after the other: lines of a file, or a file that is one game
//! record. Nothing is held but the line at hand.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use hasami_shogi::{Position, record, sfen};

use crate::failure::Failure;
use crate::files::is_stdout;

/// Longest line, in bytes: a long game in USI has a few thousand.
const LONGEST: u64 = 1 << 16;
/// Largest game record, in bytes.
const LARGEST: u64 = 1 << 22;
/// Extensions of files that are one game record.
const RECORDS: [&str; 4] = ["kif", "kifu", "bod", "csa"];

/// One line of a collection, or one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The position as it is written there, or why there is none.
    pub position: Result<String, String>,
    /// The columns after the position, but for the length.
    pub name: String,
    /// The length that is stated for it.
    pub expected: Option<Expected>,
}

/// What a collection states about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A mate in so many plies.
    Plies(u32),
    /// None at all, written `-`.
    None,
}

/// The entries of all files in turn.
pub struct Source {
    files: VecDeque<PathBuf>,
    lines: Option<Lines>,
    /// Whether game records are understood.
    records: bool,
}

struct Lines {
    name: String,
    number: u64,
    reader: Box<dyn BufRead>,
}

impl Source {
    /// Finds out first whether all files can be opened.
    pub fn new(files: &[PathBuf], records: bool) -> Result<Self, Failure> {
        for file in files.iter().filter(|file| !is_stdout(file)) {
            let opened = File::open(file).and_then(|file| file.metadata());
            let about = opened.map_err(|error| Failure::reading(file, &error))?;
            if about.is_dir() {
                let name = file.display();
                return Err(Failure::Usage(format!("--file {name}: a directory; expected a file")));
            }
        }
        Ok(Self { files: files.iter().cloned().collect(), lines: None, records })
    }

    /// The next problem; `None` after the last.
    pub fn next(&mut self) -> Result<Option<Entry>, Failure> {
        loop {
            if let Some(lines) = &mut self.lines {
                if let Some(entry) = lines.next()? {
                    return Ok(Some(entry));
                }
                self.lines = None;
            }
            let Some(file) = self.files.pop_front() else { return Ok(None) };
            let extension = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
            if self.records && RECORDS.contains(&extension.to_lowercase().as_str()) {
                return recorded(&file).map(Some);
            }
            self.lines = Some(Lines::open(&file)?);
        }
    }
}

impl Lines {
    fn open(file: &Path) -> Result<Self, Failure> {
        let reader: Box<dyn BufRead> = if is_stdout(file) {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let opened = File::open(file).map_err(|error| Failure::reading(file, &error))?;
            Box::new(BufReader::new(opened))
        };
        Ok(Self { name: file.display().to_string(), number: 0, reader })
    }

    /// The next line that is neither empty nor a comment.
    fn next(&mut self) -> Result<Option<Entry>, Failure> {
        loop {
            let mut bytes = Vec::new();
            let read = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut bytes);
            let read = read.and_then(|count| {
                if count as u64 == LONGEST && bytes.last() != Some(&b'\n') {
                    self.reader.skip_until(b'\n')?;
                    return Ok((count, true));
                }
                Ok((count, false))
            });
            let (count, cut) =
                read.map_err(|error| Failure::Failed(format!("{}: {error}", self.name)))?;
            if count == 0 {
                return Ok(None);
            }
            self.number += 1;
            if let Some(entry) = self.entry(&bytes, cut) {
                return Ok(Some(entry));
            }
        }
    }

    fn entry(&self, bytes: &[u8], cut: bool) -> Option<Entry> {
        let refused = |why: String| Entry {
            file: self.name.clone(),
            line: self.number,
            position: Err(why),
            name: String::new(),
            expected: None,
        };
        if cut {
            return Some(refused(format!("more than {LONGEST} bytes; expected a position")));
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Some(refused("found bytes that are no UTF-8; expected a position".to_string()));
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        let mut columns = text.split('\t').map(str::trim);
        let position = columns.next().unwrap_or_default().to_string();
        let (mut expected, mut name) = (None, Vec::new());
        for column in columns.filter(|column| !column.is_empty()) {
            match stated(column) {
                Some(length) if expected.is_none() => expected = Some(length),
                _ => name.push(column),
            }
        }
        let name: Vec<&str> = name.into_iter().filter(|&column| column != "?").collect();
        Some(Entry {
            position: Ok(position),
            name: name.join(" "),
            expected,
            ..refused(String::new())
        })
    }
}

/// A column that states a length.
fn stated(column: &str) -> Option<Expected> {
    match column {
        "-" => Some(Expected::None),
        digits => digits.parse().ok().map(Expected::Plies),
    }
}

/// A file that is one game record.
fn recorded(file: &Path) -> Result<Entry, Failure> {
    let mut bytes = Vec::new();
    let opened = File::open(file).and_then(|from| from.take(LARGEST).read_to_end(&mut bytes));
    let count = opened.map_err(|error| Failure::reading(file, &error))?;
    let position = if count as u64 == LARGEST {
        Err(format!("more than {LARGEST} bytes; expected one game record"))
    } else {
        let game = record::decode(&bytes).and_then(|text| record::read(&text));
        game.map(|game| sfen::write(&asked(&game))).map_err(|fault| fault.to_string())
    };
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Entry { file: file.display().to_string(), line: 1, position, name, expected: None })
}

/// The position that a record asks about: a problem has its solution as moves, so it is the one
/// before them; a game from the usual start is asked about where it ends.
fn asked(game: &record::Game) -> Position {
    let usual = sfen::read(sfen::START).is_ok_and(|start| start == game.start);
    if usual { game.last() } else { game.start }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn entries(bytes: &[u8]) -> Vec<Entry> {
        let mut file = tempfile::Builder::new().suffix(".sfen").tempfile().expect("a file");
        file.write_all(bytes).expect("bytes");
        let mut source = Source::new(&[file.path().to_owned()], true).ok().expect("a source");
        std::iter::from_fn(|| source.next().ok().flatten()).collect()
    }

    #[test]
    fn lines_have_a_position_a_length_and_a_name() {
        let text = "\u{feff}# comment\r\n\r\na b\t5\tone two\tthree\r\nb\nc\t-\nd\t?\tzuko";
        let found: Vec<_> = entries(text.as_bytes())
            .into_iter()
            .map(|one| (one.line, one.position.expect("text"), one.name, one.expected))
            .collect();
        let row = |line, position: &str, name: &str, expected| {
            (line, position.to_string(), name.to_string(), expected)
        };
        let expected = [
            row(3, "a b", "one two three", Some(Expected::Plies(5))),
            row(4, "b", "", None),
            row(5, "c", "", Some(Expected::None)),
            row(6, "d", "zuko", None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_is_refused_alone() {
        let mut bytes = vec![b'x'; 3 * LONGEST as usize];
        bytes.extend(b"\n\xff\xfe\nok\n");
        let found = entries(&bytes);
        let lines: Vec<_> = found.iter().map(|one| (one.line, one.position.is_ok())).collect();
        assert_eq!(lines, [(1, false), (2, false), (3, true)]);
    }
}
