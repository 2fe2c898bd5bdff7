//! The shared transposition store as a service: workers publish what they have settled and hear
//! what others have. Relies on a [`Store`](hasami_store::Store), which is only ever called on
//! threads that may wait.

mod batch;
mod fault;
mod feed;
mod feeds;
mod load;
mod notes;
mod pace;
mod service;
mod writer;

pub use feeds::Bounds;
pub use pace::Pace;
pub use service::Positions;
