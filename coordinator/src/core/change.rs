//! What the core wants done: changes that must be on disk before anybody hears of them, and notices
//! for those who watch.

use hasami_proto::v1::{Answer, ItemRecord, RunRecord, UnitRecord, WorkerRecord};
use hasami_spec::ContentKey;

use super::ids::{ItemNo, Lease, RunId, UnitNo, WorkerId};

/// A durable change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A run is new or has changed.
    Run(RunRecord),
    /// An item is no longer as it was submitted.
    Item(RunId, ItemNo, ItemRecord),
    /// A unit was handed out, came back, or is a new part.
    Unit(RunId, ItemNo, UnitNo, UnitRecord),
    /// All units of an item are done with.
    DropUnits(RunId, ItemNo),
    /// An answer, to be found again by every later run.
    Answer(ContentKey, Answer),
    /// A worker that may come back.
    Worker(WorkerRecord),
    /// A worker that has left for good.
    DropWorker(WorkerId),
    /// A line in the history of an item.
    History(RunId, ItemNo, String),
}

/// Something that happened, told once.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A run was submitted, or its state has changed.
    Run(RunId),
    /// An item has reached a terminal state.
    Item(RunId, ItemNo),
    /// An item was started.
    Started(RunId, ItemNo),
    /// A unit was handed out.
    Granted(Lease, WorkerId),
    /// An outcome was used.
    Accepted(Lease, WorkerId),
    /// An outcome came too late, and why.
    Refused(Lease, WorkerId, &'static str),
    /// A unit that somebody had went back to the queue, and why.
    Requeued(Lease, Option<WorkerId>, &'static str),
    /// A worker has come.
    Joined(WorkerId),
    /// A worker has come back with so many units, of which so many are not wanted any more.
    Returned(WorkerId, usize, usize),
    /// A worker of this name has left politely.
    Left(WorkerId, String),
    /// A worker was not heard of for the length of a lease; it held so many units.
    Lost(WorkerId, usize),
    /// Something is wrong that people must know.
    Alarm(String),
    /// There are commands for a worker.
    Wake(WorkerId),
    /// There may be work for workers that wait.
    WorkAvailable,
}
