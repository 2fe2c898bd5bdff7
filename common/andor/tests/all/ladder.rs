//! A problem that has families and nothing else: ranks are numbers, and more is better.

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Rank, Reason, Turn};

/// The rank that a verdict is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rung(pub u32);

impl Reason for Rung {
    const WORDS: usize = 1;
    const RANKED: bool = true;
    fn store(self, words: &mut [u64]) {
        words[0] = self.0.into();
    }
    fn load(words: &[u64]) -> Self {
        Self(words[0] as u32)
    }
}

pub struct Ladder;

/// A state of a family.
pub fn state(family: u128, rank: u32) -> Key {
    Key::ranked(family, Rank(rank))
}

impl Problem for Ladder {
    type State = ();
    type Move = ();
    type Reason = Rung;
    fn id(&self) -> ProblemId {
        ProblemId(0)
    }
    fn root(&self) {}
    fn turn(&self, (): &()) -> Turn {
        Turn::Or
    }
    fn expand(&self, (): &(), moves: &mut Moves<()>) -> Expansion {
        moves.push(());
        Expansion::Open
    }
    fn play(&self, (): &(), (): ()) {}
    fn key(&self, (): &()) -> Key {
        state(0, 0)
    }
    fn encode(&self, (): &(), _: &mut Vec<u8>) {}
    fn decode(&self, _: &[u8]) -> Result<(), BadState> {
        Ok(())
    }
    fn at_least(&self, a: Rank, b: Rank) -> bool {
        a >= b
    }
    fn reason_rank(&self, reason: Rung) -> Rank {
        Rank(reason.0)
    }
    fn rank_reason(&self, rank: Rank) -> Rung {
        Rung(rank.0)
    }
    fn put_move(&self, (): &(), (): (), _: &mut Vec<u8>) {}
    fn take_move(&self, (): &(), _: &mut Source<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn show(&self, (): &()) -> String {
        String::new()
    }
    fn show_move(&self, (): &(), (): ()) -> String {
        String::new()
    }
}
