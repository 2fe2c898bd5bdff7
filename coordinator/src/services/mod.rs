//! The gRPC services over the engine: work for workers, runs for people.

mod events;
mod messages;
mod runs;
mod work;

use hasami_spec::Catalog;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;
use tonic::Status;

pub use events::Events;
pub use runs::RunsService;
pub(crate) use runs::ended;
pub use work::WorkService;

use crate::certificates::Certificates;
use crate::core::WorkerId;
use crate::engine::{Engine, Stopped};
use crate::journal::{Journal, JournalError};
use crate::positions::Positions;
use crate::speed::Speeds;

/// What the services share.
pub struct Shared {
    /// The core and its thread.
    pub engine: Engine,
    /// What can be asked.
    pub catalog: Catalog,
    /// For reading; only the engine writes.
    pub journal: Arc<Journal>,
    /// The shared store.
    pub positions: Positions,
    /// What workers have sent.
    pub certificates: Certificates,
    /// Who waits for what.
    pub wakes: Arc<Wakes>,
    /// What happens, for those who watch.
    pub events: Events,
    /// How fast runs go.
    pub speeds: Arc<Mutex<Speeds>>,
    /// The store, in words.
    pub store: String,
    /// Where checkpoints of the store come from.
    pub checkpoint: Checkpoint,
}

/// Makes a checkpoint of everything in a new directory.
pub type Checkpoint = Box<dyn Fn(&std::path::Path) -> Result<(), String> + Send + Sync>;

/// Calls that wait: for work, or for commands.
#[derive(Default)]
pub struct Wakes {
    work: Notify,
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

    fn of(&self, worker: WorkerId) -> Arc<Notify> {
        match self.commands.lock() {
            Ok(mut known) => Arc::clone(known.entry(worker).or_default()),
            Err(_) => Arc::default(),
        }
    }
}

impl From<Stopped> for Status {
    fn from(stopped: Stopped) -> Self {
        Self::unavailable(stopped.to_string())
    }
}

fn journal_status(error: &JournalError) -> Status {
    Status::data_loss(error.to_string())
}
