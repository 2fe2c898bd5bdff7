//! Tables as files: for terminals, spreadsheets, programs and browsers.

mod csv;
mod grid;
mod html;
mod json;
mod latex;
mod parquet;
mod plots;
mod statistics;
mod text;
mod trials;

pub use csv::{csv, csv_lines};
pub use grid::{grid, legend};
pub use html::{Report, html};
pub use json::{json, json_lines, row_json};
pub use latex::latex;
pub use parquet::parquet;
pub use plots::plots;
pub use statistics::{Statistics, statistics};
pub use text::{aligned, text};
pub use trials::trials;

/// Why a table cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The Parquet writer refuses it.
    #[error("Parquet: {0}")]
    Parquet(String),
}

/// 1234567 as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
