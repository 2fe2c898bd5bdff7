//! The answers of a sweep as tables and files: text, HTML, CSV, JSON, LaTeX, Parquet;
//! and charts.

pub mod chart;
pub mod export;
mod table;
pub mod trials;

pub use table::{Columns, Matrix, Row, Table};
