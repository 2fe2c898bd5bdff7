//! The atomics of the table: those of the standard library, or those of loom, which tries every
//! order of the threads and every value that a read may return (`tests/all/every_order.rs`).

#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64, fence};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, fence};
