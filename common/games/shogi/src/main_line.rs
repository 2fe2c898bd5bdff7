//! The main line of a mate: the attacker follows a proof, the defender holds out as long as he can.
//!
//! The steps of a proof bound the lengths of all lines below them. A step that stands for a better
//! position may count replies that this one does not have, so the bounds alone do not say which reply
//! is the longest. The real lengths are found by following the proof, the reply with the largest
//! bound first: where it is as long as its bound says, no other reply has to be followed.

use std::collections::HashMap;

use hasami_andor::certificate::Strategy;
use hasami_andor::problem::all_moves;
use hasami_andor::{Expansion, Key, Moves, Problem, Turn, Verdict};

use crate::fault::Fault;
use crate::moves::Move;
use crate::position::Position;
use crate::problem::Shogi;

/// Positions that are followed at most; beyond that the bounds choose the replies.
const PATIENCE: usize = 200_000;

/// A line to mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine {
    /// Its moves, of both sides.
    pub moves: Vec<Move>,
    /// The length of the longest line along the proof. More than there are moves only if the proof
    /// was too large to be followed, or that was stopped.
    pub length: u32,
}

/// The main line of a verified proof about the root. `None` if the strategy does not prove it.
#[must_use]
pub fn main_line(
    problem: &Shogi,
    strategy: &Strategy,
    stop: &dyn Fn() -> bool,
) -> Option<MainLine> {
    if strategy.verdict() != Verdict::Proven {
        return None;
    }
    let mut follower = Follower { problem, strategy, known: HashMap::new(), moves: Moves::new() };
    let root = problem.root();
    let length = match follower.follow(root, stop) {
        Some(length) => length,
        None => follower.bound(&root)?,
    };
    let moves = follower.line(root)?;
    Some(MainLine { moves, length })
}

/// Checks a line by the rules alone: legal moves, a check with each of the attacker's, mate at the
/// end.
///
/// # Errors
/// The first move that does not hold, or that the end is no mate.
pub fn check_line(problem: &Shogi, line: &[Move]) -> Result<(), Fault> {
    let mut position = problem.root();
    for (number, &mv) in (1..).zip(line) {
        let refused = |why: &str| Fault::new(format!("move {number} of the line, {mv}, {why}"));
        if !position.is_legal(mv) {
            return Err(refused("is not legal"));
        }
        let attacks = position.turn() == problem.attacker();
        position = position.play(mv);
        if attacks && !position.in_check(position.turn()) {
            return Err(refused("gives no check"));
        }
    }
    if position.turn() != problem.attacker() && position.is_mated() {
        Ok(())
    } else {
        Err(Fault::new("the line does not end in mate"))
    }
}

/// A position whose replies are being followed.
struct Frame {
    state: Position,
    key: Key,
    /// The moves to follow and the bounds after them, the largest first.
    moves: Vec<(Move, u32)>,
    /// How many have been followed.
    followed: usize,
    /// The longest so far.
    best: Option<(u32, Move)>,
}

impl Frame {
    /// Whether none of the moves that are left can be longer.
    fn is_done(&self) -> bool {
        let next = self.moves.get(self.followed);
        next.is_none_or(|&(_, bound)| self.best.is_some_and(|(best, _)| best > bound))
    }

    /// The last move that was followed has a line of this length after it.
    fn deliver(&mut self, length: u32) {
        let longer = self.best.is_none_or(|(best, _)| length + 1 > best);
        if let Some(&(mv, _)) = self.moves.get(self.followed - 1).filter(|_| longer) {
            self.best = Some((length + 1, mv));
        }
    }
}

struct Follower<'a> {
    problem: &'a Shogi,
    strategy: &'a Strategy,
    /// The longest line from a position, and its first move.
    known: HashMap<Key, (u32, Move)>,
    moves: Moves<Move>,
}

impl Follower<'_> {
    /// The longest line from the root; `None` if it takes too long to find.
    fn follow(&mut self, root: Position, stop: &dyn Fn() -> bool) -> Option<u32> {
        if let Some(rest) = self.rest(&root) {
            return Some(rest);
        }
        let mut stack = vec![self.frame(root)?];
        for _ in 0..PATIENCE {
            if stop() {
                return None;
            }
            let frame = stack.last_mut()?;
            if frame.is_done() {
                let (length, mv) = frame.best?;
                self.known.insert(frame.key, (length, mv));
                stack.pop();
                match stack.last_mut() {
                    Some(above) => above.deliver(length),
                    None => return Some(length),
                }
                continue;
            }
            let (mv, _) = frame.moves[frame.followed];
            frame.followed += 1;
            let state = frame.state.play(mv);
            let known = self.known.get(&self.problem.key(&state)).map(|&(length, _)| length);
            match known.or_else(|| self.rest(&state)) {
                Some(length) => stack.last_mut()?.deliver(length),
                None => stack.push(self.frame(state)?),
            }
        }
        None
    }

    /// The line from the root: what is known of the longest one, else by the bounds.
    fn line(&mut self, root: Position) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut state = root;
        loop {
            if let Some(rest) = self.rest(&state) {
                if rest > 0 {
                    line.push(state.mate_in_one()?);
                }
                return Some(line);
            }
            let known = self.known.get(&self.problem.key(&state)).map(|&(_, mv)| mv);
            let mv = match known {
                Some(mv) => mv,
                None => self.frame(state)?.moves.first()?.0,
            };
            line.push(mv);
            state = state.play(mv);
        }
    }

    /// The plies that are left where the rules see the mate.
    fn rest(&self, state: &Position) -> Option<u32> {
        let settled = self.problem.expand(state, &mut Moves::new());
        let mates = settled == Expansion::Settled(Verdict::Proven);
        if mates { self.problem.rest(state) } else { None }
    }

    /// No line from here along the proof is longer. Less after each move of a line, so that it ends.
    fn bound(&self, state: &Position) -> Option<u32> {
        self.rest(state).or_else(|| {
            let key = self.problem.key(state);
            self.strategy.shortest_step_for(self.problem, key).map(|step| step.length)
        })
    }

    /// The moves to follow: every reply, or the check with the smallest bound.
    fn frame(&mut self, state: Position) -> Option<Frame> {
        let mut list = std::mem::take(&mut self.moves);
        all_moves(self.problem, &state, &mut list);
        let moves = match self.problem.turn(&state) {
            Turn::Or => self.check(&state, &list).map(|check| vec![check]),
            Turn::And => {
                let bound = |mv| self.bound(&state.play(mv)).map(|bound| (mv, bound));
                let mut replies: Option<Vec<_>> = list.iter().map(bound).collect();
                if let Some(replies) = &mut replies {
                    replies.sort_by_key(|&(_, bound)| std::cmp::Reverse(bound));
                }
                replies
            }
        };
        self.moves = list;
        let key = self.problem.key(&state);
        Some(Frame { state, key, moves: moves?, followed: 0, best: None })
    }

    /// The check that the proof names, or one to a position of the proof with a smaller bound.
    fn check(&self, state: &Position, list: &Moves<Move>) -> Option<(Move, u32)> {
        let key = self.problem.key(state);
        let step = self.strategy.shortest_step_for(self.problem, key)?;
        let named = step.choice?;
        let bound = |mv| {
            let after = self.problem.key_after(state, mv);
            let leads = after.family() == named.family()
                && self.problem.at_least(after.rank(), named.rank());
            let known = self.strategy.shortest_step_for(self.problem, after);
            let found = known.map(|step| step.length);
            // What the proof names may be a mate, which has no step.
            let found = if leads { found.or_else(|| self.rest(&state.play(mv))) } else { found };
            found.filter(|&bound| bound < step.length).map(|bound| (mv, bound))
        };
        list.iter().filter_map(bound).min_by_key(|&(_, bound)| bound)
    }
}
