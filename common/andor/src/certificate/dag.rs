//! A proof in memory: the states that it needs, each once up to symmetry, with the moves it uses.

use std::borrow::Cow;

use crate::kept::Kept;
use crate::numbers::Verdict;
use crate::problem::{Key, Problem};
use crate::search::path::KeyMap;

/// Number of a state in a [`Dag`].
pub type NodeId = u32;

/// States that prove the verdict of the root.
pub struct Dag<P: Problem> {
    pub(super) verdict: Verdict,
    pub(super) nodes: Vec<DagNode<P>>,
    pub(super) states: Kept<P::State>,
    pub(super) by_key: KeyMap<NodeId>,
    /// The states that the root needs, children first unless lines may be infinite.
    pub(super) order: Vec<NodeId>,
}

pub(super) struct DagNode<P: Problem> {
    pub leaf: bool,
    pub one_is_enough: bool,
    /// The move that is enough, alone; or all moves.
    pub moves: Vec<(P::Move, NodeId)>,
}

impl<P: Problem> Dag<P> {
    /// The root.
    pub const ROOT: NodeId = 0;

    /// The verdict that is proven.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Number of states, needed or not.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The states that the root needs; children come first, except where cycles are allowed.
    #[must_use]
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// The state with this key.
    #[must_use]
    pub fn find(&self, key: Key) -> Option<NodeId> {
        self.by_key.get(&key).copied()
    }

    /// One of the states that this node stands for. Moves are moves of this one.
    pub fn state(&self, problem: &P, id: NodeId) -> Cow<'_, P::State> {
        self.states.get(problem, id)
    }

    /// Whether the rules settle it.
    #[must_use]
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.nodes[id as usize].leaf
    }

    /// Whether one move is enough here.
    #[must_use]
    pub fn one_is_enough(&self, id: NodeId) -> bool {
        self.nodes[id as usize].one_is_enough
    }

    /// The move that is enough, or every move that needs an answer, and where they lead.
    #[must_use]
    pub fn moves(&self, id: NodeId) -> &[(P::Move, NodeId)] {
        &self.nodes[id as usize].moves
    }
}
