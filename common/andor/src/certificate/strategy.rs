//! The strategy in a certificate, for a program that plays by it.

use std::collections::HashMap;
use std::path::Path;

use super::memory::source;
use super::verify::{check_part, read_header};
use super::{Asked, CertificateError, Checked, Header, Limits, Listener, Parts};
use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Moves, Problem, all_moves};
use crate::search::path::KeyMap;
use crate::table::implies;

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
    /// The keys of each family; empty for games without.
    families: HashMap<u128, Vec<Key>>,
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
        let limits = Limits::none();
        let mut parts = Parts::open(path, &limits)?;
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
        Self::of(problem, header, tree, &limits)
    }

    /// Checks a tree after its header, and loads it.
    pub(super) fn of<P: Problem>(
        problem: &P,
        header: Header,
        tree: Vec<u8>,
        limits: &Limits<'_>,
    ) -> Result<Self, CertificateError> {
        let circular = problem.repetition().verdict() == Some(header.verdict);
        let (mut steps, mut states) = (KeyMap::default(), KeyMap::default());
        let mut families: HashMap<u128, Vec<Key>> = HashMap::new();
        let each = &mut |state: &P::State, step| {
            let key = problem.key(state);
            steps.entry(key).or_insert(step);
            if P::DOMINATES {
                families.entry(key.family()).or_default().push(key);
            }
            states.entry(key).or_insert_with(|| {
                let mut bytes = Vec::new();
                problem.encode(state, &mut bytes);
                bytes.into_boxed_slice()
            });
        };
        let listener = &mut Listener::new(each);
        let checked = check_part(problem, &header, &mut source(&tree, limits), listener)?;
        Ok(Self { header, checked, circular, steps, families, states, tree })
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

    /// The step for a state: its own, or that of a relative from which its verdict follows. Of
    /// several the one that was closed first, so that a line along them ends.
    #[must_use]
    pub fn step_for<P: Problem>(&self, problem: &P, key: Key) -> Option<&Step> {
        if !P::DOMINATES {
            return self.step(key);
        }
        let follows = |other: &&Key| implies(problem, self.verdict(), other.rank(), key.rank());
        let relatives = self.families.get(&key.family())?.iter().filter(follows);
        relatives.filter_map(|&other| self.step(other)).min_by_key(|step| step.place)
    }

    /// Like [`Strategy::step_for`], but of several the one whose longest line is the shortest. Where
    /// every move counts in a length, a line along these steps ends too: each is shorter than the one
    /// before.
    #[must_use]
    pub fn shortest_step_for<P: Problem>(&self, problem: &P, key: Key) -> Option<&Step> {
        if !P::DOMINATES {
            return self.step(key);
        }
        let follows = |other: &&Key| implies(problem, self.verdict(), other.rank(), key.rank());
        let relatives = self.families.get(&key.family())?.iter().filter(follows);
        relatives.filter_map(|&other| self.step(other)).min_by_key(|step| (step.length, step.place))
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
        self.step_for(problem, problem.key(state)).is_some() || self.settled(problem, state)
    }

    /// A move that keeps the verdict in a state where one is enough. `None` if the rules settle the
    /// state or the certificate does not know it.
    ///
    /// The state may be another one with the same key than that in the tree, so the move is found by
    /// the key it leads to.
    #[must_use]
    pub fn reply<P: Problem>(&self, problem: &P, state: &P::State) -> Option<P::Move> {
        let step = self.step_for(problem, problem.key(state))?;
        let mut moves = Moves::new();
        if all_moves(problem, state, &mut moves) != Expansion::Open {
            return None;
        }
        // If no move leads to the named key, any move to a state closed before this one is good.
        let named = moves.iter().find(|&mv| {
            let (key, choice) = (problem.key_after(state, mv), step.choice);
            choice.is_some_and(|choice| {
                let follows = || implies(problem, self.verdict(), choice.rank(), key.rank());
                choice == key || P::DOMINATES && choice.family() == key.family() && follows()
            })
        });
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
        match self.step_for(problem, problem.key(&child)) {
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
