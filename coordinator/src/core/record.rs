//! What must outlive a restart, as the journal keeps it.

use hasami_spec::ContentKey;
use hasami_sweep::Measures;
use hasami_unit::{ItemState, Part, RunState};

use super::ids::{Attempt, RunId, WorkerId};

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// Its number.
    pub run: RunId,
    /// The text of its sweep.
    pub sweep: String,
    /// Where it stands.
    pub state: RunState,
    /// Milliseconds since 1970.
    pub submitted_ms: u64,
    /// Milliseconds since 1970; 0 before.
    pub finished_ms: u64,
    /// Compute what is known already.
    pub force: bool,
    /// Why it was cancelled.
    pub note: String,
}

/// An item that is no longer as it was submitted.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemRecord {
    /// Where it stands.
    pub state: ItemState,
    /// Its answer was known before.
    pub reused: bool,
    /// The key of its answer.
    pub answer: Option<ContentKey>,
    /// Why it failed.
    pub failure: String,
    /// Attempts of all its units.
    pub attempts: u32,
    /// What it has cost so far.
    pub cost: Measures,
}

/// A unit that was handed out, or is a part of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitRecord {
    /// The last attempt that was handed out.
    pub attempt: Attempt,
    /// Who has it.
    pub holder: Option<WorkerId>,
    /// Workers lost with it.
    pub crashes: u32,
    /// Which part of an enumeration it is; `None` for a whole question.
    pub prefix: Option<String>,
    /// What the part came to.
    pub done: Option<Part>,
}

/// A worker that may come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerRecord {
    /// Its number.
    pub worker: WorkerId,
    /// Its secret.
    pub session: u64,
    /// A name for people.
    pub name: String,
}

/// A line in the history of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRecord {
    /// Milliseconds since 1970.
    pub time_ms: u64,
    /// What happened.
    pub text: String,
}
