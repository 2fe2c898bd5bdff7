//! Small games, and graphs drawn at random to try kernels on.

pub mod chomp;
pub mod graph;
pub mod mnk;
pub mod quarto;
pub mod synthetic;
pub mod trial;
