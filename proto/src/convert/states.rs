//! The states of items and runs in words, for tables and JSON.

use crate::v1::{ItemState, RunState};

impl ItemState {
    /// In one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "unknown",
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
    pub fn terminal(self) -> bool {
        matches!(self, Self::Settled | Self::Open | Self::Failed | Self::Cancelled)
    }
}

impl RunState {
    /// In one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "unknown",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        }
    }
}
