//! A problem whose searches learn nothing for each other but through the store: simulated workers are on
//! different machines, and the search they are compared with came before them.

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Numbers, Problem, ProblemId, Repetition, Turn, Verdict};

/// The same problem without [`Problem::recall`].
pub struct Forgetful<'a, P>(pub &'a P);

impl<P: Problem> Problem for Forgetful<'_, P> {
    type State = P::State;
    type Move = P::Move;
    type Reason = P::Reason;

    const EVALUATES: bool = P::EVALUATES;

    fn id(&self) -> ProblemId {
        self.0.id()
    }

    fn root(&self) -> P::State {
        self.0.root()
    }

    fn turn(&self, state: &P::State) -> Turn {
        self.0.turn(state)
    }

    fn expand(&self, state: &P::State, moves: &mut Moves<P::Move>) -> Expansion {
        self.0.expand(state, moves)
    }

    fn play(&self, state: &P::State, mv: P::Move) -> P::State {
        self.0.play(state, mv)
    }

    fn key(&self, state: &P::State) -> Key {
        self.0.key(state)
    }

    fn key_after(&self, state: &P::State, mv: P::Move) -> Key {
        self.0.key_after(state, mv)
    }

    fn encode(&self, state: &P::State, out: &mut Vec<u8>) {
        self.0.encode(state, out);
    }

    fn decode(&self, bytes: &[u8]) -> Result<P::State, BadState> {
        self.0.decode(bytes)
    }

    fn evaluate(&self, state: &P::State) -> Numbers {
        self.0.evaluate(state)
    }

    fn repetition(&self) -> Repetition {
        self.0.repetition()
    }

    fn open(
        &self,
        state: &P::State,
        mv: P::Move,
        reason: Option<P::Reason>,
        moves: &mut Moves<P::Move>,
    ) {
        self.0.open(state, mv, reason, moves);
    }

    fn reason(
        &self,
        state: &P::State,
        verdict: Verdict,
        basis: &[(P::Move, P::Reason)],
    ) -> P::Reason {
        self.0.reason(state, verdict, basis)
    }

    fn put_move(&self, state: &P::State, mv: P::Move, out: &mut Vec<u8>) {
        self.0.put_move(state, mv, out);
    }

    fn take_move(&self, state: &P::State, from: &mut Source<'_>) -> Result<P::Move, Fault> {
        self.0.take_move(state, from)
    }

    fn show(&self, state: &P::State) -> String {
        self.0.show(state)
    }

    fn show_move(&self, state: &P::State, mv: P::Move) -> String {
        self.0.show_move(state, mv)
    }
}
