//! The forms of a sheet, by the ending of its file.

use std::path::{Path, PathBuf};

use hasami_games::puzzle::sheet::{Sheet, html, svg, text};
use hasami_worker::jobs::puzzle_json;

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

/// The whole file.
pub fn written(sheet: &Sheet<'_>, form: Form, certificates: &[PathBuf]) -> String {
    match form {
        Form::Html => html(sheet),
        Form::Svg => svg(sheet),
        Form::Text => text(sheet),
        Form::JsonLines => {
            let lines = sheet.puzzles.iter().enumerate().map(|(at, puzzle)| {
                let mut line = puzzle_json(puzzle, certificates.get(at)).to_string();
                line.push('\n');
                line
            });
            lines.collect()
        }
    }
}
