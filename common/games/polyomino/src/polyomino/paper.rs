//! The paper's results for the pairs of the twelve minimal losers: Yakuwa, Honda and Shinohara,
//! table 4. No verdict depends on them; tables use them to mark differences from the paper.

use super::shape::{Shape, canonical_set, spell_set};

/// The source.
pub const SOURCE: &str = "Yakuwa, Honda and Shinohara, table 4";

/// The paper's class of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperClass {
    /// Blocked by a paving.
    Loser,
    /// Black wins on the infinite board.
    Winner,
    /// Only known to be a paving winner.
    Open,
}

impl PaperClass {
    /// The word in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Loser => "loser",
            Self::Winner => "winner",
            Self::Open => "open",
        }
    }
}

/// All pairs, with the numbers of the pavings that block both shapes.
pub const PAIRS: [(&str, PaperClass, &[u8]); 66] = [
    ("Square,Z", PaperClass::Loser, &[2]),
    ("Square,W", PaperClass::Winner, &[]),
    ("Square,R", PaperClass::Winner, &[]),
    ("Square,X", PaperClass::Loser, &[2, 6]),
    ("Square,T", PaperClass::Loser, &[2]),
    ("Square,L", PaperClass::Loser, &[2]),
    ("Square,U", PaperClass::Winner, &[]),
    ("Square,I", PaperClass::Loser, &[6]),
    ("Square,UU", PaperClass::Loser, &[2]),
    ("Square,SS", PaperClass::Winner, &[]),
    ("Square,ZZ", PaperClass::Winner, &[]),
    ("Z,W", PaperClass::Loser, &[1]),
    ("Z,R", PaperClass::Loser, &[1]),
    ("Z,X", PaperClass::Loser, &[1, 2]),
    ("Z,T", PaperClass::Loser, &[1, 2]),
    ("Z,L", PaperClass::Loser, &[1, 2]),
    ("Z,U", PaperClass::Winner, &[]),
    ("Z,I", PaperClass::Winner, &[]),
    ("Z,UU", PaperClass::Loser, &[2]),
    ("Z,SS", PaperClass::Loser, &[1]),
    ("Z,ZZ", PaperClass::Winner, &[]),
    ("W,R", PaperClass::Loser, &[1]),
    ("W,X", PaperClass::Loser, &[1, 4]),
    ("W,T", PaperClass::Loser, &[1]),
    ("W,L", PaperClass::Loser, &[1]),
    ("W,U", PaperClass::Winner, &[]),
    ("W,I", PaperClass::Loser, &[4]),
    ("W,UU", PaperClass::Winner, &[]),
    ("W,SS", PaperClass::Loser, &[1]),
    ("W,ZZ", PaperClass::Winner, &[]),
    ("R,X", PaperClass::Loser, &[1]),
    ("R,T", PaperClass::Loser, &[1]),
    ("R,L", PaperClass::Loser, &[1]),
    ("R,U", PaperClass::Winner, &[]),
    ("R,I", PaperClass::Winner, &[]),
    ("R,UU", PaperClass::Winner, &[]),
    ("R,SS", PaperClass::Loser, &[1]),
    ("R,ZZ", PaperClass::Winner, &[]),
    ("X,T", PaperClass::Loser, &[1, 2, 3]),
    ("X,L", PaperClass::Loser, &[1, 2, 3]),
    ("X,U", PaperClass::Loser, &[3]),
    ("X,I", PaperClass::Loser, &[4, 6]),
    ("X,UU", PaperClass::Loser, &[2]),
    ("X,SS", PaperClass::Loser, &[1, 5]),
    ("X,ZZ", PaperClass::Loser, &[5]),
    ("T,L", PaperClass::Loser, &[1, 2, 3]),
    ("T,U", PaperClass::Loser, &[3]),
    ("T,I", PaperClass::Winner, &[]),
    ("T,UU", PaperClass::Loser, &[2]),
    ("T,SS", PaperClass::Loser, &[1]),
    ("T,ZZ", PaperClass::Winner, &[]),
    ("L,U", PaperClass::Loser, &[3]),
    ("L,I", PaperClass::Open, &[]),
    ("L,UU", PaperClass::Loser, &[2]),
    ("L,SS", PaperClass::Loser, &[1]),
    ("L,ZZ", PaperClass::Winner, &[]),
    ("U,I", PaperClass::Winner, &[]),
    ("U,UU", PaperClass::Winner, &[]),
    ("U,SS", PaperClass::Winner, &[]),
    ("U,ZZ", PaperClass::Winner, &[]),
    ("I,UU", PaperClass::Open, &[]),
    ("I,SS", PaperClass::Open, &[]),
    ("I,ZZ", PaperClass::Open, &[]),
    ("UU,SS", PaperClass::Winner, &[]),
    ("UU,ZZ", PaperClass::Winner, &[]),
    ("SS,ZZ", PaperClass::Loser, &[5]),
];

/// The paper's class of the pair of these shapes, if it lists the pair.
#[must_use]
pub fn class_of(shapes: &[Shape; 2]) -> Option<PaperClass> {
    let name = spell_set(&canonical_set(shapes));
    PAIRS.iter().find(|(pair, ..)| *pair == name).map(|(_, class, _)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(first: &str, second: &str) -> Option<PaperClass> {
        class_of(&[first, second].map(|name| Shape::parse(name).unwrap()))
    }

    #[test]
    fn the_paper_has_38_losers_24_winners_and_four_open_pairs() {
        let count = |class| PAIRS.iter().filter(|(_, one, _)| *one == class).count();
        let all = [PaperClass::Loser, PaperClass::Winner, PaperClass::Open];
        assert_eq!(all.map(count), [38, 24, 4]);
    }

    #[test]
    fn a_pair_is_found_in_any_order_and_others_are_not() {
        assert_eq!(class("I", "L"), Some(PaperClass::Open));
        assert_eq!(class("L", "I"), Some(PaperClass::Open));
        assert_eq!(class("#.../####/...#", "Square"), Some(PaperClass::Winner));
        assert_eq!(class("Tic", "I"), None);
    }
}
