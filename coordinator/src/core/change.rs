//! Output of the core: changes that must be on disk before any reply is sent, and notices for
//! watchers.

use hasami_spec::ContentKey;
use hasami_sweep::Answer;
use hasami_unit::Rejection;

use super::ids::{ItemNo, Lease, RunId, UnitNo, WorkerId};
use super::record::{ItemRecord, RunRecord, UnitRecord, WorkerRecord};

/// A durable change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A run is new or has changed.
    Run(RunRecord),
    /// An item has changed since it was submitted.
    Item(RunId, ItemNo, ItemRecord),
    /// A unit was handed out, came back, or is a new part.
    Unit(RunId, ItemNo, UnitNo, UnitRecord),
    /// All units of an item are done with.
    DropUnits(RunId, ItemNo),
    /// A run is gone, with its items, units and history.
    DropRun(RunId),
    /// Answers that no run refers to are gone; their certificates follow.
    DropAnswers(Vec<ContentKey>),
    /// An answer, to be found again by every later run.
    Answer(ContentKey, Answer),
    /// A worker that may come back.
    Worker(WorkerRecord),
    /// A worker that has left for good.
    DropWorker(WorkerId),
    /// A line in the history of an item.
    History(RunId, ItemNo, String),
}

/// Something that happened, reported once.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A run was submitted, or its state has changed.
    Run(RunId),
    /// A run was deleted.
    Deleted(RunId),
    /// An item has ended.
    Item(RunId, ItemNo),
    /// An item was started.
    Started(RunId, ItemNo),
    /// A unit was handed out.
    Granted(Lease, WorkerId),
    /// An outcome was used.
    Accepted(Lease, WorkerId),
    /// An answer waits to be verified.
    Claimed(Lease),
    /// An answer was refuted: its sender and the reason.
    Refuted(Lease, String, String),
    /// An outcome was not used.
    Rejected(Lease, WorkerId, Rejection),
    /// A unit went back to the queue.
    Requeued(Lease, Option<WorkerId>, GiveBack),
    /// A worker has come.
    Joined(WorkerId),
    /// A worker has come back.
    Returned {
        /// Which.
        worker: WorkerId,
        /// Units that it holds.
        held: usize,
        /// Those of them that are no longer wanted.
        revoked: usize,
    },
    /// A worker of this name has said goodbye.
    Left(WorkerId, String),
    /// A worker was silent for the length of a lease; it held this many units.
    Lost(WorkerId, usize),
    /// Something is wrong that people must know.
    Alarm(String),
    /// There are commands for a worker.
    Wake(WorkerId),
    /// There may be work for workers that wait.
    WorkAvailable,
}

/// Why a unit went back to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GiveBack {
    /// The worker registered again without it.
    #[error("its worker does not have it")]
    WorkerForgot,
    /// The worker never named it: the grant was lost on the way.
    #[error("its worker never got it")]
    NeverArrived,
    /// The worker said goodbye.
    #[error("its worker has left")]
    WorkerLeft,
    /// The worker was lost before it started the unit.
    #[error("its worker was lost before it began")]
    LostInQueue,
    /// The worker was lost while it computed the unit.
    #[error("its worker was lost")]
    WorkerLost,
    /// The worker handed it back.
    #[error("its worker handed it back")]
    HandedBack,
    /// Its answer was refuted.
    #[error("its answer was refuted")]
    Refuted,
    /// Its answer rests on the word of its sender alone.
    #[error("its answer is not proved")]
    Unproved,
    /// Its answer was lost before it was verified.
    #[error("its answer is lost")]
    AnswerLost,
    /// The worker had not begun it, and another was idle.
    #[error("its worker had not begun it, and another was idle")]
    Unbegun,
    /// The unit made no progress, and another worker was idle.
    #[error("it made no progress at its worker")]
    Stalled,
    /// The attempt failed, and another may succeed.
    #[error("it failed and may be tried again")]
    Failed,
}
