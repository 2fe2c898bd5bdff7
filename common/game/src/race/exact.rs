//! Exact values: who wins and in how many plies under best play (the winner as fast, the loser as
//! slowly as possible).

use std::fmt;

use hasami_database::Value;

use super::Player;
use crate::game::Game;

/// How a position ends for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// The game is a draw.
    Draw,
}

/// The exact value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Who wins.
    pub outcome: Outcome,
    /// In how many plies; `None` for a draw.
    pub plies: Option<u32>,
}

impl Exact {
    /// A draw.
    pub const DRAW: Self = Self { outcome: Outcome::Draw, plies: None };

    /// A win of the side to move.
    #[must_use]
    pub fn win(plies: u32) -> Self {
        Self { outcome: Outcome::Win, plies: Some(plies) }
    }

    /// A loss of the side to move.
    #[must_use]
    pub fn loss(plies: u32) -> Self {
        Self { outcome: Outcome::Loss, plies: Some(plies) }
    }

    /// Decodes a byte of a database; `None` if it belongs to no position.
    #[must_use]
    pub fn from_value(value: Value) -> Option<Self> {
        match value.plies() {
            Some(plies) if value.is_win() => Some(Self::win(plies)),
            Some(plies) => Some(Self::loss(plies)),
            None if value == Value::DRAW => Some(Self::DRAW),
            None => None,
        }
    }

    /// Who wins if `mover` is to move.
    #[must_use]
    pub fn winner(self, mover: Player) -> Option<Player> {
        match self.outcome {
            Outcome::Win => Some(mover),
            Outcome::Loss => Some(mover.other()),
            Outcome::Draw => None,
        }
    }

    /// The value as a number for the side to move: higher is better, and different values differ.
    #[must_use]
    pub fn merit(self) -> i64 {
        let plies = i64::from(self.plies.unwrap_or(0));
        match self.outcome {
            Outcome::Win => (1 << 32) - plies,
            Outcome::Loss => plies - (1 << 32),
            Outcome::Draw => 0,
        }
    }

    /// The value for the opponent, one ply earlier.
    #[must_use]
    pub fn after_a_ply(self) -> Self {
        let plies = self.plies.map(|plies| plies + 1);
        let outcome = match self.outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
        };
        Self { outcome, plies }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.outcome {
            Outcome::Win => "win",
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
        };
        match self.plies {
            Some(1) => write!(f, "{word} in 1 ply"),
            Some(plies) => write!(f, "{word} in {plies} plies"),
            None => f.write_str(word),
        }
    }
}

/// A game with a dedicated search for exact values.
pub trait ExactSolver: Game {
    /// The exact value of `state` for its side to move, independent of the question about the root;
    /// `None` if it takes more than `budget` nodes.
    fn solve_exact(&self, state: &Self::State, budget: u64) -> Option<Exact>;
}
