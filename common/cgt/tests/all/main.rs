//! Tests of the crate against papers, brute force and identities, in one executable.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod census;
mod domineering;
mod drawings;
mod hostile;
mod identities;
mod names;
mod notation;
mod plain;
mod seed;
mod thermographs;
mod weights;
