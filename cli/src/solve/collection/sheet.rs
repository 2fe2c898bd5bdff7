//! The table of a collection as a file, written row by row: it may have ten thousand rows.

use std::io::{self, Write as _};
use std::path::Path;

use hasami_files::Draft;
use hasami_report::export::csv_lines;

use super::page;
use super::row::{HEAD, Row};
use crate::failure::Failure;
use crate::files::{Form, form, prepare_place};

/// What a table can be written as.
pub const FORMS: [Form; 5] = [Form::Html, Form::Csv, Form::Json, Form::Jsonl, Form::Text];
/// The columns of a CSV file.
const COLUMNS: [&str; 14] = [
    "file",
    "line",
    "name",
    "verdict",
    "moves",
    "moves_without_futile",
    "unique",
    "expected",
    "as_expected",
    "nodes",
    "seconds",
    "problem",
    "certificate",
    "error",
];

/// A file that has its name when it is complete.
pub struct Sheet<'a> {
    file: &'a Path,
    form: Form,
    draft: io::BufWriter<Draft>,
    rows: u64,
}

impl<'a> Sheet<'a> {
    /// Begins the file.
    pub fn new(file: &'a Path, title: &str) -> Result<Self, Failure> {
        let form = form(file, &FORMS)?;
        prepare_place("-o", file)?;
        let draft = Draft::new(file).map_err(|error| failed(file, &error))?;
        let mut sheet = Self { file, form, draft: io::BufWriter::new(draft), rows: 0 };
        let head = match form {
            Form::Csv => csv_lines([COLUMNS.map(String::from)]),
            Form::Json => "[\n".to_string(),
            Form::Text => format!("{HEAD}\n"),
            Form::Html => page::head(title),
            _ => String::new(),
        };
        sheet.write(&head)?;
        Ok(sheet)
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row) -> Result<(), Failure> {
        let text = match self.form {
            Form::Csv => csv_lines([COLUMNS.map(|column| row.cell(column))]),
            Form::Json => format!("{}{}", if self.rows > 0 { ",\n" } else { "" }, row.shown()),
            Form::Text => format!("{}\n", row.human()),
            Form::Html => page::row(row),
            _ => format!("{}\n", row.shown()),
        };
        self.rows += 1;
        self.write(&text)
    }

    /// Ends the file, which is there from now on.
    pub fn finish(mut self, summary: &str) -> Result<(), Failure> {
        let foot = match self.form {
            Form::Json => "\n]\n".to_string(),
            Form::Html => page::foot(summary),
            _ => String::new(),
        };
        self.write(&foot)?;
        let file = self.file;
        let draft = self.draft.into_inner().map_err(|error| failed(file, error.error()))?;
        draft.finish().map_err(|error| failed(file, &error))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.draft.write_all(text.as_bytes()).map_err(|error| failed(self.file, &error))
    }
}

fn failed(file: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("-o {}: {error}", file.display()))
}
