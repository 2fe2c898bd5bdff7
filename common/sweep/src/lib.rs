//! Sweep files, the questions in them, and answers. No network, no clock, no disk.

pub mod amount;
mod answer;
mod builtin;
mod error;
pub mod lines;
mod parse;
mod product;
mod range;
mod stored;
mod sweep;
pub mod text;

pub use answer::{Answer, Basis, Certificate, Check, Measures, Verdict};
pub use builtin::{BUILTINS, Builtin};
pub use error::{SweepError, SweepErrors};
pub use stored::{Stored, StoredAxis, StoredError, StoredValues};
pub use sweep::Sweep;
