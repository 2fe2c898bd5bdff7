//! The notation of games: `{a,b|c}`, bars of any height, names, sums, multiples, functions.
//!
//! `3||||2|||1||0|0` is {3|{2|{1|{0|0}}}}: in a group the highest bar is the outermost, and commas
//! bind tighter than bars. `*n` is a nim-heap, never a product; multiples are `3.g`. A number
//! followed by ups and a star is their sum: `2^`, `-1/2v3*`; the minus is the number's alone.

mod functions;
mod group;
mod lexer;
mod reader;
mod statement;

use crate::budget::Exhausted;
use crate::games::{Games, Value};

pub use functions::{FUNCTIONS, Function};
pub use statement::{Answer, Comparison, Session};

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A syntax error.
    #[error("column {column}: {message}")]
    Bad {
        /// Column, in characters from 1.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// The value is too large for the limit.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl ParseError {
    fn bad(at: usize, message: impl Into<String>) -> Self {
        Self::Bad { column: at + 1, message: message.into() }
    }

    /// The column of the error, in characters from 1.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Bad { column, .. } => Some(*column),
            Self::Exhausted(_) => None,
        }
    }
}

impl Games {
    /// Parses an expression and returns its value.
    ///
    /// ```
    /// let mut games = hasami_cgt::Games::new();
    /// let game = games.parse("3||2|0")?;
    /// let chilled = games.chill(game)?;
    /// assert_eq!(games.show(chilled), "2^");
    /// # Ok::<(), hasami_cgt::ParseError>(())
    /// ```
    pub fn parse(&mut self, text: &str) -> Result<Value, ParseError> {
        let tokens = lexer::tokens(text)?;
        reader::read(self, &Default::default(), &tokens)
    }
}
