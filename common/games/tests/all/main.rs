//! The games from outside, in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod budgets;
mod certificates;
mod changed_certificates;
mod cycles;
mod databases;
mod every_game;
mod go_ko;
mod go_positions;
mod go_proofs;
mod go_whole_boards;
mod impossible_states;
mod leaf_reasons;
mod mnk_kernels;
mod play;
mod polyomino_cards;
mod polyomino_keys;
mod polyomino_mirrored_zones;
mod polyomino_reference;
mod polyomino_replay;
mod polyomino_replay_setup;
mod polyomino_sound;
mod polyomino_window;
mod puzzles_from_databases;
mod puzzles_of_a_fourth_game;
mod races;
mod races_reference;
mod random_graphs;
mod restarts;
mod setups;
