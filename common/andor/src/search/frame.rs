//! One node of a depth-first search with its children, and the arithmetic of thresholds: which
//! child comes next and how far it may go.

use crate::numbers::{INFINITE, LIMIT, Numbers, Verdict};
use crate::problem::{Key, Problem, Turn};
use crate::search::options::{Method, Options, SumRule};
use crate::search::path::Dep;

/// A child as the search above it knows it. Kept on the search's own stack, so that a full table
/// costs work but never progress.
pub(crate) struct Child<P: Problem> {
    pub key: Key,
    pub mv: P::Move,
    pub numbers: Numbers,
    /// The thresholds of its last search from here; the next ones are higher.
    pub given: Numbers,
    /// Nodes spent below it; 0 if it was never searched.
    pub work: u32,
    /// Smallest depth at which it was met.
    pub depth: u16,
    /// The ancestors that its verdict depends on.
    pub dep: Dep,
    /// How often it was searched from here.
    pub tries: u16,
    /// Its last search from here came to no new state: it went round in circles.
    pub stalled: bool,
    /// Hides other moves until it is settled against the side to move.
    pub opens: bool,
    /// Shares descendants with another child: counted with "max".
    pub mark: bool,
    pub reason: P::Reason,
}

impl<P: Problem> Child<P> {
    #[inline]
    pub fn part(&self) -> Part {
        Part { numbers: self.numbers, mark: self.mark, burden: 0 }
    }
}

/// A node on the stack.
pub(crate) struct Frame<P: Problem> {
    pub state: P::State,
    pub key: Key,
    pub turn: Turn,
    /// Its children are the stack's children from here to the next frame's.
    pub first: usize,
    pub thresholds: Numbers,
    /// The child being searched, counted from `first`.
    pub chosen: usize,
    /// Nodes when it was entered.
    pub entered: u64,
    /// Work known before it was entered.
    pub work: u32,
    /// Smallest depth at which it was met before.
    pub depth: u16,
    /// How many new states there had been when its chosen child was entered.
    pub fresh: u64,
    /// How many provisional verdicts there were when it was entered.
    pub provisional: usize,
    /// Name of the path that ends here.
    pub path: u128,
    /// Other threads are told that this one is here.
    pub watched: bool,
}

/// Numbers seen from the side to move: (the smallest is enough, all are needed).
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

/// What one child adds to a [`View`].
pub(crate) struct Part {
    pub numbers: Numbers,
    /// Counted with "max" under the hybrid rule.
    pub mark: bool,
    /// Makes the child look worse to choose, because others are searching it.
    pub burden: u32,
}

/// What the children say together.
pub(crate) struct View {
    /// The child to search next, or the one that wins.
    pub best: usize,
    /// Smallest number on the side where one child is enough.
    pub one: u32,
    /// The smallest but one.
    pub second: u32,
    /// Combined number on the side where all are needed.
    pub all: u32,
    /// What `best` may not use of the threshold for `all`.
    pub offset: u32,
}

impl View {
    /// Combines the children under the sum rule of the options.
    #[inline]
    pub fn new(turn: Turn, parts: impl Iterator<Item = Part>, options: &Options) -> Self {
        let weak = options.sum == SumRule::Weak;
        let turn_round = options.seed & 1 == 1;
        let (mut best, mut best_one, mut second) = (usize::MAX, u32::MAX, INFINITE);
        let (mut best_all, mut best_marked) = (u32::MAX, false);
        let (mut sum, mut max, mut open) = (0u64, 0u32, 0u64);
        let mut one = INFINITE;
        for (i, part) in parts.enumerate() {
            let (child_one, child_all) = split(turn, part.numbers);
            if child_all == 0 {
                continue;
            }
            if child_one == 0 {
                return Self { best: i, one: 0, second: 0, all: INFINITE, offset: 0 };
            }
            open += 1;
            let marked = weak || part.mark;
            if marked {
                max = max.max(child_all);
            } else {
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
            } else {
                second = second.min(looks);
            }
        }
        if open == 0 {
            return Self { best: 0, one: INFINITE, second: INFINITE, all: 0, offset: 0 };
        }
        let spare = if weak { open - 1 } else { 0 };
        let all = sum + u64::from(max) + spare;
        let offset = if best_marked { sum + spare } else { all - u64::from(best_all) };
        Self {
            best,
            one,
            second,
            all: all.min(u64::from(LIMIT)) as u32,
            offset: offset.min(u64::from(LIMIT)) as u32,
        }
    }

    /// The verdict, where the children settle it.
    pub fn verdict(&self, turn: Turn) -> Option<Verdict> {
        if self.one == 0 {
            Some(turn.wish())
        } else if self.all == 0 {
            Some(turn.wish().opposite())
        } else {
            None
        }
    }

    /// Whether the node has used up its thresholds.
    pub fn exceeds(&self, turn: Turn, thresholds: Numbers, method: Method) -> bool {
        let (one, all) = split(turn, thresholds);
        match method {
            Method::Dfpn => self.one >= one || self.all >= all,
            Method::Pds => self.one >= one && self.all >= all,
        }
    }

    /// The numbers of a node that is not settled.
    pub fn open_numbers(&self, turn: Turn) -> Numbers {
        let numbers = join(turn, self.one, self.all);
        Numbers::open(numbers.proof, numbers.disproof)
    }

    /// How far the chosen child may go, given its numbers and its last thresholds. Always beyond where it is, and beyond what it was given
    /// before: every visit makes progress, whatever the table forgets.
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

/// The child that decides for `verdict` (the first where all do), and the ancestors that the
/// verdict depends on. Of several winning children the most independent is taken.
pub(crate) fn decide(
    turn: Turn,
    children: impl Iterator<Item = (Numbers, Dep)>,
    verdict: Verdict,
) -> (usize, Dep) {
    let settled = Numbers::from(verdict);
    if verdict != turn.wish() {
        return (0, children.fold(Dep::FREE, |all, (_, dep)| all.and(dep)));
    }
    let winners = children.enumerate().filter(|(_, (numbers, _))| *numbers == settled);
    let most_free = winners.max_by_key(|&(i, (_, dep))| (dep.freedom(), std::cmp::Reverse(i)));
    most_free.map_or((0, Dep::FREE), |(i, (_, dep))| (i, dep))
}
