//! What a token may do.

use std::fmt;
use std::str::FromStr;

use crate::{ConvertError, v1};

/// The role of a token. An operator may do everything that a client may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Gives out and revokes tokens and makes checkpoints; also a client.
    Operator,
    /// Submits and reads runs.
    Client,
    /// Takes units and hands in outcomes.
    Worker,
    /// A worker of whom only what it can prove is believed.
    Stranger,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Operator, Self::Client, Self::Worker, Self::Stranger];

    /// The word in files, tables and messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Client => "client",
            Self::Worker => "worker",
            Self::Stranger => "stranger",
        }
    }

    /// Whether this role may do what `needed` may.
    #[must_use]
    pub fn covers(self, needed: Self) -> bool {
        match needed {
            Self::Client => matches!(self, Self::Operator | Self::Client),
            Self::Worker => matches!(self, Self::Worker | Self::Stranger),
            Self::Operator | Self::Stranger => self == needed,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|role| role.word() == text);
        found.ok_or_else(|| "expected operator, client, worker or stranger".to_string())
    }
}

impl From<Role> for v1::TokenRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Operator => Self::Operator,
            Role::Client => Self::Client,
            Role::Worker => Self::Worker,
            Role::Stranger => Self::Stranger,
        }
    }
}

impl TryFrom<v1::TokenRole> for Role {
    type Error = ConvertError;

    fn try_from(message: v1::TokenRole) -> Result<Self, ConvertError> {
        match message {
            v1::TokenRole::Operator => Ok(Self::Operator),
            v1::TokenRole::Client => Ok(Self::Client),
            v1::TokenRole::Worker => Ok(Self::Worker),
            v1::TokenRole::Stranger => Ok(Self::Stranger),
            v1::TokenRole::Unspecified => {
                Err(ConvertError::new("role", "none", "a role of this version"))
            }
        }
    }
}
