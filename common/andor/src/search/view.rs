//! The children of a node combined, and the threshold arithmetic: which child comes next and how far
//! it may go.

use crate::numbers::{INFINITE, LIMIT, Numbers, Verdict};
use crate::problem::{GROUPS, Turn};
use crate::search::options::{Method, Options, SumRule};

/// Numbers as seen by the side to move: (one child is enough, all are needed).
#[inline]
pub(crate) fn split(turn: Turn, numbers: Numbers) -> (u32, u32) {
    match turn {
        Turn::Or => (numbers.proof, numbers.disproof),
        Turn::And => (numbers.disproof, numbers.proof),
    }
}

#[inline]
pub(crate) fn join(turn: Turn, one: u32, all: u32) -> Numbers {
    match turn {
        Turn::Or => Numbers { proof: one, disproof: all },
        Turn::And => Numbers { proof: all, disproof: one },
    }
}

/// The contribution of one child to a [`View`].
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub numbers: Numbers,
    /// Counted with "max" under the hybrid rule.
    pub mark: bool,
    /// Of the children of one group only the largest counts; 0 for none. A mark comes first.
    pub group: u8,
    /// What the moves that it hides add to the side where all are needed.
    pub weight: u16,
    /// Makes the child look worse, because others are searching it.
    pub burden: u32,
}

impl Part {
    /// A child without anything special.
    pub fn of(numbers: Numbers) -> Self {
        Self { numbers, mark: false, group: 0, weight: 0, burden: 0 }
    }

    fn is_grouped(self) -> bool {
        self.group != 0 && !self.mark
    }
}

/// The largest number of each group.
struct Groups([u32; GROUPS as usize]);

impl Groups {
    #[cold]
    fn of(turn: Turn, parts: impl Iterator<Item = Part>) -> Self {
        let mut groups = Self([0; GROUPS as usize]);
        for part in parts.filter(|part| part.is_grouped()) {
            let largest = &mut groups.0[usize::from(part.group % GROUPS)];
            *largest = split(turn, part.numbers).1.max(*largest);
        }
        groups
    }

    /// How many groups have an open child.
    fn count(&self) -> u64 {
        self.0.iter().filter(|&&largest| largest > 0).count() as u64
    }

    fn sum(&self) -> u64 {
        self.0.iter().map(|&largest| u64::from(largest)).sum()
    }
}

/// The children combined.
pub(crate) struct View {
    /// The child to search next, or the one that wins.
    pub best: usize,
    /// Smallest number on the side where one child is enough.
    pub one: u32,
    /// The second smallest.
    pub second: u32,
    /// Combined number on the side where all are needed.
    pub all: u32,
    /// The part of the threshold for `all` that `best` may not use.
    pub offset: u32,
}

impl View {
    /// Combines the children under the sum rule of the options.
    #[inline]
    pub fn new(turn: Turn, parts: impl Iterator<Item = Part> + Clone, options: &Options) -> Self {
        let weak = options.sum == SumRule::Weak;
        let turn_round = options.seed & 1 == 1;
        let (mut best, mut best_one, mut second) = (usize::MAX, u32::MAX, INFINITE);
        let (mut best_all, mut best_marked, mut best_group) = (u32::MAX, false, 0);
        let (mut sum, mut max, mut open) = (0u64, 0u32, 0u64);
        let (mut weight, mut grouped) = (0u64, false);
        let mut one = INFINITE;
        for (i, part) in parts.clone().enumerate() {
            let (child_one, child_all) = split(turn, part.numbers);
            if child_all == 0 {
                continue;
            }
            if child_one == 0 {
                return Self { best: i, one: 0, second: 0, all: INFINITE, offset: 0 };
            }
            let marked = weak || part.mark;
            let in_group = part.is_grouped();
            weight += u64::from(part.weight);
            grouped |= in_group;
            open += u64::from(!in_group);
            if marked {
                max = max.max(child_all);
            } else if !in_group {
                sum += u64::from(child_all);
            }
            one = one.min(child_one);
            let looks = child_one.saturating_add(part.burden).min(LIMIT);
            let better = looks < best_one
                || looks == best_one
                    && (child_all < best_all || child_all == best_all && turn_round);
            if better {
                second = best_one.min(second);
                (best, best_one, best_all, best_marked) = (i, looks, child_all, marked);
                best_group = if in_group { part.group % GROUPS } else { 0 };
            } else {
                second = second.min(looks);
            }
        }
        // What the best child counts for, if it is not marked.
        let mut share = u64::from(best_all);
        if grouped {
            let groups = Groups::of(turn, parts);
            open += groups.count();
            if !weak {
                sum += groups.sum();
            }
            if best_group != 0 {
                share = groups.0[usize::from(best_group)].into();
            }
        }
        if open == 0 {
            return Self { best: 0, one: INFINITE, second: INFINITE, all: 0, offset: 0 };
        }
        let spare = if weak { open - 1 } else { 0 } + weight;
        let all = sum + u64::from(max) + spare;
        let offset = if best_marked { sum + spare } else { all - share };
        Self {
            best,
            one,
            second,
            all: all.min(u64::from(LIMIT)) as u32,
            offset: offset.min(u64::from(LIMIT)) as u32,
        }
    }

    /// The verdict, if the children settle it.
    pub fn verdict(&self, turn: Turn) -> Option<Verdict> {
        if self.one == 0 {
            Some(turn.wish())
        } else if self.all == 0 {
            Some(turn.wish().opposite())
        } else {
            None
        }
    }

    /// Whether the node has reached its thresholds.
    pub fn exceeds(&self, turn: Turn, thresholds: Numbers, method: Method) -> bool {
        let (one, all) = split(turn, thresholds);
        match method {
            Method::Dfpn => self.one >= one || self.all >= all,
            Method::Pds => self.one >= one && self.all >= all,
        }
    }

    /// The numbers of an unsettled node.
    pub fn open_numbers(&self, turn: Turn) -> Numbers {
        let numbers = join(turn, self.one, self.all);
        Numbers::open(numbers.proof, numbers.disproof)
    }

    /// The thresholds of the chosen child, given its numbers and last thresholds. Above its
    /// numbers, never below the last thresholds: every visit makes progress, whatever the table
    /// forgets.
    pub fn child_thresholds(
        &self,
        turn: Turn,
        thresholds: Numbers,
        (numbers, given): (Numbers, Numbers),
        options: &Options,
    ) -> Numbers {
        let (limit_one, limit_all) = split(turn, thresholds);
        let (child_one, child_all) = split(turn, numbers);
        let (given_one, given_all) = split(turn, given);
        let (one, all) = match options.method {
            Method::Dfpn => {
                let wide = u64::from(self.second) * u64::from(256 + options.epsilon) / 256;
                let next = u64::from(self.second) + 1;
                let one = wide.max(next).min(u64::from(limit_one)) as u32;
                let all = match limit_all {
                    INFINITE => INFINITE,
                    limit => limit.saturating_sub(self.offset),
                };
                (one.max(child_one + 1), all.max(child_all + 1))
            }
            Method::Pds => {
                let more_all =
                    limit_all > self.all && (child_all <= child_one || limit_one <= self.one);
                if more_all { (child_one, child_all + 1) } else { (child_one + 1, child_all) }
            }
        };
        join(turn, one.max(given_one), all.max(given_all))
    }
}

#[cfg(test)]
mod tests;
