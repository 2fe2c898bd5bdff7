//! Connects the compute threads with the tasks that call the coordinator: the units held, behind
//! one lock that is never held while waiting.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hasami_unit::{Assignment, Failure, Lease, OtherWorkers, Outcome, Task};
use tokio::sync::Notify;

use crate::appetite::Appetite;
use crate::compute::{Computed, LeasedUnit};
use crate::held::{Held, Left, Ticket, Upload};
use crate::lease::lease_event;
use crate::scratch::Scratch;
use crate::summary::{Snapshot, Tally};

/// State shared by threads and tasks.
pub struct LeaseQueue {
    inner: Mutex<Inner>,
    /// A unit is available for a thread, or the queue is closed.
    units: Condvar,
    /// Outcomes may be ready to hand in.
    pub outcomes: Notify,
    /// Certificates may be ready to upload.
    pub files: Notify,
    /// More units may fit.
    pub room: Notify,
    /// A thread has ended by a fault of the worker itself.
    pub broken: Notify,
    scratch: Arc<Scratch>,
}

struct Inner {
    held: Held,
    appetite: Appetite,
    tally: Tally,
    /// Threads should end.
    closed: bool,
}

impl LeaseQueue {
    /// An empty queue.
    #[must_use]
    pub fn new(threads: u32, scratch: Arc<Scratch>) -> Self {
        let appetite = Appetite::new(threads);
        let (held, tally) = (Held::default(), Tally::default());
        Self {
            inner: Mutex::new(Inner { held, appetite, tally, closed: false }),
            units: Condvar::new(),
            outcomes: Notify::new(),
            files: Notify::new(),
            room: Notify::new(),
            broken: Notify::new(),
            scratch,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No code below panics in the middle of a change, so a poisoned lock is still consistent.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a unit that the coordinator has handed out.
    pub fn add(&self, assignment: Assignment) {
        let lease = assignment.lease;
        let mut inner = self.lock();
        inner.appetite.given(matches!(assignment.task, Task::Search(_)));
        let added = inner.held.add(assignment);
        drop(inner);
        if added {
            lease_event!(debug, lease, "unit taken");
            self.units.notify_one();
        } else {
            lease_event!(debug, lease, "unit given again; it is held already");
        }
        // There may be more room than this unit fills.
        self.room.notify_one();
    }

    /// Fails a unit that cannot be read.
    pub fn add_unreadable(&self, lease: Lease, failure: Failure) {
        lease_event!(warn, lease, "a unit cannot be read: {}", failure.message);
        self.lock().held.add_unreadable(lease, failure);
        self.outcomes.notify_one();
        self.room.notify_one();
    }

    /// Waits for the next unit for a thread that has left one at `since`, if it had one. `None`: the
    /// thread should end.
    pub fn next(&self, since: Option<Instant>) -> Option<LeasedUnit> {
        let mut inner = self.lock();
        loop {
            if inner.closed {
                return None;
            }
            if let Some((ticket, assignment, control)) = inner.held.next() {
                let idle = since.map_or(Duration::ZERO, |since| since.elapsed());
                inner.tally.idle += idle;
                lease_event!(debug, assignment.lease, ?idle, "unit begun");
                let scratch = self.scratch.of(ticket);
                return Some(LeasedUnit { ticket, assignment, control, scratch });
            }
            inner = self.units.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records that a thread has left a unit after this time.
    pub fn left(&self, unit: &LeasedUnit, computed: Computed, took: Duration) {
        let lease = unit.lease();
        if let Computed::Done { outcome: Outcome::Failure(failure), .. } = &computed {
            let Failure { kind, message } = failure;
            lease_event!(warn, lease, ?kind, "a unit failed: {message}");
        }
        let mut inner = self.lock();
        inner.tally.nodes += unit.control.nodes();
        let left = inner.held.left(unit.ticket, computed);
        if left == Left::Finished {
            inner.appetite.computed(took);
        }
        drop(inner);
        match left {
            Left::Finished => lease_event!(debug, lease, ?took, "unit computed"),
            Left::HandedBack => lease_event!(debug, lease, "unit stopped, to be handed back"),
            Left::Dropped => {
                self.scratch.clear(unit.ticket);
                lease_event!(debug, lease, "unit dropped");
            }
        }
        self.outcomes.notify_one();
        self.files.notify_one();
        self.room.notify_one();
    }

    /// Drops units that are no longer needed.
    pub fn cancel(&self, leases: impl IntoIterator<Item = Lease>) {
        for lease in leases {
            let cancelled = self.lock().held.cancel(lease);
            if let Some(ticket) = cancelled {
                lease_event!(debug, lease, "unit called off");
                self.scratch.clear(ticket);
            }
        }
        self.room.notify_one();
    }

    /// Hands these units back to the coordinator.
    pub fn recall(&self, leases: impl IntoIterator<Item = Lease>) {
        for lease in leases {
            if self.lock().held.recall(lease) {
                lease_event!(debug, lease, "unit recalled");
            }
        }
        self.outcomes.notify_one();
    }

    /// Hands back those of these units that no thread has begun: other workers are idle.
    pub fn give_up(&self, leases: impl IntoIterator<Item = Lease>) {
        for lease in leases {
            if self.lock().held.give_up(lease) {
                lease_event!(debug, lease, "unit returned unbegun");
            }
        }
        self.outcomes.notify_one();
    }

    /// Hands back everything unfinished.
    pub fn recall_all(&self) {
        let names = self.lock().held.names();
        self.recall(names);
    }

    /// Other workers have new records for this unit.
    pub fn tell_news(&self, lease: Lease) {
        if let Some(control) = self.lock().held.control(lease) {
            control.tell_news();
        }
    }

    /// Other workers search these states: this unit should avoid them.
    pub fn tell_others(&self, lease: Lease, others: OtherWorkers) {
        if let Some(control) = self.lock().held.control(lease) {
            control.tell_others(others.keys, others.depth as usize);
        }
    }

    /// How many units to request.
    #[must_use]
    pub fn want(&self) -> u32 {
        let inner = self.lock();
        inner.appetite.want(inner.held.unfinished(), inner.held.endless())
    }

    /// Reads the held units.
    pub fn read<T>(&self, read: impl FnOnce(&Held) -> T) -> T {
        read(&self.lock().held)
    }

    /// Certificates to upload; the caller uploads them from now on.
    #[must_use]
    pub fn uploads(&self) -> Vec<Upload> {
        self.lock().held.uploads()
    }

    /// The certificates of a unit are uploaded.
    pub fn sent(&self, ticket: Ticket) {
        self.lock().held.sent(ticket);
        self.outcomes.notify_one();
    }

    /// Replaces an outcome that cannot be handed in by a failure.
    pub fn fail(&self, ticket: Ticket, message: String) {
        lease_event!(warn, ticket.lease, "an outcome cannot be handed in: {message}");
        self.lock().held.fail(ticket, message);
        self.outcomes.notify_one();
    }

    /// Handles the receipt for an outcome.
    pub fn acknowledge(&self, ticket: Ticket) {
        let mut inner = self.lock();
        let Some(outcome) = inner.held.acknowledge(ticket) else { return };
        match outcome {
            Outcome::HandedBack => inner.tally.handed_back += 1,
            _ => inner.tally.units += 1,
        }
        drop(inner);
        self.scratch.clear(ticket);
    }

    /// The counts so far.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let inner = self.lock();
        let held = inner.held.len();
        Snapshot { tally: inner.tally, running: inner.held.nodes(), held, at: Instant::now() }
    }

    /// Ends all threads and stops the units they are on.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        for lease in inner.held.names() {
            if let Some(control) = inner.held.control(lease) {
                control.cancel();
            }
        }
        drop(inner);
        self.units.notify_all();
    }
}
