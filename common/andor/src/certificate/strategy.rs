//! What a certificate says to do: the choice it names in every state, and what its verdict rests
//! on there, for a program that plays by it.

use std::path::Path;

use super::verify::check;
use super::{CertificateError, Verified};
use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Moves, Problem, Reason, all_moves};
use crate::search::path::KeyMap;

/// What a certificate says of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<R> {
    /// Its place among the records, from 1. Children come first wherever that matters.
    pub place: u64,
    /// What the verdict rests on, as the verifier has computed it, in the frame of the key.
    pub reason: R,
    /// The state after the move that is named, by its key; `None` where every move counts.
    pub choice: Option<Key>,
    /// The longest line from here against a side that follows the certificate, where the game has
    /// lengths.
    pub length: u32,
}

/// The steps of a certificate that holds, by the keys of their states.
#[derive(Clone, Debug)]
pub struct Strategy<R> {
    verdict: Verdict,
    circular: bool,
    steps: KeyMap<Step<R>>,
    /// The recorded states, encoded, for games without reasons.
    states: KeyMap<Box<[u8]>>,
}

impl<R: Reason> Strategy<R> {
    /// Verifies the certificate at `path` and keeps what it says to do.
    ///
    /// # Errors
    /// When it does not hold: see [`super::verify`].
    pub fn load<P: Problem<Reason = R>>(
        path: &Path,
        problem: &P,
    ) -> Result<(Verified, Self), CertificateError> {
        let (mut steps, mut states) = (KeyMap::default(), KeyMap::default());
        let verified = check(path, problem, |key, step, state| {
            steps.entry(key).or_insert(step);
            if R::WORDS == 0 {
                states.entry(key).or_insert_with(|| state.into());
            }
        })?;
        let verdict = verified.header.verdict;
        let circular = problem.repetition().verdict() == Some(verdict);
        Ok((verified, Self { verdict, circular, steps, states }))
    }

    /// What it shows of the root.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// What it says of the state with this key.
    #[must_use]
    pub fn step(&self, key: Key) -> Option<&Step<R>> {
        self.steps.get(&key)
    }

    /// The very state that the certificate has for this key: worth the same as every other with
    /// the key, and the one whose moves it knows. Kept for games without reasons only.
    #[must_use]
    pub fn recorded<P: Problem<Reason = R>>(&self, problem: &P, key: Key) -> Option<P::State> {
        self.states.get(&key).and_then(|bytes| problem.decode(bytes).ok())
    }

    /// Whether the certificate or the rules show the verdict for this state.
    #[must_use]
    pub fn knows<P: Problem<Reason = R>>(&self, problem: &P, state: &P::State) -> bool {
        self.step(problem.key(state)).is_some() || self.settled(problem, state)
    }

    /// A move that keeps the verdict in a state where one is enough. `None` where the rules settle
    /// the state, and where the certificate does not know it.
    ///
    /// The state may be another than the recorded one with the same key, so the move is found by
    /// where it leads. Good for games without reasons; where there are, several moves may
    /// lead to one key for different reasons, and the player must choose by [`Strategy::step`].
    #[must_use]
    pub fn reply<P: Problem<Reason = R>>(&self, problem: &P, state: &P::State) -> Option<P::Move> {
        let step = self.step(problem.key(state))?;
        let mut moves = Moves::new();
        if all_moves(problem, state, &mut moves) != Expansion::Open {
            return None;
        }
        // Equal keys promise equal verdicts, not equal lists of moves: then any move will do that
        // leads to what was shown before this state.
        let named = moves.iter().find(|&mv| step.choice == Some(problem.key_after(state, mv)));
        named.or_else(|| moves.iter().find(|&mv| self.leads_down(problem, state, mv, step.place)))
    }

    fn leads_down<P: Problem<Reason = R>>(
        &self,
        problem: &P,
        state: &P::State,
        mv: P::Move,
        place: u64,
    ) -> bool {
        let child = problem.play(state, mv);
        match self.step(problem.key(&child)) {
            Some(step) => self.circular || step.place < place,
            None => self.settled(problem, &child),
        }
    }

    /// Whether the rules alone give the state the verdict of the certificate.
    #[must_use]
    pub fn settled<P: Problem>(&self, problem: &P, state: &P::State) -> bool {
        problem.expand(state, &mut Moves::new()) == Expansion::Settled(self.verdict)
    }
}
