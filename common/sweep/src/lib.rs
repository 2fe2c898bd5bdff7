//! Sweep files, the questions in them, answers, and tables of answers. No network, no clock, no
//! disk.

pub mod amount;
mod answer;
mod builtin;
mod error;
pub mod export;
mod parse;
mod product;
mod range;
mod sweep;
mod table;

pub use answer::{Answer, Certificate, Measures, Verdict};
pub use builtin::{BUILTINS, Builtin};
pub use error::{SweepError, SweepErrors};
pub use sweep::Sweep;
pub use table::{Columns, Matrix, Row, Table};
