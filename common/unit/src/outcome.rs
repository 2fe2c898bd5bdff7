//! Outcomes of units, and why one is not used.

use hasami_andor::SearchReport;
use hasami_sweep::Answer;

/// The outcome of a lease.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The whole question is answered.
    Answer(Answer),
    /// A search ended.
    Search(SearchReport),
    /// A part of an enumeration was counted.
    Part(Part),
    /// The unit failed.
    Failure(Failure),
    /// Neither finished nor failed: the worker is leaving or was asked to stop.
    HandedBack,
}

/// The result of one part of an enumeration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Pavings as sets of pairs.
    pub raw: u64,
    /// Patterns, counted up to symmetry.
    pub patterns: u64,
    /// The patterns, spelled, where the question asks for a list.
    pub found: Vec<String>,
    /// Parts that were not counted; they become further units.
    pub rest: Vec<String>,
    /// Computing time.
    pub seconds: f64,
    /// Nodes searched.
    pub nodes: u64,
}

/// Why a unit has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// The message.
    pub message: String,
}

impl Failure {
    /// A failure of this kind.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// What kind of failure it is, which decides whether another attempt can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The question itself is wrong.
    Question,
    /// Two verdicts on one state, or a certificate that does not hold.
    Contradiction,
    /// The machine lacks memory or disk space for it.
    Machine,
    /// The work panicked.
    Panic,
    /// The worker does not know this kind of unit.
    UnknownTask,
    /// There is a result, but it could not be delivered.
    Delivery,
}

impl FailureKind {
    /// Whether another attempt, here or elsewhere, cannot help.
    #[must_use]
    pub fn is_permanent(self) -> bool {
        match self {
            Self::Question | Self::Contradiction => true,
            Self::Machine | Self::Panic | Self::UnknownTask | Self::Delivery => false,
        }
    }
}

/// Why an outcome was not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The coordinator has no such run.
    #[error("there is no such run")]
    UnknownRun,
    /// The run is finished or cancelled.
    #[error("the run is over")]
    RunOver,
    /// The item needs nothing more.
    #[error("the item is settled")]
    ItemEnded,
    /// The unit was cancelled: another worker has settled its state, or one above it.
    #[error("the unit was called off")]
    UnitCancelled,
    /// The unit was handed out again.
    #[error("a later attempt was given out")]
    Superseded,
    /// The part of the enumeration was counted already.
    #[error("the part is counted")]
    AlreadyCounted,
    /// The lease belongs to another worker.
    #[error("another worker has it")]
    HeldByAnother,
    /// The outcome does not answer what the unit asks.
    #[error("the outcome is not of the kind that the unit asks for")]
    WrongKind,
    /// A field of the outcome is not what it may be.
    #[error("the outcome is malformed")]
    Malformed,
}

impl Rejection {
    /// Whether this is expected in a healthy cluster.
    #[must_use]
    pub fn is_usual(self) -> bool {
        self == Self::UnitCancelled
    }
}
