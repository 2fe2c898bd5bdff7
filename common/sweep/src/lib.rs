//! Sweep files, the questions in them, and answers. No network, no clock, no disk.

pub mod amount;
mod answer;
mod builtin;
mod error;
mod parse;
mod product;
mod range;
mod sweep;

pub use answer::{Answer, Certificate, Measures, Verdict};
pub use builtin::{BUILTINS, Builtin};
pub use error::{SweepError, SweepErrors};
pub use sweep::Sweep;
