//! Tests of the store in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod checkpoint;
mod common;
mod contradiction;
mod fixtures;
mod full_disk;
mod looking;
mod make_fixture;
mod model;
mod notes;
mod opening;
mod redis_cluster;
mod redis_faults;
mod redis_sync;
mod redis_tls;
