//! The states of items and runs.

/// The state of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemState {
    /// No unit of it was handed out yet.
    Waiting,
    /// Some of its units are or were handed out.
    Running,
    /// It has an answer.
    Settled,
    /// It ended without a verdict: its budget was used up, or no search can give one.
    Open,
    /// It has no answer, and will not get one in this run.
    Failed,
    /// Its run was cancelled first.
    Cancelled,
}

impl ItemState {
    /// All states.
    pub const ALL: [Self; 6] =
        [Self::Waiting, Self::Running, Self::Settled, Self::Open, Self::Failed, Self::Cancelled];

    /// The spelling in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Settled => "settled",
            Self::Open => "open",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the state is final.
    #[must_use]
    pub fn has_ended(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running)
    }
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunState {
    /// Its units are handed out.
    Running,
    /// Its units are not handed out until it is resumed.
    Paused,
    /// All its items have ended.
    Finished,
    /// It was stopped for good.
    Cancelled,
    /// It was stored by a release that knew more, or its record is damaged: it is shown, and left
    /// as it is.
    Unreadable,
}

impl RunState {
    /// The spelling in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::Unreadable => "unreadable",
        }
    }

    /// Whether the state is final.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Unreadable)
    }
}
