//! The coordinator: a pure scheduler, its journal, and the services around them.

mod certificates;
pub mod core;
pub mod engine;
mod explain;
pub mod journal;
pub mod partition;
mod speed;
