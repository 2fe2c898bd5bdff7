//! The atomics of the table: the machine's, or those of loom, which tries every order in which
//! threads may meet and every value that a read may find (`tests/all/every_order.rs`).

#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64, fence};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, fence};
