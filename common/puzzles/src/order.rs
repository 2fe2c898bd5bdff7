//! What is wanted of puzzles.

use std::fmt;
use std::str::FromStr;

use super::grade::Grade;
use super::method::Method;

/// A range of lengths in plies, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies {
    /// The shortest.
    pub least: u32,
    /// The longest.
    pub most: u32,
}

/// No game that is solved here takes longer.
const MOST_PLIES: u32 = 999;

/// What can be said for [`Plies`].
pub const EXPECTED_PLIES: &str =
    "plies like 5, or a range like 5-9, with an odd number in it: who begins makes the last move";

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\"; expected {EXPECTED_PLIES}");
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let plies = Self { least: number(least)?, most: number(most)? };
        // The side to move has the last ply too.
        let odd = !plies.least.is_multiple_of(2) || plies.least < plies.most;
        match plies.least >= 1 && plies.least <= plies.most && plies.most <= MOST_PLIES && odd {
            true => Ok(plies),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.least == self.most {
            true => write!(f, "{}", self.least),
            false => write!(f, "{}-{}", self.least, self.most),
        }
    }
}

/// How many solutions a puzzle may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unique {
    /// One first move wins; all others do not, however long one plays.
    Win,
    /// One first move wins in the fewest plies; others may win later.
    Shortest,
    /// Any number.
    Any,
}

impl Unique {
    /// All of them, with their words.
    pub const WORDS: [(&'static str, Self); 3] =
        [("win", Self::Win), ("shortest", Self::Shortest), ("any", Self::Any)];
}

/// An order for puzzles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// How long they are.
    pub plies: Plies,
    /// How many solutions they have.
    pub unique: Unique,
    /// How hard they are; `None`: whatever comes.
    pub grade: Option<Grade>,
    /// Whether each must be won under every reading of the rules, where they leave something open.
    pub rule_proof: bool,
    /// How positions are drawn.
    pub method: Method,
    /// Where chance begins: the same seed gives the same puzzles.
    pub seed: u64,
    /// Nodes that may be spent on one position; what takes longer is passed over.
    pub nodes: u64,
}
