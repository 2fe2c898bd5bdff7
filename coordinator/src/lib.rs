//! The coordinator: a pure scheduler, its journal, and the services around them.
//!
//! `hasami` needs [`Coordinator`] and [`server`] alone. The pure parts are public too, because they are
//! useful without a network: [`partition`] and [`positions::Pace`] drive the simulated clusters of
//! `tests/simulation`, and [`core`], [`engine`] and [`journal`] are measured by `tests/bench`.

pub mod certificates;
mod checkpoint;
mod checkpoints;
mod collect;
mod coordinator;
pub mod core;
pub mod engine;
mod explain;
mod http;
pub mod journal;
mod leading;
mod log;
mod notify;
pub mod objects;
mod options;
pub mod partition;
pub mod positions;
mod room;
pub mod server;
mod services;
pub mod shipping;
mod speed;
mod verify;
mod view;
mod waiting;

pub use coordinator::{Coordinator, StartError};
pub use http::{Artist, Diagram, Draw, HttpOptions, LogLines};
pub use options::{Elsewhere, Options};
pub use verify::Verifier;
