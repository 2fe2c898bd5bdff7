//! The coordinator: a pure scheduler, its journal, and the services around them.
//!
//! `hasami` needs [`Coordinator`] and [`server`] alone. The pure parts are public too, because they are
//! useful without a network: [`partition`] and [`positions::Pace`] drive the simulated clusters of
//! `tests/simulation`, and [`core`], [`engine`] and [`journal`] are measured by `tests/bench`.

pub mod certificates;
mod checkpoints;
mod collect;
mod coordinator;
pub mod core;
pub mod engine;
mod explain;
pub mod journal;
mod log;
mod notify;
pub mod partition;
pub mod positions;
mod room;
pub mod server;
mod services;
mod speed;
mod verify;
mod view;

pub use coordinator::{Coordinator, Options, StartError};
pub use verify::Verifier;
