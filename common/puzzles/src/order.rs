//! Requirements for puzzles.

use std::fmt;
use std::str::FromStr;

use super::grade::Grade;
use super::method::Method;

/// A range of lengths in plies, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies {
    /// The smallest length.
    pub least: u32,
    /// The largest length.
    pub most: u32,
}

/// No game solved here takes longer.
const MOST_PLIES: u32 = 999;

/// The accepted spellings of [`Plies`].
pub const EXPECTED_PLIES: &str =
    "plies like 5, or a range like 5-9, with an odd number in it: who begins makes the last move";

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\"; expected {EXPECTED_PLIES}");
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let plies = Self { least: number(least)?, most: number(most)? };
        // The side to move also has the last ply.
        let odd = !plies.least.is_multiple_of(2) || plies.least < plies.most;
        if plies.least >= 1 && plies.least <= plies.most && plies.most <= MOST_PLIES && odd {
            Ok(plies)
        } else {
            Err(wrong())
        }
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            write!(f, "{}", self.least)
        } else {
            write!(f, "{}-{}", self.least, self.most)
        }
    }
}

/// How many solutions a puzzle may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unique {
    /// One first move wins; all others do not, with any number of plies.
    Win,
    /// One first move wins in the fewest plies; others may win later.
    Shortest,
    /// Any number.
    Any,
}

impl Unique {
    /// All choices with their words.
    pub const WORDS: [(&'static str, Self); 3] =
        [("win", Self::Win), ("shortest", Self::Shortest), ("any", Self::Any)];
}

/// An order for puzzles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// Their lengths.
    pub plies: Plies,
    /// Their number of solutions.
    pub unique: Unique,
    /// Their grade; `None` for any.
    pub grade: Option<Grade>,
    /// Whether each must be won under every reading of the rules, if they are ambiguous.
    pub rule_proof: bool,
    /// How positions are drawn.
    pub method: Method,
    /// Seed: the same seed gives the same puzzles.
    pub seed: u64,
    /// Node limit for one position; positions that take longer are skipped.
    pub nodes: u64,
}
