//! What people see of a cluster: HTML pages of runs, items, workers and log lines, and reports to
//! print. Pure: plain data in, text out. The coordinator serves the pages, and `hasami report` writes
//! the same parts into one file.
//!
//! Every text is escaped by [`maud`]. Pictures are SVG made by this program.

mod bar;
mod diagrams;
mod frame;
mod item;
mod items;
mod log;
mod login;
mod problem;
mod report;
mod run;
mod runs;
mod search;
mod submit;
#[cfg(test)]
mod tests;
mod view;
pub mod words;
mod workers;

pub use diagrams::diagrams;
pub use frame::{SCRIPT, STYLE, etag};
pub use item::{ItemPage, item, line};
pub use items::{Items, Order, Sort, address, table};
pub use log::{LogLine, log, log_lines};
pub use login::login;
pub use problem::problem;
pub use report::{Machine, Report, report};
pub use run::{RunPage, Shown, matrices, progress, run};
pub use runs::{home, runs_table};
pub use search::{PathStep, SearchView, Searcher, searches};
pub use submit::{Check, check, submit};
pub use view::{Frame, Picture, Viewer};
pub use workers::{WorkerRow, worker_table, workers};
