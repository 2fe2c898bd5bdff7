//! What a game must tell the kernels. Everything else in this crate is written against [`Problem`].

use std::fmt;

use crate::numbers::{Numbers, Verdict};

/// A 128-bit name of a state, the same for states that symmetry makes equal.
///
/// Different states must have different keys but for the chance of a hash: use all 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// Spreads an injective but poorly mixed name (a packed board, an index) over all 128 bits.
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

/// Fingerprint of rules, parameters and version. Keys are only comparable under one `ProblemId`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProblemId(pub u128);

impl ProblemId {
    /// The id of the problem `name` with `parameters` in a canonical spelling. Raise `version`
    /// whenever the rules, the keys or the encoding change.
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

/// Whose choice a state is. Taken from the state, not from its depth: a turn may be several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One good move is enough to prove.
    Or,
    /// Every move must be answered to prove.
    And,
}

impl Turn {
    /// The verdict that one child is enough for.
    #[must_use]
    pub fn wish(self) -> Verdict {
        match self {
            Self::Or => Verdict::Proven,
            Self::And => Verdict::Disproven,
        }
    }
}

/// What a state repeated on the path counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The rules never come back to a state: no path is kept.
    Impossible,
    /// The OR side has failed (a perpetual check, a draw when a win is asked for).
    Disproven,
    /// The OR side has reached what it wants (a draw when not losing is asked for).
    Proven,
}

impl Repetition {
    /// The verdict a repeated state gets.
    #[must_use]
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Impossible => None,
            Self::Disproven => Some(Verdict::Disproven),
            Self::Proven => Some(Verdict::Proven),
        }
    }
}

/// What the rules say of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Settled by the rules alone.
    Settled(Verdict),
    /// The moves are in the buffer, at least one.
    Open,
}

/// A move in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<M> {
    pub mv: M,
    /// Hides other moves until it is settled against the side to move.
    pub opens: bool,
    /// First numbers of the state after it.
    pub first: Numbers,
}

/// The moves of one state, in the order in which they are numbered for ever: certificates name a
/// move by its place here.
#[derive(Debug)]
pub struct Moves<M> {
    pub(crate) list: Vec<Listed<M>>,
}

impl<M: Copy> Moves<M> {
    /// An empty buffer, to be used again and again.
    #[must_use]
    pub fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds a move.
    pub fn push(&mut self, mv: M) {
        self.push_rated(mv, Numbers::UNKNOWN);
    }

    /// Adds a move with first numbers for the state after it (df-pn+), not settled ones: for games
    /// that can rate all their moves at once more cheaply than [`Problem::evaluate`] rates states.
    pub fn push_rated(&mut self, mv: M, first: Numbers) {
        debug_assert!(!first.settled(), "a rating settles nothing");
        self.list.push(Listed { mv, opens: false, first });
    }

    /// Adds a move that hides others: when it has turned out against the side to move,
    /// [`Problem::open`] is asked for them. `first` as in [`Moves::push_rated`].
    pub fn push_opening(&mut self, mv: M, first: Numbers) {
        debug_assert!(!first.settled(), "a rating settles nothing");
        self.list.push(Listed { mv, opens: true, first });
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The moves in order.
    pub fn iter(&self) -> impl Iterator<Item = M> + '_ {
        self.list.iter().map(|listed| listed.mv)
    }

    /// How many moves there are.
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

/// What a settled verdict rests on, where a game wants it remembered with the verdict: the zone of
/// a polyomino proof, the hand of a shogi proof. Most games use `()`.
pub trait Reason: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// How many 64-bit words the table keeps for it (at most 4).
    const WORDS: usize;
    /// Writes the reason into `WORDS` words.
    fn store(self, words: &mut [u64]);
    /// Reads it back.
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

/// Bytes that are no state of this problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadState(pub String);

/// A question with the answer "proven" or "disproven": the only thing a game must give.
///
/// Implementations are plain data; all methods are pure functions of `self` and their arguments.
pub trait Problem: Send + Sync {
    /// A position, side to move included.
    type State: Clone + Send + Sync;
    /// A move; small, because searches keep many.
    type Move: Copy + fmt::Debug + Send + Sync;
    /// What a verdict rests on; `()` for most games.
    type Reason: Reason;

    /// Whether [`Problem::evaluate`] says more than [`Numbers::UNKNOWN`].
    const EVALUATES: bool = false;
    /// Whether [`Problem::recall`] ever knows anything.
    const RECALLS: bool = false;

    /// The fingerprint of rules, parameters and version.
    fn id(&self) -> ProblemId;

    /// The state the question is about.
    fn root(&self) -> Self::State;

    /// Whose choice this state is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the moves of `state` to the empty buffer, or says how the rules settle it.
    fn expand(&self, state: &Self::State, moves: &mut Moves<Self::Move>) -> Expansion;

    /// The state after a move.
    fn play(&self, state: &Self::State, mv: Self::Move) -> Self::State;

    /// The name of a state.
    fn key(&self, state: &Self::State) -> Key;

    /// The key after a move; worth writing by hand where playing is dear.
    fn key_after(&self, state: &Self::State, mv: Self::Move) -> Key {
        self.key(&self.play(state, mv))
    }

    /// Appends bytes from which [`Problem::decode`] makes the state again, on any machine.
    fn encode(&self, state: &Self::State, out: &mut Vec<u8>);

    /// The state that `encode` wrote; anything else, hostile bytes included, is an error.
    ///
    /// # Errors
    /// When the bytes are no state of this problem.
    fn decode(&self, bytes: &[u8]) -> Result<Self::State, BadState>;

    /// First numbers of a state never seen before (df-pn+). A settled answer is allowed if
    /// [`Problem::expand`] gives the same.
    fn evaluate(&self, _state: &Self::State) -> Numbers {
        Numbers::UNKNOWN
    }

    /// What a repeated state counts as.
    fn repetition(&self) -> Repetition {
        Repetition::Impossible
    }

    /// Appends the moves that `mv` was hiding, now that `mv` is settled against the side to move,
    /// for `reason`. With `None`: every move it could ever hide (the verifier asks this when
    /// only legality matters).
    fn open(
        &self,
        _state: &Self::State,
        _mv: Self::Move,
        _reason: Option<Self::Reason>,
        _moves: &mut Moves<Self::Move>,
    ) {
    }

    /// What `verdict` rests on, given the children it was derived from: none where the rules
    /// settle it, one where one is enough, else all. Reasons are told in the frame of the key:
    /// states with one key share them, so a game with symmetries must turn them.
    fn reason(
        &self,
        _state: &Self::State,
        _verdict: Verdict,
        _basis: &[(Self::Move, Self::Reason)],
    ) -> Self::Reason {
        Self::Reason::default()
    }

    /// What is known of a state that the rules leave open and that no search has met, from states that
    /// are like it. With [`Problem::learn`] the only method whose answers may change in time. It must
    /// be right: a search relies on it. Certificates do not: they are made and checked without.
    fn recall(&self, _state: &Self::State) -> Option<(Verdict, Self::Reason)> {
        None
    }

    /// A search has settled a state, with so many nodes: there may be something to learn from it.
    fn learn(&self, _state: &Self::State, _verdict: Verdict, _reason: Self::Reason, _work: u32) {}

    /// What the move adds to the length of a line: 0 for a part of a turn, for example. `None`
    /// where lengths mean nothing.
    fn length(&self, _state: &Self::State, _mv: Self::Move) -> Option<u32> {
        None
    }

    /// What is still missing from the length of a line at a state that the rules settle; `None`
    /// where the line has no end: nobody gets what they wanted.
    fn rest(&self, _state: &Self::State) -> Option<u32> {
        Some(0)
    }

    /// The state as a person wants to see it, one or more lines.
    fn show(&self, state: &Self::State) -> String;

    /// The move as a person writes it.
    fn show_move(&self, state: &Self::State, mv: Self::Move) -> String;
}

/// All moves of a state in their lasting order, those hidden by others included; `Settled` where
/// the rules settle it.
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
