//! Exact values of Mancala: positions from the view of the side to move, one byte per cell of the
//! ring, in one word.

use super::position::{Last, MAX_RING, Position, Ring};
use super::{Goal, Mancala};
use hasami_game::race::{Exact, ExactSearch, ExactSolver, Outcome, Player, Race};

/// A ring and a rule in the form of the exact search.
#[derive(Clone, Copy, Debug)]
pub struct Fast {
    ring: Ring,
    goal: Goal,
    opponent_passes: bool,
}

/// Marks a position whose side to move always passes.
const PASSES: u128 = 1 << 127;

impl Fast {
    /// The game on this ring under this rule.
    #[must_use]
    pub fn new(ring: Ring, goal: Goal) -> Self {
        Self { ring, goal, opponent_passes: false }
    }

    /// A position from the view of its side to move: own pockets from 0.
    #[must_use]
    pub fn seen(&self, position: &Position) -> u128 {
        let pos = pack(&position.seeds);
        match position.mover {
            Player::First => pos,
            Player::Second => self.turned(pos),
        }
    }

    /// The ring from the view of the other side.
    #[must_use]
    pub fn turned(&self, pos: u128) -> u128 {
        let half = 8 * (u32::from(self.ring.pits) + 1);
        let own = (1 << half) - 1;
        let pos = pos & !PASSES;
        pos >> half | (pos & own) << half
    }

    fn row(&self) -> u128 {
        (1 << (8 * u32::from(self.ring.pits))) - 1
    }

    /// The position after a sowing from the view of the sower, and whether the last seed gives
    /// another move.
    #[must_use]
    pub fn sown(&self, pos: u128, pocket: u8) -> (u128, bool) {
        let (seeds, last) = self.ring.sow(&unpack(pos), pocket);
        let on = match (last, self.goal) {
            (Last::Pocket, _) => false,
            (Last::Goal(owner), Goal::Own) => owner == Player::First,
            (Last::Goal(_), Goal::Either) => true,
        };
        (pack(&seeds), on)
    }
}

fn pack(seeds: &[u8; MAX_RING]) -> u128 {
    let mut bytes = [0; 16];
    bytes[..MAX_RING].copy_from_slice(seeds);
    u128::from_le_bytes(bytes)
}

fn unpack(pos: u128) -> [u8; MAX_RING] {
    let mut seeds = [0; MAX_RING];
    seeds.copy_from_slice(&pos.to_le_bytes()[..MAX_RING]);
    seeds
}

impl Race for Fast {
    type Pos = u128;

    /// Only the side that has just sown can have emptied its own pits, and then the turn has
    /// passed.
    fn ended(&self, pos: u128) -> Option<Outcome> {
        (self.turned(pos) & self.row() == 0).then_some(Outcome::Loss)
    }

    fn push_moves(&self, pos: u128, after: &mut Vec<(u128, bool)>) {
        if pos & PASSES != 0 {
            after.push((self.turned(pos), false));
            return;
        }
        for pocket in 0..self.ring.pits {
            if pos >> (8 * u32::from(pocket)) & 0xff == 0 {
                continue;
            }
            let (next, on) = self.sown(pos, pocket);
            let won = next & self.row() == 0;
            let on = on && !won;
            after.push(if on {
                (next, true)
            } else if self.opponent_passes {
                (self.turned(next) | PASSES, false)
            } else {
                (self.turned(next), false)
            });
        }
    }

    fn fewest(&self, _: u128) -> (u16, u16) {
        (1, 2)
    }
}

impl ExactSolver for Mancala {
    fn solve_exact(&self, state: &Position, budget: u64) -> Option<Exact> {
        let fast =
            Fast { opponent_passes: self.opponent_passes, ..Fast::new(self.ring, self.goal) };
        let passes = self.opponent_passes && state.mover != self.inquiry.asker;
        let pos = fast.seen(state) | if passes { PASSES } else { 0 };
        ExactSearch::new(&fast).solve(pos, budget)
    }
}
