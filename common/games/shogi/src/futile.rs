//! Futile interpositions (無駄合い): how an interposition can be taken by the piece that gives check,
//! and the length of a mate that a certificate plays if the futile ones do not count. docs/shogi.md
//! has the rule.

use std::collections::HashMap;

use hasami_andor::certificate::Strategy;
use hasami_andor::{Expansion, Key, Moves, Problem};

use crate::attack::Layers;
use crate::moves::Move;
use crate::position::Position;
use crate::problem::Shogi;
use crate::square::{Squares, first};

/// The only checker of the side to move, if it checks from a distance, and the squares between.
pub(crate) fn distant_check(state: &Position) -> Option<(Squares, Squares)> {
    let layers = Layers::new(state);
    let check = state.check_on(&layers, state.king(state.turn())?)?;
    (check.between != 0).then_some((check.capture, check.between))
}

/// The positions after the checker has taken the piece that `reply` put between, without and with
/// promotion, still giving check, and with the taken piece in the defender's hand. None if `reply`
/// is no interposition, or the checker cannot take it.
pub(crate) fn taken(
    state: &Position,
    check: Option<(Squares, Squares)>,
    reply: Move,
) -> Vec<Position> {
    let Some((checker, between)) = check else { return Vec::new() };
    let (Some(from), to) = (first(checker), reply.to()) else { return Vec::new() };
    if between & to.bit() == 0 {
        return Vec::new();
    }
    let after = state.play(reply);
    let attacker = after.turn();
    let kind = after.kind_on(to).base();
    let both = [Move::board(from, to, true), Move::board(from, to, false)];
    let legal = both.into_iter().filter(|&mv| after.is_legal(mv));
    let positions = legal.filter_map(|mv| {
        let taken = after.play(mv);
        let mut rank = taken.rank(attacker);
        rank.hand = rank.hand.minus(kind);
        taken.with_rank(attacker, rank).filter(|next| next.in_check(next.turn()))
    });
    positions.collect()
}

/// The mate that a certificate plays, with lengths that leave out futile interpositions.
pub struct Played<'a> {
    problem: &'a Shogi,
    strategy: &'a Strategy,
    known: HashMap<Key, Option<u32>>,
}

impl<'a> Played<'a> {
    /// Follows a proof of this problem.
    #[must_use]
    pub fn new(problem: &'a Shogi, strategy: &'a Strategy) -> Self {
        Self { problem, strategy, known: HashMap::new() }
    }

    /// The length from a state of the certificate; `None` if it does not know the state.
    pub fn length(&mut self, state: &Position) -> Option<u32> {
        let key = self.problem.key(state);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let length = if state.turn() == self.problem.attacker() {
            self.attack(state)
        } else {
            self.defend(state)
        };
        self.known.insert(key, length);
        length
    }

    /// The check that the certificate names.
    #[must_use]
    pub fn check(&self, state: &Position) -> Option<Move> {
        match self.problem.expand(state, &mut Moves::new()) {
            Expansion::Open => self.strategy.reply(self.problem, state),
            Expansion::Settled(_) => state.mate_in_one(),
        }
    }

    fn attack(&mut self, state: &Position) -> Option<u32> {
        let child = state.play(self.check(state)?);
        Some(1 + self.length(&child)?)
    }

    fn defend(&mut self, state: &Position) -> Option<u32> {
        let replies = self.replies(state)?;
        Some(replies.iter().map(|&(_, length)| 1 + length).max().unwrap_or(0))
    }

    /// The replies that are not futile, with the lengths after them.
    pub fn replies(&mut self, state: &Position) -> Option<Vec<(Move, u32)>> {
        let check = distant_check(state);
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        let (mut found, mut between) = (Vec::new(), Vec::new());
        for mv in moves {
            let positions = taken(state, check, mv);
            if positions.is_empty() {
                found.push((mv, self.length(&state.play(mv))?));
            } else {
                between.push((mv, positions));
            }
        }
        let base = found.iter().map(|&(_, length)| 1 + length).max().unwrap_or(0);
        for (mv, positions) in between {
            if !positions.iter().any(|next| self.within(next, base)) {
                found.push((mv, self.length(&state.play(mv))?));
            }
        }
        Some(found)
    }

    /// Whether the certificate, or the rule alone, mates this side within so many plies.
    fn within(&mut self, state: &Position, plies: u32) -> bool {
        if self.strategy.knows(self.problem, state)
            && self.length(state).is_some_and(|length| length <= plies)
        {
            return true;
        }
        mated_at_once(state)
    }
}

/// Whether the side to move is mated but for futile interpositions.
pub(crate) fn mated_at_once(state: &Position) -> bool {
    at_once(state, &mut HashMap::new())
}

/// What is put between goes back to the hand, so the same few positions come again and again.
fn at_once(state: &Position, known: &mut HashMap<(u128, u32), bool>) -> bool {
    let key = (state.family(), state.hand(state.turn()).bits());
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let check = distant_check(state);
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    let mated = state.in_check(state.turn())
        && moves.iter().all(|&mv| taken(state, check, mv).iter().any(|next| at_once(next, known)));
    known.insert(key, mated);
    mated
}
