//! Tests of the transposition table in one executable: in normal use, or in every order under loom.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(loom)]
mod every_order;
#[cfg(not(loom))]
mod family;
#[cfg(not(loom))]
mod growth;
mod ladder;
#[cfg(not(loom))]
mod table;
