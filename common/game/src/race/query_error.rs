//! Why a database has no answer.

use hasami_database::DatabaseError;
use hasami_spec::ParamError;

use crate::resources::BuildError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The file cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The position is invalid.
    #[error("{0}")]
    Position(#[from] BuildError),
    /// This program has no databases of the file's game.
    #[error("a database of \"{0}\"; expected one of pyonpyon, mancala")]
    Game(String),
    /// This game's puzzles are not drawn from databases.
    #[error("puzzles of {0} are not drawn from a database; expected the game pyonpyon")]
    NoPuzzles(&'static str),
    /// The values of a position and of its successors contradict each other.
    #[error("contradiction: {0}")]
    Contradiction(String),
    /// The position is not in the file.
    #[error("position={position}: {expected}")]
    Outside {
        /// The position.
        position: String,
        /// The contents of the file.
        expected: String,
    },
}

impl From<ParamError> for QueryError {
    fn from(error: ParamError) -> Self {
        Self::Position(error.into())
    }
}
