//! The games of certificates, and the spelling of their positions: complete in itself.

use hasami_cgt::Games;
use hasami_cgt::rules::clobber::ClobberBoard;
use hasami_cgt::rules::domineering;
use hasami_cgt::rules::toads::Strip;

use super::family::{BadPosition, Position, bad, wrong};
use super::plain::{Plain, Signs};
use crate::go::Board;

/// A game whose positions have values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Domineering: rows of `.` and `#` with `/` between.
    Domineering,
    /// Clobber: rows of `x`, `o` and `.`.
    Clobber,
    /// Toads and frogs: rows of `T`, `F` and `.`.
    Toads,
    /// Go: rows of `X`, `O`, `x`, `o`, `.` and `#`.
    Go,
    /// An expression.
    Expression,
}

/// The longest text of a position.
pub(super) const MAX_TEXT: usize = 20_000;
/// Most steps for parsing an expression.
const READING: u64 = 5_000_000;

impl Game {
    /// All games by their names.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("domineering", Self::Domineering),
        ("clobber", Self::Clobber),
        ("toads-and-frogs", Self::Toads),
        ("go", Self::Go),
        ("expression", Self::Expression),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, one)| *one == self).map_or("?", |(name, _)| name)
    }

    /// The game if it is played on a board of signs.
    pub(super) fn plain(self) -> Option<Plain> {
        match self {
            Self::Domineering => Some(Plain::Domineering),
            Self::Clobber => Some(Plain::Clobber),
            Self::Toads => Some(Plain::Toads),
            Self::Go | Self::Expression => None,
        }
    }

    /// Reads a position in its one spelling.
    ///
    /// # Errors
    /// If it is invalid; the message says what is expected.
    pub fn read(self, text: &str) -> Result<Position, BadPosition> {
        if text.len() > MAX_TEXT || text.contains(char::is_control) || text.trim() != text {
            return bad(format!("one line of at most {MAX_TEXT} bytes, without space around it"));
        }
        if self.plain().is_some() && Signs::read(text).is_none() {
            return bad("rows of one length with / between".to_string());
        }
        let read = match self {
            Self::Domineering => {
                wrong(domineering::Board::parse(text.split('/'))).map(Position::Domineering)
            }
            Self::Clobber => wrong(ClobberBoard::parse(text)).map(Position::Clobber),
            Self::Toads => wrong(Strip::parse(text)).map(Position::Toads),
            Self::Go => wrong(Board::parse(&text.replace('/', "\n"))).map(Position::Go),
            Self::Expression => match Games::with_limit(READING).parse(text) {
                Ok(_) => Ok(Position::Expression(text.to_string())),
                Err(error) => bad(format!("an expression ({error})")),
            },
        }?;
        match &read {
            Position::Go(board) if go_text(board) != text => {
                bad(format!("the board as {}", go_text(board)))
            }
            _ => Ok(read),
        }
    }
}

/// A board of Go in one line.
pub(super) fn go_text(board: &Board) -> String {
    board.to_string().replace('\n', "/")
}
