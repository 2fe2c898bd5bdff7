//! The forms of a sheet, by the ending of its file.

use std::path::Path;

use hasami_games::puzzle::sheet::{Sheet, html, svg, text};
use hasami_games::puzzle::{Made, Origin};
use hasami_worker::jobs::puzzle_json;

use super::Certificates;
use crate::failure::Failure;

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Html,
    Svg,
    Text,
    JsonLines,
}

impl Form {
    /// The form of a file by its ending.
    pub fn of(file: &Path) -> Result<Self, Failure> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("html") => Ok(Self::Html),
            Some("svg") => Ok(Self::Svg),
            Some("txt") => Ok(Self::Text),
            Some("jsonl") => Ok(Self::JsonLines),
            _ => Err(Failure::Usage(format!(
                "--out {}: expected a file that ends in .html, .svg, .txt or .jsonl",
                file.display()
            ))),
        }
    }
}

/// What is said of puzzles without a certificate that were drawn from a database: a line for each database.
pub fn proofs(puzzles: &[Made], certificates: &Certificates) -> Vec<String> {
    let mut lines: Vec<(&Origin, Vec<String>)> = Vec::new();
    for (at, puzzle) in puzzles.iter().enumerate() {
        let certified = certificates.get(at).is_some_and(Option::is_some);
        let Some(origin) = puzzle.origin.as_ref().filter(|_| !certified) else { continue };
        let number = (at + 1).to_string();
        match lines.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, numbers)) => numbers.push(number),
            None => lines.push((origin, vec![number])),
        }
    }
    let told = |(origin, numbers): (&Origin, Vec<String>)| {
        let Origin { about, blake3 } = origin;
        let numbers = numbers.join(", ");
        format!("No certificate for {numbers}: the proof is the database {about}, BLAKE3 {blake3}.")
    };
    lines.into_iter().map(told).collect()
}

/// The whole file.
pub fn written(sheet: &Sheet<'_>, form: Form, certificates: &Certificates) -> String {
    match form {
        Form::Html => html(sheet),
        Form::Svg => svg(sheet),
        Form::Text => text(sheet),
        Form::JsonLines => {
            let lines = sheet.puzzles.iter().enumerate().map(|(at, puzzle)| {
                let mut line =
                    puzzle_json(puzzle, certificates.get(at).and_then(Option::as_ref)).to_string();
                line.push('\n');
                line
            });
            lines.collect()
        }
    }
}
