//! Databases of exact values: one byte for every position of a game, numbered without gaps, in
//! blocks that are compressed and checked one by one.
//!
//! A game defines the number of values and the steps to compute them ([`Plan`]). [`build`] computes
//! them with all threads, writes what is final as it goes, and continues from there after an
//! interruption. [`Shards`] does the same on machines that share a directory. [`Reader`] looks up
//! single values.

mod build;
mod error;
mod file;
mod head;
mod shard;
mod shards;
mod value;

pub use build::{Build, Built, Plan, Values, build};
pub use error::DatabaseError;
pub use file::{Header, Reader, VERSION, Writer};
pub use shard::Shard;
pub use shards::{Piece, Shards, Staged, Watch, outline, slices_of};
pub use value::Value;
