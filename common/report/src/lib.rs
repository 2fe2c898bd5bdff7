//! The answers of a sweep as tables and files: text, HTML, CSV, JSON, LaTeX, Parquet.

pub mod export;
mod table;

pub use table::{Columns, Matrix, Row, Table};
