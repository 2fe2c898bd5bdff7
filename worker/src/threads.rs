//! Compute threads: OS threads, so that a search never blocks the tasks that call the coordinator.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::Builder;
use std::time::Instant;

use tracing::Span;

use crate::compute::{Compute, Computed};
use crate::error::WorkerError;
use crate::lease_queue::LeaseQueue;

/// Searches recurse as deep as games are long.
const STACK: usize = 64 << 20;

/// Starts the threads; they end when the queue is closed.
pub fn start(
    threads: u32,
    queue: &Arc<LeaseQueue>,
    compute: &Arc<dyn Compute>,
) -> Result<(), WorkerError> {
    for number in 1..=threads {
        let (on, compute) = (Arc::clone(queue), Arc::clone(compute));
        let builder = Builder::new().name(format!("compute-{number}")).stack_size(STACK);
        let span = Span::current();
        if let Err(source) = builder.spawn(move || span.in_scope(|| guarded(&on, &*compute))) {
            queue.close();
            return Err(WorkerError::Threads { number, threads, source });
        }
    }
    Ok(())
}

/// A worker without its threads would hold its units forever: if one is gone, so is the worker.
fn guarded(queue: &LeaseQueue, compute: &dyn Compute) {
    if catch_unwind(AssertUnwindSafe(|| work(queue, compute))).is_err() {
        queue.broken.notify_one();
    }
}

fn work(queue: &LeaseQueue, compute: &dyn Compute) {
    let mut left = None;
    while let Some(unit) = queue.next(left) {
        let started = Instant::now();
        // One unit must not take the others with it. Whatever a panic leaves half done is
        // discarded: the unit has its own control and its own directory.
        let computed = catch_unwind(AssertUnwindSafe(|| compute.compute(&unit)))
            .unwrap_or_else(|panic| Computed::panicked(&*panic));
        queue.left(&unit, computed, started.elapsed());
        left = Some(Instant::now());
    }
}
