//! Playing against a certificate: one side follows it, the other plays as it likes.
//!
//! [`Duel`] is what a terminal needs of a game. [`ByRules`] plays every game from state to state;
//! [`Stones`] plays games of stones on a board, where the certificate ignores stones that do not
//! matter, to the last stone.

mod board;
mod finish;
mod rules;
mod stones;

pub use board::Place;
pub use rules::ByRules;
pub use stones::{Field, Line, StoneGame, Stones};

use crate::random::SplitMix;

/// A game between the side that a certificate is about and anyone else.
pub trait Duel {
    /// Who plays what.
    fn sides(&self) -> Sides;
    /// The position as it really is, one or more lines.
    fn show(&self) -> String;
    /// Whose turn it is, or how it has ended.
    fn status(&self) -> Status;
    /// The moves that the opponent can choose from, by their names.
    fn moves(&self) -> Vec<String>;
    /// What the opponent can type, in words.
    fn expected(&self) -> String;
    /// The opponent moves; gives the name of the move.
    ///
    /// # Errors
    /// When there is no such move, or it shows that the certificate is wrong.
    fn play(&mut self, text: &str) -> Result<String, Trouble>;
    /// The side of the certificate moves; gives the name of the move.
    ///
    /// # Errors
    /// When the certificate has no answer: it, or this program, is wrong.
    fn answer(&mut self) -> Result<String, Trouble>;
    /// A move for an opponent who plays at random.
    fn random(&self, random: &mut SplitMix) -> String {
        let moves = self.moves();
        moves[random.below(moves.len() as u32) as usize].clone()
    }
}

/// Who plays what, in the words of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The side of the certificate.
    pub program: &'static str,
    /// The other one.
    pub opponent: &'static str,
    /// How to tell them apart, in a sentence.
    pub about: &'static str,
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The opponent is to move.
    Opponent,
    /// The side of the certificate is to move.
    Program,
    /// It is over, and the certificate was right: this is how it ended.
    Over(String),
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// No such move; says what was expected.
    #[error("{0}")]
    NoMove(String),
    /// What cannot happen if certificate and program are right.
    #[error("the certificate or this program is wrong: {0}")]
    Wrong(String),
}
