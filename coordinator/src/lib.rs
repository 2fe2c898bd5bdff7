//! The coordinator: a pure scheduler, its journal, and the services around them.

mod certificates;
mod coordinator;
pub mod core;
pub mod engine;
mod explain;
pub mod journal;
mod log;
mod notify;
pub mod partition;
pub mod positions;
pub mod server;
mod services;
pub mod simulation;
mod speed;
mod view;

pub use coordinator::{Coordinator, Options, StartError};
