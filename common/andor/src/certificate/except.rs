//! A question with one first move left out: what else wins?

use super::Source;
use super::bytes::Fault;
use crate::problem::{
    BadState, Expansion, Key, Moves, Problem, ProblemId, Rank, Reason, Repetition, Turn,
};

/// The problem without one of the moves of its root, which no other state may be equal to.
pub struct Except<'a, P: Problem> {
    problem: &'a P,
    /// The bytes of the move.
    left_out: Vec<u8>,
    root: Key,
}

impl<'a, P: Problem> Except<'a, P> {
    /// Leaves out a first move, given by its bytes.
    ///
    /// # Errors
    /// If it is no move of the root, or the root may occur again.
    pub fn new(problem: &'a P, left_out: &[u8]) -> Result<Self, Fault> {
        let root = problem.root();
        let mut moves = Moves::new();
        crate::problem::all_moves(problem, &root, &mut moves);
        let bytes = |mv| {
            let mut bytes = Vec::new();
            problem.put_move(&root, mv, &mut bytes);
            bytes
        };
        if moves.len() < 2 || !moves.iter().any(|mv| bytes(mv) == left_out) {
            return Err("the move to be left out is no first move, or the only one".to_string());
        }
        if problem.repetition() != Repetition::Impossible || P::Reason::WORDS > 0 {
            return Err("no first move can be left out in this game".to_string());
        }
        Ok(Self { problem, left_out: left_out.to_vec(), root: problem.key(&root) })
    }
}

impl<P: Problem> Problem for Except<'_, P> {
    type State = P::State;
    type Move = P::Move;
    type Reason = P::Reason;
    const EVALUATES: bool = P::EVALUATES;

    fn id(&self) -> ProblemId {
        ProblemId::new("except", 1, &format!("{} {:02x?}", self.problem.id(), self.left_out))
    }
    fn root(&self) -> P::State {
        self.problem.root()
    }
    fn turn(&self, state: &P::State) -> Turn {
        self.problem.turn(state)
    }

    fn expand(&self, state: &P::State, moves: &mut Moves<P::Move>) -> Expansion {
        let expansion = self.problem.expand(state, moves);
        if expansion == Expansion::Open && self.problem.key(state) == self.root {
            let mut bytes = Vec::new();
            moves.list.retain(|listed| {
                bytes.clear();
                self.problem.put_move(state, listed.mv, &mut bytes);
                bytes != self.left_out
            });
        }
        expansion
    }

    fn play(&self, state: &P::State, mv: P::Move) -> P::State {
        self.problem.play(state, mv)
    }
    fn key(&self, state: &P::State) -> Key {
        self.problem.key(state)
    }
    fn key_after(&self, state: &P::State, mv: P::Move) -> Key {
        self.problem.key_after(state, mv)
    }
    fn at_least(&self, a: Rank, b: Rank) -> bool {
        self.problem.at_least(a, b)
    }
    fn encode(&self, state: &P::State, out: &mut Vec<u8>) {
        self.problem.encode(state, out);
    }
    fn decode(&self, bytes: &[u8]) -> Result<P::State, BadState> {
        self.problem.decode(bytes)
    }
    fn evaluate(&self, state: &P::State) -> crate::Numbers {
        self.problem.evaluate(state)
    }
    fn length(&self, state: &P::State, mv: P::Move) -> Option<u32> {
        self.problem.length(state, mv)
    }
    fn rest(&self, state: &P::State) -> Option<u32> {
        self.problem.rest(state)
    }
    fn show(&self, state: &P::State) -> String {
        self.problem.show(state)
    }
    fn show_move(&self, state: &P::State, mv: P::Move) -> String {
        self.problem.show_move(state, mv)
    }
    fn put_move(&self, state: &P::State, mv: P::Move, out: &mut Vec<u8>) {
        self.problem.put_move(state, mv, out);
    }
    fn take_move(&self, state: &P::State, from: &mut Source<'_>) -> Result<P::Move, Fault> {
        self.problem.take_move(state, from)
    }
    fn rule(&self, state: &P::State) -> u8 {
        self.problem.rule(state)
    }
    fn put_symmetry(&self, kept: &P::State, here: &P::State, out: &mut Vec<u8>) {
        self.problem.put_symmetry(kept, here, out);
    }
    fn turned(&self, kept: &P::State, from: &mut Source<'_>) -> Result<P::State, Fault> {
        self.problem.turned(kept, from)
    }
}
