//! The interface of a game: all other code in this crate is written against [`Problem`].

mod key;
mod moves;
mod reason;

use std::fmt;

use crate::certificate::{Checked, Dag, Fault, Header, Listener, Refusal, Sink, Source, plain};
use crate::numbers::{Numbers, Verdict};

pub use key::{Key, ProblemId, Rank};
pub use moves::Moves;
pub(crate) use moves::{GROUPS, Listed};
pub use reason::Reason;

/// Whose choice a state is. Depends on the state, not on its depth: a turn may be several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One proven child proves the state.
    Or,
    /// All children must be proven to prove the state.
    And,
}

impl Turn {
    /// The verdict for which one child is enough.
    #[must_use]
    pub fn wish(self) -> Verdict {
        match self {
            Self::Or => Verdict::Proven,
            Self::And => Verdict::Disproven,
        }
    }
}

/// How a state that repeats on the path counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The rules never return to a state, so no path is stored.
    Impossible,
    /// The OR side has failed (a perpetual check, or a draw if the question asks for a win).
    Disproven,
    /// The OR side has succeeded (a draw if the question asks for not losing).
    Proven,
}

impl Repetition {
    /// The verdict of a repeated state.
    #[must_use]
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Impossible => None,
            Self::Disproven => Some(Verdict::Disproven),
            Self::Proven => Some(Verdict::Proven),
        }
    }
}

/// What the rules say about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Settled by the rules alone.
    Settled(Verdict),
    /// Open; the buffer holds its moves, at least one.
    Open,
}

/// Bytes that do not encode a state of this problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadState(pub String);

/// A question with the answer "proven" or "disproven". A game implements only this trait.
///
/// Implementations are plain data; all methods are pure functions of `self` and their arguments.
pub trait Problem: Sized + Send + Sync {
    /// A position, including the side to move.
    type State: Clone + Send + Sync;
    /// A move; small, because searches store many.
    type Move: Copy + fmt::Debug + Send + Sync;
    /// What a verdict depends on; `()` for most games.
    type Reason: Reason;

    /// Whether [`Problem::evaluate`] returns more than [`Numbers::UNKNOWN`].
    const EVALUATES: bool = false;
    /// Whether [`Problem::recall`] ever returns anything.
    const RECALLS: bool = false;
    /// Whether states form families in which more never hurts the OR side (pieces in hand, plies
    /// left). Follows from the reason: set [`Reason::RANKED`], compose keys with [`Key::ranked`], and
    /// implement [`Problem::at_least`], [`Problem::reason_rank`], [`Problem::rank_reason`] and
    /// [`Problem::with_rank`].
    ///
    /// What the game promises, for two states of one family, *a* at least as good as *b*:
    ///
    /// - if OR can force a proof at *b* within n moves, it can at *a* within n moves, and no line
    ///   gets longer ([`Problem::length`]);
    /// - if the other side can force a disproof at *a* within n moves, it can at *b*.
    ///
    /// Both hold if every move that OR has at *b* and every reply that the other side has at *a* also
    /// exists in the other state, and leads to one family again, at least as good from *a*.
    const DOMINATES: bool = <Self::Reason as Reason>::RANKED;

    /// The fingerprint of rules, parameters and version.
    fn id(&self) -> ProblemId;

    /// The state the question is about.
    fn root(&self) -> Self::State;

    /// Whose choice this state is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the moves of `state` to the empty buffer, or returns the verdict of the rules.
    fn expand(&self, state: &Self::State, moves: &mut Moves<Self::Move>) -> Expansion;

    /// As [`Problem::expand`], for a state that [`Problem::evaluate`] has left open. Override it where
    /// that saves work.
    fn expand_evaluated(&self, state: &Self::State, moves: &mut Moves<Self::Move>) -> Expansion {
        self.expand(state, moves)
    }

    /// The state after a move.
    fn play(&self, state: &Self::State, mv: Self::Move) -> Self::State;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Key;

    /// The key after a move. Override it where playing is expensive.
    fn key_after(&self, state: &Self::State, mv: Self::Move) -> Key {
        self.key(&self.play(state, mv))
    }

    /// Appends bytes from which [`Problem::decode`] restores the state on any machine.
    fn encode(&self, state: &Self::State, out: &mut Vec<u8>);

    /// Decodes a state that `encode` wrote. Any other bytes, hostile ones included, are an error.
    ///
    /// # Errors
    /// If the bytes do not encode a state of this problem.
    fn decode(&self, bytes: &[u8]) -> Result<Self::State, BadState>;

    /// Initial numbers of a new state (df-pn+). They may be settled if [`Problem::expand`] gives
    /// the same verdict.
    fn evaluate(&self, _state: &Self::State) -> Numbers {
        Numbers::UNKNOWN
    }

    /// The same for a state that a move leads to, where the move says more than the state alone.
    fn evaluate_after(
        &self,
        _before: &Self::State,
        _mv: Self::Move,
        state: &Self::State,
    ) -> Numbers {
        self.evaluate(state)
    }

    /// Whether [`Problem::evaluate`] may say anything about the states after a move from this one.
    fn evaluates_after(&self, _state: &Self::State) -> bool {
        true
    }

    /// How a repeated state counts.
    fn repetition(&self) -> Repetition {
        Repetition::Impossible
    }

    /// Appends the moves that `mv` hides, once `mv` is settled against the side to move, for
    /// `reason`. With `None`: every move it could ever hide (for the verifier, when only legality
    /// matters).
    fn open(
        &self,
        _state: &Self::State,
        _mv: Self::Move,
        _reason: Option<Self::Reason>,
        _moves: &mut Moves<Self::Move>,
    ) {
    }

    /// What `verdict` depends on, given the children it was derived from: none if the rules settle
    /// it, one where one is enough, else all. A reason is written in the frame of the key: states
    /// with one key share it, so a game with symmetries must transform it.
    fn reason(
        &self,
        _state: &Self::State,
        _verdict: Verdict,
        _basis: &[(Self::Move, Self::Reason)],
    ) -> Self::Reason {
        Self::Reason::default()
    }

    /// Whether rank `a` is at least as good for the OR side as rank `b` of the same family. A partial
    /// order. Only asked if [`Problem::DOMINATES`].
    fn at_least(&self, a: Rank, b: Rank) -> bool {
        a == b
    }

    /// The rank that a verdict is known to hold for, besides that of its own state: for a proof the
    /// smallest one known to be enough, at most that of the state; for a disproof the largest one
    /// known to fail, at least that of the state. Only asked if [`Problem::DOMINATES`].
    fn reason_rank(&self, _reason: Self::Reason) -> Rank {
        Rank::default()
    }

    /// The reason that claims a verdict for this rank and says nothing more. States whose verdict
    /// comes from a repetition get it. Only asked if [`Problem::DOMINATES`].
    fn rank_reason(&self, _rank: Rank) -> Self::Reason {
        Self::Reason::default()
    }

    /// The state of the same family with another rank; `None` if there is no such rank. Must refuse
    /// nonsense: ranks come from certificates too.
    fn with_rank(&self, _state: &Self::State, _rank: Rank) -> Option<Self::State> {
        None
    }

    /// What similar states imply about a state that the rules leave open and no search has met.
    /// Besides [`Problem::learn`], the only method whose answers may change over time. It must be
    /// right: a search relies on it. Certificates do not: they are made and checked without it.
    fn recall(&self, _state: &Self::State) -> Option<(Verdict, Self::Reason)> {
        None
    }

    /// Called when a search has settled a state with `work` nodes: the game may learn from it.
    fn learn(&self, _state: &Self::State, _verdict: Verdict, _reason: Self::Reason, _work: u32) {}

    /// What the move adds to the length of a line: 0 for part of a turn, for example. `None` if the
    /// game has no lengths.
    fn length(&self, _state: &Self::State, _mv: Self::Move) -> Option<u32> {
        None
    }

    /// What is still missing from the length of a line at a state that the rules settle. `None` if
    /// the line has no end: neither side gets what it wanted.
    fn rest(&self, _state: &Self::State) -> Option<u32> {
        Some(0)
    }

    /// Appends a move in the bytes of docs/certificates.md.
    fn put_move(&self, state: &Self::State, mv: Self::Move, out: &mut Vec<u8>);

    /// Reads a move that [`Problem::put_move`] wrote. It need not be legal here, but must be one that
    /// can be written again and shown.
    ///
    /// # Errors
    /// If the bytes are no move.
    fn take_move(&self, state: &Self::State, from: &mut Source<'_>) -> Result<Self::Move, Fault>;

    /// Appends a rank in the bytes of docs/certificates.md.
    fn put_rank(&self, _state: &Self::State, rank: Rank, out: &mut Sink<'_>) {
        out.number(rank.0.into());
    }

    /// Reads a rank that [`Problem::put_rank`] wrote.
    ///
    /// # Errors
    /// If the bytes are no rank.
    fn take_rank(&self, _state: &Self::State, from: &mut Source<'_>) -> Result<Rank, Fault> {
        u32::try_from(from.number()?).map(Rank).map_err(|_| "a rank of more than 32 bits".into())
    }

    /// The number of the rule that settles a state, in docs/certificates.md.
    fn rule(&self, _state: &Self::State) -> u8 {
        1
    }

    /// Appends the symmetry that takes `kept` to `here`, two states with one key. No bytes for a game
    /// without symmetries.
    fn put_symmetry(&self, _kept: &Self::State, _here: &Self::State, _out: &mut Vec<u8>) {}

    /// Reads a symmetry; returns the state that it takes `kept` to.
    ///
    /// # Errors
    /// If the bytes are no symmetry of the game.
    fn turned(&self, kept: &Self::State, _from: &mut Source<'_>) -> Result<Self::State, Fault> {
        Ok(kept.clone())
    }

    /// Writes a proof as header and tree; `header` makes the header, with the length of the longest
    /// line. Games whose proofs have further arguments override this and [`Problem::check`].
    fn prove(&self, dag: &Dag<Self>, out: &mut Sink<'_>, header: &dyn Fn(Option<u32>) -> Header) {
        plain::write(self, dag, out, header);
    }

    /// Checks a tree. Tells the listener about every state where a move is named or all are
    /// answered, once everything below it holds.
    ///
    /// # Errors
    /// The first node that does not hold.
    fn check(
        &self,
        verdict: Verdict,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, Self::State>,
    ) -> Result<Checked, Refusal> {
        plain::check(self, verdict, from, listener)
    }

    /// The state as text for people, one or more lines.
    fn show(&self, state: &Self::State) -> String;

    /// The move in the usual notation of the game.
    fn show_move(&self, state: &Self::State, mv: Self::Move) -> String;
}

/// All moves of a state in their permanent order, hidden ones included; `Settled` if the rules
/// settle it.
pub fn all_moves<P: Problem>(
    problem: &P,
    state: &P::State,
    moves: &mut Moves<P::Move>,
) -> Expansion {
    moves.clear();
    if let Expansion::Settled(verdict) = problem.expand(state, moves) {
        return Expansion::Settled(verdict);
    }
    open_all(problem, state, moves);
    Expansion::Open
}

/// Appends all hidden moves to those that [`Problem::expand`] has listed.
pub(crate) fn open_all<P: Problem>(problem: &P, state: &P::State, moves: &mut Moves<P::Move>) {
    // The list grows while it is read: a hidden move may hide further ones.
    let mut next = 0;
    while next < moves.list.len() {
        let Listed { mv, opens, .. } = moves.list[next];
        if opens {
            problem.open(state, mv, None, moves);
        }
        next += 1;
    }
}
