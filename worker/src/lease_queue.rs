//! Where the threads that compute and the tasks that speak to the coordinator meet: the units held,
//! behind one lock that is never kept while anybody waits for anything.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hasami_unit::{Assignment, Failure, Lease, OtherWorkers, Outcome, Task};
use tokio::sync::Notify;

use crate::appetite::Appetite;
use crate::compute::{Computed, LeasedUnit};
use crate::held::{Held, Left, Upload};
use crate::lease::lease_event;
use crate::scratch::Scratch;
use crate::summary::{Snapshot, Tally};

/// What threads and tasks share.
pub struct LeaseQueue {
    inner: Mutex<Inner>,
    /// There is a unit for a thread, or there will never be one.
    units: Condvar,
    /// There may be something to hand in.
    pub outcomes: Notify,
    /// There may be certificates to send.
    pub files: Notify,
    /// There may be room for more units.
    pub room: Notify,
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
    /// An empty one.
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
            scratch,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing below panics half-way through a change: a poisoned lock is as good as any.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a unit that the coordinator has handed out.
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
        // More room may be left than could be filled.
        self.room.notify_one();
    }

    /// A unit that cannot be read fails at once.
    pub fn add_unreadable(&self, lease: Lease, failure: Failure) {
        lease_event!(warn, lease, "a unit cannot be read: {}", failure.message);
        self.lock().held.add_unreadable(lease, failure);
        self.outcomes.notify_one();
        self.room.notify_one();
    }

    /// The next unit for a thread; waits for one. `None`: the thread should end.
    pub fn next(&self) -> Option<LeasedUnit> {
        let mut inner = self.lock();
        loop {
            if inner.closed {
                return None;
            }
            if let Some((assignment, control)) = inner.held.next() {
                let scratch = self.scratch.of(assignment.lease);
                return Some(LeasedUnit { assignment, control, scratch });
            }
            inner = self.units.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A thread has left a unit after this long.
    pub fn left(&self, unit: &LeasedUnit, computed: Computed, took: Duration) {
        let lease = unit.lease();
        if let Computed::Done { outcome: Outcome::Failure(failure), .. } = &computed {
            let Failure { kind, message } = failure;
            lease_event!(warn, lease, ?kind, "a unit failed: {message}");
        }
        let mut inner = self.lock();
        inner.tally.nodes += unit.control.nodes();
        let left = inner.held.left(lease, computed);
        if left == Left::Finished {
            inner.appetite.computed(took);
        }
        drop(inner);
        match left {
            Left::Finished => lease_event!(debug, lease, ?took, "unit computed"),
            Left::HandedBack => lease_event!(debug, lease, "unit stopped, to be handed back"),
            Left::Dropped => {
                self.scratch.clear(lease);
                lease_event!(debug, lease, "unit dropped");
            }
        }
        self.outcomes.notify_one();
        self.files.notify_one();
        self.room.notify_one();
    }

    /// Nobody wants these any more.
    pub fn cancel(&self, leases: impl IntoIterator<Item = Lease>) {
        for lease in leases {
            if self.lock().held.cancel(lease) {
                lease_event!(debug, lease, "unit called off");
                self.scratch.clear(lease);
            }
        }
        self.room.notify_one();
    }

    /// These go back to the coordinator.
    pub fn recall(&self, leases: impl IntoIterator<Item = Lease>) {
        for lease in leases {
            if self.lock().held.recall(lease) {
                lease_event!(debug, lease, "unit recalled");
            }
        }
        self.outcomes.notify_one();
    }

    /// Everything that is not finished goes back.
    pub fn recall_all(&self) {
        let names = self.lock().held.names();
        self.recall(names);
    }

    /// Others have written into the table of this unit.
    pub fn tell_news(&self, lease: Lease) {
        if let Some(control) = self.lock().held.control(lease) {
            control.tell_news();
        }
    }

    /// Other workers are at these states: this unit should go elsewhere.
    pub fn tell_others(&self, lease: Lease, others: OtherWorkers) {
        if let Some(control) = self.lock().held.control(lease) {
            control.tell_others(others.keys, others.depth as usize);
        }
    }

    /// How many units to ask for.
    #[must_use]
    pub fn want(&self) -> u32 {
        let inner = self.lock();
        inner.appetite.want(inner.held.unfinished(), inner.held.endless())
    }

    /// Reads what is held.
    pub fn read<T>(&self, read: impl FnOnce(&Held) -> T) -> T {
        read(&self.lock().held)
    }

    /// Certificates to upload; the caller uploads them from now on.
    #[must_use]
    pub fn uploads(&self) -> Vec<Upload> {
        self.lock().held.uploads()
    }

    /// The certificates of a unit are with the coordinator.
    pub fn sent(&self, lease: Lease) {
        self.lock().held.sent(lease);
        self.outcomes.notify_one();
    }

    /// An outcome that cannot be handed in is a failure instead.
    pub fn fail(&self, lease: Lease, message: String) {
        lease_event!(warn, lease, "an outcome cannot be handed in: {message}");
        self.lock().held.fail(lease, message);
        self.outcomes.notify_one();
    }

    /// A receipt for an outcome has come.
    pub fn acknowledge(&self, lease: Lease) {
        let mut inner = self.lock();
        let Some(outcome) = inner.held.acknowledge(lease) else { return };
        match outcome {
            Outcome::HandedBack => inner.tally.handed_back += 1,
            _ => inner.tally.units += 1,
        }
        drop(inner);
        self.scratch.clear(lease);
    }

    /// What has been done so far.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let inner = self.lock();
        let held = inner.held.len();
        Snapshot { tally: inner.tally, running: inner.held.nodes(), held, at: Instant::now() }
    }

    /// Threads end after the unit they are on, and that one is told to stop.
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
