//! Calls that wait at the coordinator until there is a reply.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::core::WorkerId;

/// Calls that wait: for work, or for commands.
#[derive(Default)]
pub struct Wakes {
    pub(super) work: Notify,
    commands: Mutex<HashMap<WorkerId, Arc<Notify>>>,
}

impl Wakes {
    /// There may be work.
    pub fn work(&self) {
        self.work.notify_waiters();
    }

    /// There are commands for a worker.
    pub fn commands(&self, worker: WorkerId) {
        self.of(worker).notify_one();
    }

    /// A worker is gone.
    pub fn forget(&self, worker: WorkerId) {
        if let Ok(mut known) = self.commands.lock() {
            known.remove(&worker);
        }
    }

    pub(super) fn of(&self, worker: WorkerId) -> Arc<Notify> {
        match self.commands.lock() {
            Ok(mut known) => Arc::clone(known.entry(worker).or_default()),
            Err(_) => Arc::default(),
        }
    }
}
