//! How hard a puzzle is, by what can be counted: choices, traps and defences.
//!
//! score = log₂(first moves) + 2·log₂(1 + traps) + log₂(replies to the first move of the solution).
//! A *trap* is a first move that does not win and that only one of several replies refutes. The
//! length is not in it: puzzles of one length are compared. Where the grades begin is said by the game.

use std::fmt;

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// First moves there are.
    pub choices: u32,
    /// First moves that look good and do not win.
    pub traps: u32,
    /// Replies to the first move of the solution.
    pub replies: u32,
}

impl Difficulty {
    /// The score.
    #[must_use]
    pub fn score(&self) -> f64 {
        let bits = |number: u32| f64::from(number.max(1)).log2();
        bits(self.choices) + 2.0 * bits(1 + self.traps) + bits(self.replies)
    }

    /// The grade, given the scores from which on a puzzle is medium, and hard.
    #[must_use]
    pub fn grade(&self, [medium, hard]: [f64; 2]) -> Grade {
        match self.score() {
            score if score >= hard => Grade::Hard,
            score if score >= medium => Grade::Medium,
            _ => Grade::Easy,
        }
    }
}

/// A grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// Few choices, and nothing that misleads.
    Easy,
    /// Between the others.
    Medium,
    /// Many choices and traps.
    Hard,
}

impl Grade {
    /// All of them, with their words.
    pub const WORDS: [(&'static str, Self); 3] =
        [("easy", Self::Easy), ("medium", Self::Medium), ("hard", Self::Hard)];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
