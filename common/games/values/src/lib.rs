//! Values of positions: families of games, and Go.

pub mod go;
pub mod value;
