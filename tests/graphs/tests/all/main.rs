//! The kernels on random problems, in one executable.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod allocations;
mod deep;
mod hands;
mod kernels_agree_with_the_oracle;
mod sharing;
