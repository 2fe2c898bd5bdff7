//! The strategy in a certificate: the choice in every state and the reason for the verdict there,
//! for a program that plays by it.

use std::path::Path;

use super::verify::check;
use super::{CertificateError, Verified};
use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Moves, Problem, Reason, all_moves};
use crate::search::path::KeyMap;

/// What a certificate says about one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<R> {
    /// Number of its record, from 1. Children come first wherever that matters.
    pub place: u64,
    /// The reason for the verdict, as the verifier computed it, in the frame of the key.
    pub reason: R,
    /// Key of the state after the named move; `None` where every move counts.
    pub choice: Option<Key>,
    /// The longest line from here against a side that follows the certificate, where the game has
    /// lengths.
    pub length: u32,
}

/// The steps of a verified certificate, by the keys of their states.
#[derive(Clone, Debug)]
pub struct Strategy<R> {
    verdict: Verdict,
    circular: bool,
    steps: KeyMap<Step<R>>,
    /// The recorded states, encoded, for games without reasons.
    states: KeyMap<Box<[u8]>>,
}

impl<R: Reason> Strategy<R> {
    /// Verifies the certificate at `path` and loads its strategy.
    ///
    /// # Errors
    /// If the certificate does not hold: see [`super::verify`].
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

    /// The verdict of the root.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The step for the state with this key.
    #[must_use]
    pub fn step(&self, key: Key) -> Option<&Step<R>> {
        self.steps.get(&key)
    }

    /// The exact state that the certificate recorded for this key: same value as every other state
    /// with the key, and its moves are known. Stored only for games without reasons.
    #[must_use]
    pub fn recorded<P: Problem<Reason = R>>(&self, problem: &P, key: Key) -> Option<P::State> {
        self.states.get(&key).and_then(|bytes| problem.decode(bytes).ok())
    }

    /// Whether the certificate or the rules show the verdict for this state.
    #[must_use]
    pub fn knows<P: Problem<Reason = R>>(&self, problem: &P, state: &P::State) -> bool {
        self.step(problem.key(state)).is_some() || self.settled(problem, state)
    }

    /// A move that keeps the verdict in a state where one is enough. `None` if the rules settle the
    /// state or the certificate does not know it.
    ///
    /// The state may differ from the recorded one with the same key, so the move is found by the
    /// key it leads to. This suits games without reasons. With reasons, several moves may lead to
    /// one key for different reasons: the player must choose by [`Strategy::step`].
    #[must_use]
    pub fn reply<P: Problem<Reason = R>>(&self, problem: &P, state: &P::State) -> Option<P::Move> {
        let step = self.step(problem.key(state))?;
        let mut moves = Moves::new();
        if all_moves(problem, state, &mut moves) != Expansion::Open {
            return None;
        }
        // Equal keys imply equal verdicts, not equal lists of moves. If no move leads to the named
        // key, any move to a state shown before this one is good.
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
