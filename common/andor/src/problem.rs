//! The interface of a game: all other code in this crate is written against [`Problem`].

use std::fmt;

use crate::certificate::{Checked, Dag, Fault, Header, Refusal, Sink, Source, Step, plain};
use crate::numbers::{Numbers, Verdict};

/// A 128-bit key of a state; states that are equal by symmetry share it.
///
/// Different states must have different keys, up to hash collisions: use all 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// Spreads an injective but poorly mixed value (a packed board, an index) over all 128 bits.
    /// Different inputs give different keys.
    #[must_use]
    pub fn mixed(name: u128) -> Self {
        // Every step is a bijection: xor-shifts and products with odd numbers.
        let mut x = name;
        x ^= x >> 67;
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        x ^= x >> 59;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f);
        x ^= x >> 64;
        Self(x)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Fingerprint of rules, parameters and version. Keys are comparable only under one `ProblemId`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProblemId(pub u128);

impl ProblemId {
    /// The id of the problem `name` with `parameters` in a canonical spelling. Raise `version` when
    /// the rules, the keys or the encoding change.
    #[must_use]
    pub fn new(name: &str, version: u32, parameters: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(&(name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update(&version.to_le_bytes());
        hash.update(parameters.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        Self(u128::from_le_bytes(bytes))
    }
}

impl fmt::Debug for ProblemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for ProblemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

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

/// A move in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<M> {
    pub mv: M,
    /// Hides other moves until it is settled against the side to move.
    pub opens: bool,
    /// Initial numbers of the state after it.
    pub first: Numbers,
}

/// The moves of one state. Their order is permanent: certificates name a move by its index here.
#[derive(Debug)]
pub struct Moves<M> {
    pub(crate) list: Vec<Listed<M>>,
}

impl<M: Copy> Moves<M> {
    /// An empty buffer; reuse it.
    #[must_use]
    pub fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds a move.
    pub fn push(&mut self, mv: M) {
        self.push_rated(mv, Numbers::UNKNOWN);
    }

    /// Adds a move with unsettled initial numbers for the state after it (df-pn+). For games that
    /// rate all their moves at once more cheaply than [`Problem::evaluate`] rates states.
    pub fn push_rated(&mut self, mv: M, first: Numbers) {
        debug_assert!(!first.settled(), "a rating settles nothing");
        self.list.push(Listed { mv, opens: false, first });
    }

    /// Adds a move that hides others: once it is settled against the side to move,
    /// [`Problem::open`] lists them. `first` as in [`Moves::push_rated`].
    pub fn push_opening(&mut self, mv: M, first: Numbers) {
        debug_assert!(!first.settled(), "a rating settles nothing");
        self.list.push(Listed { mv, opens: true, first });
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The moves in order.
    pub fn iter(&self) -> impl Iterator<Item = M> + '_ {
        self.list.iter().map(|listed| listed.mv)
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<M: Copy> Default for Moves<M> {
    fn default() -> Self {
        Self::new()
    }
}

/// What a settled verdict depends on, if a game wants it stored with the verdict: the zone of a
/// polyomino proof, the hand of a shogi proof. Most games use `()`.
pub trait Reason: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Number of 64-bit words in the table (at most 4).
    const WORDS: usize;
    /// Writes the reason into `WORDS` words.
    fn store(self, words: &mut [u64]);
    /// Reads the reason back.
    fn load(words: &[u64]) -> Self;
}

impl Reason for () {
    const WORDS: usize = 0;
    fn store(self, _: &mut [u64]) {}
    fn load(_: &[u64]) -> Self {}
}

impl Reason for u64 {
    const WORDS: usize = 1;
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
    fn load(words: &[u64]) -> Self {
        words[0]
    }
}

impl Reason for u128 {
    const WORDS: usize = 2;
    fn store(self, words: &mut [u64]) {
        words[0] = self as u64;
        words[1] = (self >> 64) as u64;
    }
    fn load(words: &[u64]) -> Self {
        u128::from(words[0]) | u128::from(words[1]) << 64
    }
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

    /// The fingerprint of rules, parameters and version.
    fn id(&self) -> ProblemId;

    /// The state the question is about.
    fn root(&self) -> Self::State;

    /// Whose choice this state is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the moves of `state` to the empty buffer, or returns the verdict of the rules.
    fn expand(&self, state: &Self::State, moves: &mut Moves<Self::Move>) -> Expansion;

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

    /// Checks a tree. Passes every state where a move is named or all are answered to `each`, once
    /// everything below it holds.
    ///
    /// # Errors
    /// The first node that does not hold.
    fn check(
        &self,
        verdict: Verdict,
        from: &mut Source<'_>,
        each: &mut dyn FnMut(&Self::State, Step),
    ) -> Result<Checked, Refusal> {
        plain::check(self, verdict, from, each)
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
    // The list grows while it is read: a hidden move may hide further ones.
    let mut next = 0;
    while next < moves.list.len() {
        let Listed { mv, opens, .. } = moves.list[next];
        if opens {
            problem.open(state, mv, None, moves);
        }
        next += 1;
    }
    Expansion::Open
}
