//! Where items and runs stand.

/// The state of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemState {
    /// Nobody has begun it.
    Waiting,
    /// Some of its units are out, or were.
    Running,
    /// It has an answer.
    Settled,
    /// Its budget was used up.
    Open,
    /// It has no answer, and will not get one in this run.
    Failed,
    /// Its run was cancelled first.
    Cancelled,
}

impl ItemState {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Waiting, Self::Running, Self::Settled, Self::Open, Self::Failed, Self::Cancelled];

    /// As tables and JSON spell it.
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

    /// Whether nothing more happens to the item.
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
    /// Nothing of it is handed out until it is resumed.
    Paused,
    /// All its items have ended.
    Finished,
    /// It was stopped for good.
    Cancelled,
}

impl RunState {
    /// As tables and JSON spell it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens to the run.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled)
    }
}
