//! Trees of games without further arguments: one legal move, or all of them.

mod check;
mod write;

pub use check::check;
pub use write::write;
