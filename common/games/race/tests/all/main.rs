//! Integration tests in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod checks;
mod databases;
mod puzzles_from_databases;
mod races;
mod races_reference;
