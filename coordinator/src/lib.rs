//! The coordinator: a pure scheduler, its journal, and the services around them.

pub mod partition;
pub mod simulation;
