//! Plays any game from state to state, until the rules settle it.
//!
//! States with the same key have the same value, but not always the same moves: a game may leave
//! out moves that others stand for. Where they differ, play continues from the state that the
//! certificate has for the key.

use std::collections::HashSet;

use hasami_andor::certificate::Strategy;
use hasami_andor::problem::all_moves;
use hasami_andor::{Key, Moves, Problem, Turn};

use super::{Duel, Sides, Status, Trouble};

/// A duel by the rules of a [`Problem`] alone.
pub struct ByRules<'a, P: Problem> {
    problem: &'a P,
    strategy: &'a Strategy,
    state: P::State,
    /// Keys of the states visited so far.
    met: HashSet<Key>,
    /// Whether the state was visited before.
    repeated: bool,
    draw: Draw<P>,
}

/// Draws a state, if the game has a drawing.
type Draw<P> = fn(&P, &<P as Problem>::State) -> Option<String>;

impl<'a, P: Problem> ByRules<'a, P> {
    /// A game from the root.
    pub fn new(problem: &'a P, strategy: &'a Strategy, draw: Draw<P>) -> Self {
        let state = problem.root();
        let met = HashSet::from([problem.key(&state)]);
        Self { problem, strategy, state, met, repeated: false, draw }
    }

    fn go(&mut self, mv: P::Move) -> String {
        let name = self.problem.show_move(&self.state, mv);
        self.state = self.problem.play(&self.state, mv);
        self.repeated = !self.met.insert(self.problem.key(&self.state));
        self.switch_to_recorded();
        name
    }

    fn listed(&self) -> Moves<P::Move> {
        let mut moves = Moves::new();
        all_moves(self.problem, &self.state, &mut moves);
        moves
    }

    /// Switches to the certificate's state if it does not know the moves of the current one.
    fn switch_to_recorded(&mut self) {
        let next = |mv| self.problem.play(&self.state, mv);
        let fits = match self.status() {
            Status::Over(_) => true,
            Status::Program => self.strategy.reply(self.problem, &self.state).is_some(),
            Status::Opponent => {
                self.listed().iter().all(|mv| self.strategy.knows(self.problem, &next(mv)))
            }
        };
        if let (false, Some(state)) =
            (fits, self.strategy.recorded(self.problem, self.problem.key(&self.state)))
        {
            self.state = state;
        }
    }

    fn wrong<T>(&self, what: &str) -> Result<T, Trouble> {
        Err(Trouble::Wrong(format!("{what}\n{}", self.problem.show(&self.state))))
    }
}

impl<P: Problem> Duel for ByRules<'_, P> {
    fn sides(&self) -> Sides {
        let about = "OR wants it proven, AND disproven.";
        if Turn::Or.wish() == self.strategy.verdict() {
            Sides { program: "OR", opponent: "AND", about }
        } else {
            Sides { program: "AND", opponent: "OR", about }
        }
    }

    fn show(&self) -> String {
        self.problem.show(&self.state)
    }

    fn picture(&self) -> String {
        let drawn = (self.draw)(self.problem, &self.state);
        drawn.unwrap_or_else(|| crate::board::of_text(&self.show()))
    }

    fn status(&self) -> Status {
        let verdict = self.strategy.verdict();
        if self.repeated && self.problem.repetition().verdict() == Some(verdict) {
            return Status::Over(format!("a repeated state counts as {}", verdict.word()));
        }
        if self.strategy.settled(self.problem, &self.state) {
            return Status::Over(format!("the rules settle it: {}", verdict.word()));
        }
        if self.problem.turn(&self.state).wish() == verdict {
            Status::Program
        } else {
            Status::Opponent
        }
    }

    fn moves(&self) -> Vec<String> {
        self.listed().iter().map(|mv| self.problem.show_move(&self.state, mv)).collect()
    }

    fn expected(&self) -> String {
        const MANY: usize = 6;
        let moves = self.moves();
        let more = if moves.len() > MANY { ", …" } else { "" };
        let some = moves.iter().take(MANY).cloned().collect::<Vec<_>>().join(", ");
        format!("one of {} moves ({some}{more}) or its number in the list of `moves`", moves.len())
    }

    fn play(&mut self, text: &str) -> Result<String, Trouble> {
        let moves = self.listed();
        let named = |mv: &P::Move| {
            self.problem.show_move(&self.state, *mv).eq_ignore_ascii_case(text.trim())
        };
        let Some(mv) = moves.iter().find(named) else {
            let expected = self.expected();
            return Err(Trouble::NoMove(format!("found {:?}; expected {expected}", text.trim())));
        };
        let name = self.go(mv);
        if self.strategy.knows(self.problem, &self.state) {
            Ok(name)
        } else {
            self.wrong(&format!("it says nothing of the state after {name}"))
        }
    }

    fn answer(&mut self) -> Result<String, Trouble> {
        match self.strategy.reply(self.problem, &self.state) {
            Some(mv) => Ok(self.go(mv)),
            None => self.wrong("it names no move here"),
        }
    }
}
