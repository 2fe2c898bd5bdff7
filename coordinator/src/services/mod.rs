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

impl From<Stopped> for Status {
    fn from(stopped: Stopped) -> Self {
        Self::unavailable(stopped.to_string())
    }
}

fn journal_status(error: &JournalError) -> Status {
    Status::data_loss(error.to_string())
}
