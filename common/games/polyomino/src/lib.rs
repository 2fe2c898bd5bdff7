//! Polyomino games, and pavings that show shapes to be losers.

pub mod paving;
pub mod paving_winner;
pub mod polyomino;
pub mod shapes;
