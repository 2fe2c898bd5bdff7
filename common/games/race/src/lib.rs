//! Race games: Mancala and Pyonpyon shogi, with databases of all their positions.

pub mod check;
pub mod mancala;
pub mod pyonpyon;
pub mod query;
pub mod subject;
