//! The exact length of a mate without futile interpositions, by searches that are bounded: the
//! attacker may prefer a mate that is longer with them. docs/shogi.md has the rule.

use std::collections::HashMap;

use hasami_andor::{Control, Job, Kernel, Key, Options, Problem, Search, Table, Verdict};

use crate::bound::Bound;
use crate::futile::{distant_check, mated_at_once, taken};
use crate::hand::Rank;
use crate::moves::Move;
use crate::position::Position;
use crate::problem::Shogi;

/// Nodes for the question whether there is a mate at all, which only saves work.
const AT_ALL: u64 = 3_000;
/// Entries of the table of a judge.
const ENTRIES: usize = 1 << 18;

/// Decides lengths. `None` of a question means that its nodes are used up, or that it was stopped.
pub struct Judge<'a> {
    problem: &'a Shogi,
    table: Table<Bound>,
    control: &'a Control,
    left: u64,
    known: HashMap<Key, bool>,
}

/// What is found of replies: those that are not futile, with whether each is within the limit.
struct Replies {
    counted: Vec<Move>,
    base: u16,
}

impl<'a> Judge<'a> {
    /// A judge that searches at most `nodes` nodes; a stop of `control` stops it.
    #[must_use]
    pub fn new(problem: &'a Shogi, control: &'a Control, nodes: u64) -> Self {
        let table = Table::with_entries(ENTRIES, false);
        Self { problem, table, control, left: nodes, known: HashMap::new() }
    }

    /// Whether the side to move mates, or is mated, within so many plies that count.
    pub fn within(&mut self, state: &Position, plies: u16) -> Option<bool> {
        let mut key = *state;
        key.set_left(plies);
        let key = self.problem.key(&key);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.spend(1)?;
        let found = if state.turn() == self.problem.attacker() {
            self.mates(state, plies)?
        } else {
            self.mated(state, plies)?
        };
        self.known.insert(key, found);
        Some(found)
    }

    /// The fewest plies that count, at most `most`; the inner `None` if there is no such mate.
    pub fn length(&mut self, state: &Position, most: u16) -> Option<Option<u16>> {
        let first = u16::from(state.turn() == self.problem.attacker());
        for plies in (first..=most).step_by(2) {
            if self.within(state, plies)? {
                return Some(Some(plies));
            }
        }
        Some(None)
    }

    /// A mate in exactly the fewest plies, `plies`: the first of the shortest checks, and of the
    /// longest replies that are not futile.
    pub fn line(&mut self, state: &Position, plies: u16) -> Option<Vec<Move>> {
        let (mut state, mut line) = (*state, Vec::new());
        for plies in (1..=plies).rev() {
            let mv = if state.turn() == self.problem.attacker() {
                self.check(&state, plies)?
            } else {
                let counted = self.replies(&state, plies)??.counted;
                self.first(&counted, |judge, mv| {
                    let less = plies.checked_sub(3);
                    less.map_or(Some(true), |less| Some(!judge.within(&state.play(mv), less)?))
                })?
            };
            state = state.play(mv);
            line.push(mv);
        }
        Some(line)
    }

    /// The first shortest check; of these the first that is as short with everything counted.
    fn check(&mut self, state: &Position, plies: u16) -> Option<Move> {
        let mut checks = Vec::new();
        state.checks(&mut checks);
        let mut shortest = Vec::new();
        for mv in checks {
            if self.within(&state.play(mv), plies - 1)? {
                shortest.push(mv);
            }
        }
        let full = self.first(&shortest, |judge, mv| {
            let verdict = judge.ask(&state.play(mv), plies - 1, u64::MAX)?;
            Some(verdict == Some(Verdict::Proven))
        });
        // Without one, or without nodes for it, any is as good.
        full.or_else(|| shortest.first().copied())
    }

    fn first(
        &mut self,
        moves: &[Move],
        is: impl Fn(&mut Self, Move) -> Option<bool>,
    ) -> Option<Move> {
        for &mv in moves {
            if is(self, mv)? {
                return Some(mv);
            }
        }
        None
    }

    /// The replies that are not futile, where all of them are met within `plies`.
    pub fn counted(&mut self, state: &Position, plies: u16) -> Option<Vec<Move>> {
        Some(self.replies(state, plies)??.counted)
    }

    fn mates(&mut self, state: &Position, plies: u16) -> Option<bool> {
        if plies == 0 {
            return Some(false);
        }
        // A mate with every interposition counted is one without; no mate at all is none.
        if self.ask(state, plies, u64::MAX)? == Some(Verdict::Proven) {
            return Some(true);
        }
        if self.ask(state, Rank::ENDLESS, AT_ALL)? == Some(Verdict::Disproven) {
            return Some(false);
        }
        let mut checks = Vec::new();
        state.checks(&mut checks);
        for mv in checks {
            if self.within(&state.play(mv), plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn mated(&mut self, state: &Position, plies: u16) -> Option<bool> {
        if plies == 0 {
            return Some(mated_at_once(state));
        }
        let Some(Replies { counted, base }) = self.replies(state, plies)? else {
            return Some(false);
        };
        // Those that are no interposition are met within `base` already.
        if base > plies {
            return Some(false);
        }
        for mv in counted {
            if !self.within(&state.play(mv), plies - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The replies that are not futile; the inner `None` if one that cannot be futile is not met
    /// within `plies`, or if there is no reply and no check.
    fn replies(&mut self, state: &Position, plies: u16) -> Option<Option<Replies>> {
        let check = distant_check(state);
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        if moves.is_empty() && !state.in_check(state.turn()) {
            return Some(None);
        }
        let (mut counted, mut between) = (Vec::new(), Vec::new());
        for mv in moves {
            let positions = taken(state, check, mv);
            if positions.is_empty() {
                counted.push(mv);
            } else {
                between.push((mv, positions));
            }
        }
        let mut base = 0;
        for &mv in &counted {
            let after = state.play(mv);
            if plies == 0 || !self.within(&after, plies - 1)? {
                return Some(None);
            }
            while !(base > 0 && self.within(&after, base - 1)?) {
                base += 2;
            }
        }
        for (mv, positions) in between {
            let mut futile = false;
            for next in &positions {
                futile = futile || self.within(next, base)?;
            }
            if !futile {
                counted.push(mv);
            }
        }
        Some(Some(Replies { counted, base }))
    }

    /// A verdict of the kernel, every interposition counted; the inner `None` after `most` nodes.
    fn ask(&mut self, state: &Position, plies: u16, most: u64) -> Option<Option<Verdict>> {
        let mut state = *state;
        state.set_left(plies);
        let control = Control::with_budget(most.min(self.left));
        let job = Job::settle(state);
        let outcome = Search::new(Kernel::Dfpn, self.problem, &self.table, Options::default(), job)
            .run(&control);
        self.spend(outcome.counts.nodes)?;
        Some(outcome.numbers.verdict())
    }

    fn spend(&mut self, nodes: u64) -> Option<()> {
        self.left = self.left.checked_sub(nodes).filter(|&left| left > 0)?;
        (!self.control.should_stop()).then_some(())
    }
}
