//! The games written again from the rules alone, to enumerate questions with a limit: own
//! positions, own moves, own recursion. Nothing here uses the code of the games.

pub mod mancala;
pub mod polyomino;
pub mod pyonpyon;
pub mod quarto;

use std::collections::HashMap;
use std::hash::Hash;

/// How a game ends for the side to move; better is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    Lost,
    Drawn,
    Won,
}

impl Ending {
    /// The same for the other side.
    fn turned(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }
}

/// A game of two players in plies, without repetition.
pub trait Rules {
    type Position: Clone + Eq + Hash;

    /// How the game has ended for the side to move, if it has.
    fn over(&self, position: &Self::Position) -> Option<Ending>;

    /// Every position that one ply can lead to, the other side to move.
    fn plies(&self, position: &Self::Position) -> Vec<Self::Position>;
}

/// A game with its results so far.
pub struct Plain<R: Rules> {
    pub rules: R,
    known: HashMap<(R::Position, u32), Ending>,
}

impl<R: Rules> Plain<R> {
    pub fn new(rules: R) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// How the game ends for the side to move if it is drawn after this many plies, unless the
    /// rules have ended it by then.
    pub fn within(&mut self, position: &R::Position, plies: u32) -> Ending {
        if let Some(ending) = self.rules.over(position) {
            return ending;
        }
        if plies == 0 {
            return Ending::Drawn;
        }
        let name = (position.clone(), plies);
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        let mut best = Ending::Lost;
        for next in self.rules.plies(position) {
            best = best.max(self.within(&next, plies - 1).turned());
            if best == Ending::Won {
                break;
            }
        }
        self.known.insert(name, best);
        best
    }

    /// The fewest plies after which a player has won, and who; `None` if there is no winner after
    /// `most`.
    pub fn decided(&mut self, position: &R::Position, most: u32) -> Option<(u32, Ending)> {
        let ending = |plies| (plies, self.within(position, plies));
        (0..=most).map(ending).find(|(_, ending)| *ending != Ending::Drawn)
    }
}
