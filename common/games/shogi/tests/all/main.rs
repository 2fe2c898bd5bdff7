//! The rules of shogi mates against other programs.

mod asked;
mod data;
mod evaluations;
mod exhaustive;
mod futile;
mod lengths;
mod main_lines;
mod notation;
mod own_set;
mod perft;
mod plain;
mod random;
mod second_opinion;
mod states;
