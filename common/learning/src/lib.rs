//! From game records to evaluations of mate problems (after Kaneko et al.), in stages that many
//! workers share: positions of games are searched for mates ([`draw`]), weights are fitted to what
//! their proofs and disproofs cost ([`fitting`]), tried on games that were held out ([`trial`]), and
//! the tables and figures of the paper are drawn again from the results ([`report`]).
//!
//! Workers share a directory. Each part is a file there, complete or absent, so that work that was
//! interrupted goes on where it was.

pub mod draw;
mod error;
pub mod fitting;
mod paper;
pub mod plan;
mod records;
pub mod report;
mod search;
pub mod self_play;
mod shard;
pub mod trial;
mod tuning;

pub use error::Trouble;
pub use plan::{Plan, Stage};
pub use shard::Kind;
