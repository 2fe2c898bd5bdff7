//! The difficulty of a puzzle from counts of choices, traps and defences.
//!
//! score = log₂(first moves) + 2·log₂(1 + traps) + log₂(replies to the first move of the solution).
//! A *trap* is a first move that does not win and that only one of several replies refutes. The
//! length is not part of the score: puzzles of one length are compared. The game sets the
//! thresholds of the grades for each length.

use std::fmt;

/// The counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// Number of first moves.
    pub choices: u32,
    /// Number of traps among them.
    pub traps: u32,
    /// Number of replies to the first move of the solution.
    pub replies: u32,
}

impl Difficulty {
    /// The score.
    #[must_use]
    pub fn score(&self) -> f64 {
        let bits = |number: u32| f64::from(number.max(1)).log2();
        bits(self.choices) + 2.0 * bits(1 + self.traps) + bits(self.replies)
    }

    /// The grade, given the lowest scores of medium and hard.
    #[must_use]
    pub fn grade(&self, [medium, hard]: [f64; 2]) -> Grade {
        match self.score() {
            score if score >= hard => Grade::Hard,
            score if score >= medium => Grade::Medium,
            _ => Grade::Easy,
        }
    }
}

/// The lowest scores of medium and hard for puzzles of this many plies: interpolated between the
/// lengths that the game names, and constant beyond them.
#[must_use]
pub fn thresholds(known: &[(u32, [f64; 2])], plies: u32) -> [f64; 2] {
    let after = known.partition_point(|&(length, _)| length <= plies);
    match (after.checked_sub(1).map(|at| known[at]), known.get(after)) {
        (Some((from, low)), Some(&(to, high))) => {
            let part = f64::from(plies - from) / f64::from(to - from);
            [0, 1].map(|at| low[at] + part * (high[at] - low[at]))
        }
        (Some((_, only)), None) | (None, Some(&(_, only))) => only,
        (None, None) => [f64::INFINITY; 2],
    }
}

/// A grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// Few choices, nothing misleading.
    Easy,
    /// Between easy and hard.
    Medium,
    /// Many choices and traps.
    Hard,
}

impl Grade {
    /// All grades with their words.
    pub const WORDS: [(&'static str, Self); 3] =
        [("easy", Self::Easy), ("medium", Self::Medium), ("hard", Self::Hard)];

    /// The word of the grade.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_go_in_proportion_between_lengths_and_stay_beyond_them() {
        let known = [(3, [1.0, 2.0]), (7, [3.0, 8.0])];
        assert_eq!(thresholds(&known, 1), [1.0, 2.0]);
        assert_eq!(thresholds(&known, 3), [1.0, 2.0]);
        assert_eq!(thresholds(&known, 5), [2.0, 5.0]);
        assert_eq!(thresholds(&known, 7), [3.0, 8.0]);
        assert_eq!(thresholds(&known, 99), [3.0, 8.0]);
    }
}
