//! The parameters of the scheduler, and what changes of them while a search runs.

use crate::numbers::Numbers;

/// How the node of a pseudo-thread limits the amount of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// The base amount for every pseudo-thread.
    Constant,
    /// base × Σ pn / pn: easy nodes get more (eq. 2 of the paper).
    Proof,
    /// The same with pn + dn (eq. 3).
    ProofAndDisproof,
}

impl Amount {
    /// All of them with their names.
    pub const NAMES: [(&str, Self); 3] =
        [("constant", Self::Constant), ("pn", Self::Proof), ("pn+dn", Self::ProofAndDisproof)];
}

/// Parameters of the scheduler. The defaults are the best values of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Pseudo-threads, leader included.
    pub threads: usize,
    /// A slave that has proven its node stops at once, and the leader runs next, out of turn.
    /// Otherwise plain round robin.
    pub optimized: bool,
    /// How the amounts are shared out.
    pub amount: Amount,
    /// The amount of a turn, in nodes.
    pub base: u64,
    /// Cost of a table reference relative to a node (eq. 1).
    pub weight: f64,
    /// The leader's amount is multiplied by this.
    pub leader: f64,
    /// Whether the number of pseudo-threads and the leader's factor change while the search runs.
    /// `threads` is then the largest number, and `leader` the first factor.
    pub adapt: bool,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            threads: 3,
            optimized: true,
            amount: Amount::ProofAndDisproof,
            base: 1000,
            weight: 0.0,
            leader: 1.25,
            adapt: false,
        }
    }
}

/// Turns of the leader without news at the root after which one more slave tries.
const PATIENCE: u32 = 8;
/// By how much the leader's factor changes at a time.
const STEP: f64 = 1.25;
/// The largest factor that adapting leads to.
const MOST_FAVOUR: f64 = 4.0;

/// How many slaves work, and how much the leader is favoured.
///
/// Without [`Schedule::adapt`] both stay as the schedule says. With it a search begins with one slave.
/// A slave that proves its node earns another one, and the leader is favoured less. A slave whose node
/// is settled without it has worked for nothing: there is one slave less, perhaps none, and the leader
/// is favoured more. If the numbers of the root stand still for eight turns of the leader, one more
/// slave tries.
pub(super) struct Pace {
    adapt: bool,
    most: usize,
    slaves: usize,
    leader: f64,
    root: Numbers,
    still: u32,
}

impl Pace {
    pub(super) fn new(schedule: &Schedule) -> Self {
        let most = schedule.threads.saturating_sub(1);
        let slaves = if schedule.adapt { most.min(1) } else { most };
        let (adapt, leader) = (schedule.adapt, schedule.leader);
        Self { adapt, most, slaves, leader, root: Numbers::UNKNOWN, still: 0 }
    }

    /// Slaves that take turns.
    pub(super) fn slaves(&self) -> usize {
        self.slaves
    }

    /// The factor of the leader's amount.
    pub(super) fn leader(&self) -> f64 {
        self.leader
    }

    /// A slave has proven its node.
    pub(super) fn proved(&mut self) {
        if self.adapt {
            self.slaves = (self.slaves + 1).min(self.most);
            self.leader = (self.leader / STEP).max(1.0);
        }
    }

    /// The node of a slave was settled without it.
    pub(super) fn wasted(&mut self) {
        if self.adapt {
            self.slaves = self.slaves.saturating_sub(1);
            self.leader = (self.leader * STEP).min(MOST_FAVOUR);
        }
    }

    /// The numbers of the root after a turn of the leader.
    pub(super) fn led(&mut self, root: Numbers) {
        self.still = if root == self.root { self.still + 1 } else { 0 };
        self.root = root;
        if self.adapt && self.still >= PATIENCE {
            self.still = 0;
            self.slaves = (self.slaves + 1).min(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_schedule_stays_as_it_is() {
        let schedule = Schedule { threads: 4, leader: 1.5, ..Schedule::default() };
        let mut pace = Pace::new(&schedule);
        for _ in 0..100 {
            pace.wasted();
            pace.led(Numbers::UNKNOWN);
        }
        pace.proved();
        assert_eq!((pace.slaves(), pace.leader()), (3, 1.5));
    }

    #[test]
    fn proofs_and_standing_still_add_slaves_and_void_work_takes_them_away() {
        let adapt = |threads| Pace::new(&Schedule { threads, adapt: true, ..Schedule::default() });
        let mut pace = adapt(4);
        assert_eq!(pace.slaves(), 1);
        pace.proved();
        assert_eq!((pace.slaves(), pace.leader()), (2, 1.0));
        for turn in 0..20 {
            pace.led(Numbers::UNKNOWN);
            assert_eq!(pace.slaves(), if turn < 7 { 2 } else { 3 }, "turn {turn}");
        }
        for _ in 0..20 {
            pace.wasted();
        }
        assert_eq!((pace.slaves(), pace.leader()), (0, MOST_FAVOUR));
        (0..PATIENCE).for_each(|_| pace.led(Numbers::UNKNOWN));
        assert_eq!(pace.slaves(), 1, "the leader alone stands still");
        let mut alone = adapt(1);
        alone.proved();
        alone.wasted();
        assert_eq!(alone.slaves(), 0);
    }
}
