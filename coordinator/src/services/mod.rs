//! The gRPC services over the engine: work for workers, runs for people.

mod events;
mod runs;
mod wakes;
mod work;

use std::sync::{Arc, Mutex};

use hasami_spec::Catalog;
use tonic::Status;

pub use events::Events;
pub use runs::RunCalls;
pub(crate) use runs::ended;
pub use wakes::Wakes;
pub use work::WorkCalls;

use crate::certificates::Certificates;
use crate::engine::{Engine, Stopped};
use crate::journal::{Journal, JournalError};
use crate::positions::Positions;
use crate::speed::Speeds;

/// State shared by the services.
pub struct Shared {
    /// The core and its thread.
    pub engine: Engine,
    /// The games that can be asked about.
    pub catalog: Catalog,
    /// For reading; only the engine writes.
    pub journal: Arc<Journal>,
    /// The shared store.
    pub positions: Positions,
    /// Certificates uploaded by workers.
    pub certificates: Certificates,
    /// Waiting calls.
    pub wakes: Arc<Wakes>,
    /// Events for watchers.
    pub events: Events,
    /// Speeds of runs.
    pub speeds: Arc<Mutex<Speeds>>,
    /// Description of the store.
    pub store: String,
    /// Makes checkpoints.
    pub checkpoint: Checkpoint,
}

/// Makes a checkpoint of everything in a new directory.
pub type Checkpoint = Box<dyn Fn(&std::path::Path) -> Result<(), String> + Send + Sync>;

impl From<Stopped> for Status {
    fn from(stopped: Stopped) -> Self {
        Self::unavailable(stopped.to_string())
    }
}

fn journal_status(error: &JournalError) -> Status {
    Status::data_loss(error.to_string())
}
