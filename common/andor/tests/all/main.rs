//! The transposition table from outside, in one executable: as it is used, or under loom in every order.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(loom)]
mod every_order;
#[cfg(not(loom))]
mod growth;
#[cfg(not(loom))]
mod table;
