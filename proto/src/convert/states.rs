//! The states of items and runs.

use hasami_unit::{ItemState, RunState};

use super::ConvertError;
use crate::v1;

impl From<ItemState> for v1::ItemState {
    fn from(state: ItemState) -> Self {
        match state {
            ItemState::Waiting => Self::Waiting,
            ItemState::Running => Self::Running,
            ItemState::Settled => Self::Settled,
            ItemState::Open => Self::Open,
            ItemState::Failed => Self::Failed,
            ItemState::Cancelled => Self::Cancelled,
        }
    }
}

impl TryFrom<v1::ItemState> for ItemState {
    type Error = ConvertError;

    fn try_from(message: v1::ItemState) -> Result<Self, ConvertError> {
        match message {
            v1::ItemState::Waiting => Ok(Self::Waiting),
            v1::ItemState::Running => Ok(Self::Running),
            v1::ItemState::Settled => Ok(Self::Settled),
            v1::ItemState::Open => Ok(Self::Open),
            v1::ItemState::Failed => Ok(Self::Failed),
            v1::ItemState::Cancelled => Ok(Self::Cancelled),
            v1::ItemState::Unspecified => {
                Err(ConvertError::new("item.state", "none", "a state of this version"))
            }
        }
    }
}

impl From<RunState> for v1::RunState {
    fn from(state: RunState) -> Self {
        match state {
            RunState::Running => Self::Running,
            RunState::Paused => Self::Paused,
            RunState::Finished => Self::Finished,
            RunState::Cancelled => Self::Cancelled,
            RunState::Unreadable => Self::Unreadable,
        }
    }
}

impl TryFrom<v1::RunState> for RunState {
    type Error = ConvertError;

    fn try_from(message: v1::RunState) -> Result<Self, ConvertError> {
        match message {
            v1::RunState::Running => Ok(Self::Running),
            v1::RunState::Paused => Ok(Self::Paused),
            v1::RunState::Finished => Ok(Self::Finished),
            v1::RunState::Cancelled => Ok(Self::Cancelled),
            v1::RunState::Unreadable => Ok(Self::Unreadable),
            v1::RunState::Unspecified => {
                Err(ConvertError::new("run.state", "none", "a state of this version"))
            }
        }
    }
}

impl v1::ItemState {
    /// The spelling in tables and JSON; a state of a later version is "unknown".
    #[must_use]
    pub fn word(self) -> &'static str {
        ItemState::try_from(self).map_or("unknown", ItemState::word)
    }

    /// Whether the state is final.
    #[must_use]
    pub fn terminal(self) -> bool {
        ItemState::try_from(self).is_ok_and(ItemState::has_ended)
    }
}

impl v1::RunState {
    /// The spelling in tables and JSON; a state of a later version is "unknown".
    #[must_use]
    pub fn word(self) -> &'static str {
        RunState::try_from(self).map_or("unknown", RunState::word)
    }
}
