//! Play against a certificate: one side follows it, the other plays freely.
//!
//! [`Duel`] is what a terminal needs of a game. [`ByRules`] plays any game from state to state.
//! [`Stones`] plays games of stones on a board to the last stone: it follows the tree of the
//! certificate node by node.

mod board;
mod line;
mod rules;
mod stones;

pub use board::Place;
pub use line::line;
pub use rules::ByRules;
pub use stones::{Field, Line, Stones};

use crate::random::SplitMix;

/// A game between the side that a certificate favours and an opponent.
pub trait Duel {
    /// The names of the sides.
    fn sides(&self) -> Sides;
    /// The real position, in one or more lines.
    fn show(&self) -> String;
    /// The real position as SVG.
    fn picture(&self) -> String {
        crate::board::of_text(&self.show())
    }
    /// Whose turn it is, or how the game ended.
    fn status(&self) -> Status;
    /// The names of the opponent's moves.
    fn moves(&self) -> Vec<String>;
    /// What the opponent can type, in words.
    fn expected(&self) -> String;
    /// Plays the opponent's move; returns its name.
    ///
    /// # Errors
    /// If there is no such move, or it shows that the certificate is wrong.
    fn play(&mut self, text: &str) -> Result<String, Trouble>;
    /// Plays the move of the certificate's side; returns its name.
    ///
    /// # Errors
    /// If the certificate has no answer: it, or this program, is wrong.
    fn answer(&mut self) -> Result<String, Trouble>;
    /// A move for an opponent who plays at random.
    fn random(&self, random: &mut SplitMix) -> String {
        let moves = self.moves();
        moves[random.below(moves.len() as u32) as usize].clone()
    }
}

/// The names of the sides, in the words of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The side of the certificate.
    pub program: &'static str,
    /// The other one.
    pub opponent: &'static str,
    /// Explains the sides in a sentence.
    pub about: &'static str,
}

/// State of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The opponent is to move.
    Opponent,
    /// The side of the certificate is to move.
    Program,
    /// The game is over, and the certificate was right: says how it ended.
    Over(String),
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// No such move; says what was expected.
    #[error("{0}")]
    NoMove(String),
    /// Impossible if certificate and program are right.
    #[error("the certificate or this program is wrong: {0}")]
    Wrong(String),
}
