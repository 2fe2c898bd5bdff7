//! Integration tests in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod polyomino_cards;
mod polyomino_certificates;
mod polyomino_duels;
mod polyomino_forged;
mod polyomino_keys;
mod polyomino_mirrored_zones;
mod polyomino_reference;
mod polyomino_replay;
mod polyomino_replay_setup;
mod polyomino_sound;
mod polyomino_window;
