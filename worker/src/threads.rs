//! The threads that compute: of the system's own kind, so that a search never keeps the tasks that
//! speak to the coordinator from running.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::Builder;
use std::time::Instant;

use crate::compute::{Compute, Computed};
use crate::desk::Desk;
use crate::error::WorkerError;

/// Searches recurse as deep as games are long.
const STACK: usize = 64 << 20;

/// Starts the threads; they end when the desk is closed.
pub fn start(
    threads: u32,
    desk: &Arc<Desk>,
    compute: &Arc<dyn Compute>,
) -> Result<(), WorkerError> {
    for number in 1..=threads {
        let (on, compute) = (Arc::clone(desk), Arc::clone(compute));
        let builder = Builder::new().name(format!("compute-{number}")).stack_size(STACK);
        if let Err(source) = builder.spawn(move || work(&on, &*compute)) {
            desk.close();
            return Err(WorkerError::Threads { number, threads, source });
        }
    }
    Ok(())
}

fn work(desk: &Desk, compute: &dyn Compute) {
    while let Some(work) = desk.next() {
        let started = Instant::now();
        // One unit must not take the others with it. What a panic leaves half done is thrown away:
        // the unit has its own control and its own directory.
        let computed = catch_unwind(AssertUnwindSafe(|| compute.compute(&work)))
            .unwrap_or_else(|panic| Computed::panicked(&*panic));
        desk.left(&work, computed, started.elapsed());
    }
}
