//! Certificates taken apart and forged: a second reading of the format that checks nothing, and every
//! small change of a certificate. Shared by the tests of checkers.

#![allow(clippy::missing_panics_doc, reason = "a test may panic")]

mod forge;
mod tree;

pub use forge::forgeries;
pub use tree::{Closing, Node, Part, START, file, parts};
