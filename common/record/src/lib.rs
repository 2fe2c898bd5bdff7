//! What is known about one state, as bytes that a store holds and machines send: one record, and
//! how two records of one state merge.

mod merge;
mod record;
mod words;

pub use merge::{Entry, Fault, Merged, merge};
pub use record::{Record, RecordError};
pub use words::{MAX_WORDS, Words};
