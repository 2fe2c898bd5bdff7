//! Achievement games: Black wants to own all cells of a placement, White prevents it or does so
//! first. Their certificates, as docs/certificates.md defines them: written, checked, read to be
//! followed, and drawn.
//!
//! The checker is written from that page. It shares the [`Rules`] with the writer, and nothing with
//! the search.

mod check;
mod claim;
mod family;
mod picture;
mod read;
mod rules;
mod write;

pub use check::check;
pub use claim::{Claim, Closing};
pub use family::Family;
pub use picture::picture;
pub use read::{Link, Node, NodeId, Tree};
pub use rules::{Cells, Rules, bits};
pub use write::write;

use hasami_andor::{Problem, Turn};

use crate::play::{Field, Place};

/// A game of stones on a board whose cells are numbered row by row. Black is OR.
pub trait StoneGame: Problem {
    /// Describes the game.
    fn field(&self) -> Field;
    /// The move onto a cell; `None` if White plays elsewhere.
    fn stone(&self, cell: Option<u8>) -> Self::Move;
    /// The cell of a move.
    fn cell(&self, mv: Self::Move) -> Option<u8>;
    /// Black's stones and White's, as bits.
    fn black_and_white(&self, state: &Self::State) -> [u128; 2];
    /// The state with these stones, which lie on the board, no two on a cell.
    fn position(&self, black: u128, white: u128, turn: Turn) -> Self::State;
    /// What the search's proof of a state rests on, on the board of the state: the zone, and the
    /// slack. Proofs are written within it.
    fn rests_on(&self, state: &Self::State, reason: Self::Reason) -> (u128, u32);
    /// The lines of a paving that holds the game for White, if the game knows one.
    fn paving(&self) -> Option<String> {
        None
    }
    /// Checks such lines: whether the paving blocks everything.
    ///
    /// # Errors
    /// What does not hold.
    fn check_paving(&self, _lines: &str) -> Result<(), String> {
        Err("this game has no pavings".to_string())
    }
    /// The partner of a cell in the paving of these lines, inside the window or not.
    fn partner(&self, _lines: &str, _place: Place) -> Option<Place> {
        None
    }
}
