//! Integration tests in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod go_ko;
mod go_positions;
mod go_proofs;
mod go_whole_boards;
