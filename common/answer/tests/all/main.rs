//! Integration tests in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bounded;
mod every_game;
mod flaws;
mod plain;
mod play;
mod puzzles_of_a_fourth_game;
mod recheck;
mod second_checker;
mod trials;
