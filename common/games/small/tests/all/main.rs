//! Integration tests in one executable: building one for each file takes minutes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod budgets;
mod certificates;
mod changed_certificates;
mod cycles;
mod graphs;
mod impossible_states;
mod mnk_kernels;
mod random_graphs;
mod restarts;
