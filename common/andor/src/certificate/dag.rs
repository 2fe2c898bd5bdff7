//! A proof in memory: the states that it needs, each once up to symmetry, with the moves it uses.

use std::borrow::Cow;

use super::known::Known;
use crate::kept::Kept;
use crate::numbers::Verdict;
use crate::problem::{Key, Problem};

/// Number of a state in a [`Dag`].
pub type NodeId = u32;

/// States that prove the verdict of the root.
pub struct Dag<P: Problem> {
    verdict: Verdict,
    /// One more than there are states: the last one says where the moves end.
    nodes: Vec<DagNode>,
    /// The moves of all states, one state after another.
    moves: Vec<(P::Move, NodeId)>,
    states: Kept<P::State>,
    known: Known,
    /// Which state stands for each state: another one if it yields. Empty if none does.
    pub(super) instead: Vec<NodeId>,
    /// The states that the root needs, children first unless lines may be infinite.
    pub(super) order: Vec<NodeId>,
}

pub(super) struct DagNode {
    pub leaf: bool,
    pub one_is_enough: bool,
    /// Its moves begin here: the move that is enough, alone; or all moves.
    pub first_move: u32,
}

impl<P: Problem> Dag<P> {
    /// The root.
    pub const ROOT: NodeId = 0;

    /// A proof whose order is not known yet.
    pub(super) fn new(
        verdict: Verdict,
        mut nodes: Vec<DagNode>,
        moves: Vec<(P::Move, NodeId)>,
        states: Kept<P::State>,
        known: Known,
    ) -> Self {
        let first_move = moves.len() as u32;
        nodes.push(DagNode { leaf: false, one_is_enough: false, first_move });
        Self { verdict, nodes, moves, states, known, instead: Vec::new(), order: Vec::new() }
    }

    /// Which states the root needs.
    pub(super) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.size()];
        let mut todo = vec![Self::ROOT];
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut reached[id as usize], true) {
                todo.extend(self.moves(id).iter().map(|&(_, child)| child));
            }
        }
        reached
    }

    /// How often the states that the root needs lead to each state; once more for the root.
    #[must_use]
    pub fn references(&self) -> Vec<u32> {
        let mut references = vec![0; self.size()];
        references[Self::ROOT as usize] = 1;
        for &id in &self.order {
            self.moves(id).iter().for_each(|&(_, child)| references[child as usize] += 1);
        }
        references
    }

    /// The verdict that is proven.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Number of states, needed or not.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The states that the root needs; children come first, except where cycles are allowed.
    #[must_use]
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// The state with this key, or the one it yields to.
    #[must_use]
    pub fn find(&self, key: Key) -> Option<NodeId> {
        let id = self.known.find(key)?;
        Some(self.instead.get(id as usize).copied().unwrap_or(id))
    }

    /// The key of a state.
    #[must_use]
    pub fn key(&self, id: NodeId) -> Key {
        self.known.key(id)
    }

    /// One of the states that this node stands for. Moves are moves of this one.
    pub fn state(&self, problem: &P, id: NodeId) -> Cow<'_, P::State> {
        self.states.get(problem, id)
    }

    /// Whether a state is the one that this node has, and not just equal to it by symmetry.
    pub(super) fn is_stored(
        &self,
        problem: &P,
        id: NodeId,
        state: &P::State,
        buffers: &mut [Vec<u8>; 2],
    ) -> bool {
        self.states.is(problem, id, state, buffers)
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
        let [here, next] = [id as usize, id as usize + 1].map(|at| self.nodes[at].first_move);
        &self.moves[here as usize..next as usize]
    }
}
