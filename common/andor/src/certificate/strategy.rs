//! The strategy in a certificate, for a program that plays by it.

use std::path::Path;

use super::verify::{check_part, read_header};
use super::{Asked, CertificateError, Checked, Header, Parts, Source};
use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Moves, Problem, all_moves};
use crate::search::path::KeyMap;

/// What a certificate says about one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The order in which nodes are closed, from 1: children come first.
    pub place: u64,
    /// Key of the state after the named move; `None` where every move counts.
    pub choice: Option<Key>,
    /// The longest line from here against a side that follows the certificate, where the game has
    /// lengths.
    pub length: u32,
}

/// The part of a certificate that proves its verdict, verified: its tree, and what it says about each
/// state.
#[derive(Clone, Debug)]
pub struct Strategy {
    header: Header,
    checked: Checked,
    circular: bool,
    steps: KeyMap<Step>,
    /// The states of the steps, encoded.
    states: KeyMap<Box<[u8]>>,
    /// The bytes of the tree, for games that follow it node by node.
    tree: Vec<u8>,
}

impl Strategy {
    /// Verifies the part of the certificate at `path` that proves its verdict, and loads it.
    ///
    /// # Errors
    /// If the certificate does not hold.
    pub fn load<P: Problem>(
        path: &Path,
        problem: &P,
        asked: &Asked,
    ) -> Result<Self, CertificateError> {
        let mut parts = Parts::open(path)?;
        if super::read_asked(path)?.0 != super::Claim::Verdict {
            parts.next(|_| Ok(()))?;
        }
        let (header, tree) = parts.next(|from| {
            let header = read_header(path, from)?;
            let mut tree = Vec::new();
            from.drain(&mut tree).map_err(|detail| CertificateError::Damaged {
                path: path.display().to_string(),
                detail,
            })?;
            Ok((header, tree))
        })?;
        if header.asked != *asked {
            return Err(CertificateError::OtherQuestion {
                found: header.asked.to_string(),
                expected: asked.to_string(),
            });
        }
        let circular = problem.repetition().verdict() == Some(header.verdict);
        let (mut steps, mut states) = (KeyMap::default(), KeyMap::default());
        let each = &mut |state: &P::State, step| {
            let key = problem.key(state);
            steps.entry(key).or_insert(step);
            states.entry(key).or_insert_with(|| {
                let mut bytes = Vec::new();
                problem.encode(state, &mut bytes);
                bytes.into_boxed_slice()
            });
        };
        let checked = check_part(problem, &header, &mut Source::new(&tree[..]), each)?;
        Ok(Self { header, checked, circular, steps, states, tree })
    }

    /// The verdict of the root.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.header.verdict
    }

    /// What the checker counted.
    #[must_use]
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The tree, as it is in the certificate.
    #[must_use]
    pub fn tree(&self) -> &[u8] {
        &self.tree
    }

    /// The step for the state with this key.
    #[must_use]
    pub fn step(&self, key: Key) -> Option<&Step> {
        self.steps.get(&key)
    }

    /// The state of the tree with this key: same value as every other state with the key, and its
    /// moves are known.
    #[must_use]
    pub fn recorded<P: Problem>(&self, problem: &P, key: Key) -> Option<P::State> {
        self.states.get(&key).and_then(|bytes| problem.decode(bytes).ok())
    }

    /// Whether the certificate or the rules show the verdict for this state.
    #[must_use]
    pub fn knows<P: Problem>(&self, problem: &P, state: &P::State) -> bool {
        self.step(problem.key(state)).is_some() || self.settled(problem, state)
    }

    /// A move that keeps the verdict in a state where one is enough. `None` if the rules settle the
    /// state or the certificate does not know it.
    ///
    /// The state may be another one with the same key than that in the tree, so the move is found by
    /// the key it leads to.
    #[must_use]
    pub fn reply<P: Problem>(&self, problem: &P, state: &P::State) -> Option<P::Move> {
        let step = self.step(problem.key(state))?;
        let mut moves = Moves::new();
        if all_moves(problem, state, &mut moves) != Expansion::Open {
            return None;
        }
        // If no move leads to the named key, any move to a state closed before this one is good.
        let named = moves.iter().find(|&mv| step.choice == Some(problem.key_after(state, mv)));
        named.or_else(|| moves.iter().find(|&mv| self.leads_down(problem, state, mv, step.place)))
    }

    fn leads_down<P: Problem>(
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
        problem.expand(state, &mut Moves::new()) == Expansion::Settled(self.verdict())
    }
}
