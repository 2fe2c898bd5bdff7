//! Trees of games without further arguments: one legal move, or all of them.

mod check;
mod legal;
mod write;

pub use check::check;
pub use write::write;
