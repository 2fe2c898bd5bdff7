//! The coordinator's services over real sockets. One program: each is linked with RocksDB, which
//! takes its time.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod access;
mod cluster;
mod edges;
mod health;
mod intruders;
mod keep;
mod notes;
mod positions;
mod whole;
