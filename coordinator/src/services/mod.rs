//! The gRPC services over the engine: work for workers, runs for people.

mod access;
mod batches;
mod callers;
mod delete;
mod events;
mod items;
mod runs;
mod wakes;
mod weights;
mod work;

use std::sync::{Arc, Mutex};

use hasami_spec::Catalog;
use tonic::Status;

pub use access::AccessCalls;
pub use callers::Registered;
pub use delete::finish_deletion;
pub use events::Events;
pub(crate) use items::ended;
pub use runs::RunCalls;
pub use wakes::Wakes;
pub use weights::weigh_again;
pub use work::WorkCalls;

use crate::certificates::Certificates;
use crate::engine::{Engine, Stopped};
use crate::journal::{Journal, JournalError};
use crate::positions::Positions;
use crate::room::Room;
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
    /// Whether there is room on the disk.
    pub room: Room,
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
    /// Held for reading while a submission relies on answers that it has found, and for writing
    /// while answers are deleted.
    pub answers: tokio::sync::RwLock<()>,
}

/// Makes a checkpoint of everything under a name; returns where it is.
pub type Checkpoint = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

impl From<Stopped> for Status {
    fn from(stopped: Stopped) -> Self {
        Self::unavailable(stopped.to_string())
    }
}

fn journal_status(error: &JournalError) -> Status {
    Status::data_loss(error.to_string())
}
