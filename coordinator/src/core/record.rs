//! State that must survive a restart, as the journal stores it.

use hasami_andor::ProblemId;
use hasami_spec::ContentKey;
use hasami_sweep::{Measures, Stored};
use hasami_unit::{ItemState, Part, RunState};

use super::claim::Claim;
use super::ids::{Attempt, RunId, WorkerId};

/// A run. In a cancelled one, every item without an end of its own was cancelled.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// Its number.
    pub run: RunId,
    /// The text of its sweep.
    pub sweep: String,
    /// What the text came to when it was submitted.
    pub stored: Option<Stored>,
    /// Its state.
    pub state: RunState,
    /// Milliseconds since 1970.
    pub submitted_ms: u64,
    /// Milliseconds since 1970; 0 until it has ended.
    pub finished_ms: u64,
    /// Compute items again whose answers are known.
    pub force: bool,
    /// Why it was cancelled, or waits.
    pub note: String,
    /// The problem with a contradiction that it waits for.
    pub fault: Option<ProblemId>,
}

/// An item that has changed since it was submitted.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemRecord {
    /// Its state.
    pub state: ItemState,
    /// Its answer was known before.
    pub reused: bool,
    /// The key of its answer.
    pub answer: Option<ContentKey>,
    /// Why it failed.
    pub failure: String,
    /// Attempts of all its units.
    pub attempts: u32,
    /// Its cost so far.
    pub cost: Measures,
}

/// A unit that was handed out, or is a part of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitRecord {
    /// The last attempt that was handed out.
    pub attempt: Attempt,
    /// The worker that holds it.
    pub holder: Option<WorkerId>,
    /// Number of workers lost with it.
    pub crashes: u32,
    /// Its part of an enumeration; `None` for a whole question.
    pub prefix: Option<String>,
    /// The result of the part.
    pub done: Option<Part>,
    /// The worker that the last attempt was given to.
    pub granted: Option<WorkerId>,
    /// An answer that waits to be verified.
    pub claim: Option<Claim>,
}

/// A worker that may return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerRecord {
    /// Its number.
    pub worker: WorkerId,
    /// Its secret.
    pub session: u64,
    /// Its display name.
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
