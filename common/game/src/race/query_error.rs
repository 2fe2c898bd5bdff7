//! Why a database has no answer.

use hasami_database::DatabaseError;
use hasami_spec::ParamError;

use crate::resources::BuildError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The file.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The position.
    #[error("{0}")]
    Position(#[from] BuildError),
    /// The file is about a game that this program has no databases of.
    #[error("a database of \"{0}\"; expected one of pyonpyon, mancala")]
    Game(String),
    /// Puzzles of this game are not drawn from databases.
    #[error("puzzles of {0} are not drawn from a database; expected the game pyonpyon")]
    NoPuzzles(&'static str),
    /// A position and the positions after it have values that cannot both be right.
    #[error("contradiction: {0}")]
    Contradiction(String),
    /// The position is not in the file.
    #[error("position={position}: {expected}")]
    Outside {
        /// What was asked for.
        position: String,
        /// What is in the file.
        expected: String,
    },
}

impl From<ParamError> for QueryError {
    fn from(error: ParamError) -> Self {
        Self::Position(error.into())
    }
}
