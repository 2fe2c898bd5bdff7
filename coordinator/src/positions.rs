//! The shared transposition store as a service: workers publish their records and receive those of
//! others. Uses a [`Store`](hasami_store::Store), which is only called on threads that may block.

mod batch;
mod callers;
mod fault;
mod feed;
mod feeds;
mod load;
mod notes;
mod pace;
mod senders;
mod service;
mod writer;

pub use callers::{Call, Callers};
pub use fault::Faults;
pub use feeds::Bounds;
pub use pace::Pace;
pub use senders::Contradiction;
pub use service::{PositionCalls, Positions};
