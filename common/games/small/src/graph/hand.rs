//! Graphs written node by node, for tests and examples from papers.

use std::fmt::Write as _;

use hasami_andor::{Repetition, Turn, Verdict};

use super::{Graph, Made, Vertex};

/// A node and its children.
#[derive(Clone, Copy, Debug)]
pub enum HandNode<'a> {
    /// One child must be proven.
    Or(&'a [u32]),
    /// All children must be proven.
    And(&'a [u32]),
    /// Settled.
    Proven,
    /// Settled.
    Disproven,
}

/// Why a hand-written graph is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// There are no nodes.
    #[error("found no nodes; expected node 0 to be the question")]
    Empty,
    /// More moves than a node may have.
    #[error("node {node} has {found} children; expected 1 to 65535")]
    Children {
        /// The node.
        node: usize,
        /// The number of its moves.
        found: usize,
    },
    /// An edge to a node that does not exist.
    #[error("node {node} has the child {child}; expected one below {nodes}")]
    NoSuchChild {
        /// The node.
        node: usize,
        /// Its child.
        child: u32,
        /// The number of nodes.
        nodes: usize,
    },
    /// A cycle, although repetition was declared impossible.
    #[error("node {node} is on a cycle; expected none where repetition is impossible")]
    Cycle {
        /// A node on or below a cycle.
        node: usize,
    },
}

impl Graph {
    /// The graph of these nodes; node 0 is the question. See [`Graph::chained`] for hidden moves.
    ///
    /// # Errors
    /// If an edge leads nowhere, a node has no children, or repetition is possible after all.
    pub fn from_edges(repetition: Repetition, hand: &[HandNode]) -> Result<Self, GraphError> {
        let mut nodes = Vec::with_capacity(hand.len());
        let mut edges = Vec::new();
        let mut spelling = format!("{repetition:?}");
        for (node, &made) in hand.iter().enumerate() {
            let (turn, settled, children) = match made {
                HandNode::Or(children) => (Turn::Or, None, children),
                HandNode::And(children) => (Turn::And, None, children),
                HandNode::Proven => (Turn::Or, Some(Verdict::Proven), [].as_slice()),
                HandNode::Disproven => (Turn::Or, Some(Verdict::Disproven), [].as_slice()),
            };
            let found = children.len();
            let count = u16::try_from(found).map_err(|_| GraphError::Children { node, found })?;
            if settled.is_none() && children.is_empty() {
                return Err(GraphError::Children { node, found });
            }
            if let Some(&child) = children.iter().find(|&&c| c as usize >= hand.len()) {
                let nodes = hand.len();
                return Err(GraphError::NoSuchChild { node, child, nodes });
            }
            nodes.push(Vertex { start: edges.len() as u32, count, turn, settled });
            edges.extend_from_slice(children);
            // Writing to a string cannot fail.
            let _ = write!(spelling, " {made:?}");
        }
        if nodes.is_empty() {
            return Err(GraphError::Empty);
        }
        let graph = Self {
            nodes,
            edges,
            repetition,
            chain: false,
            evaluate: false,
            seed: 0,
            source: Made::Hand(spelling),
        };
        match graph.on_cycle() {
            Some(node) if repetition == Repetition::Impossible => Err(GraphError::Cycle { node }),
            _ => Ok(graph),
        }
    }

    /// The same graph with every move hidden behind the previous one.
    #[must_use]
    pub fn chained(mut self) -> Self {
        self.chain = true;
        match &mut self.source {
            Made::Config(config) => config.chain = true,
            Made::Hand(spelling) => spelling.push_str(" chained"),
        }
        self
    }

    /// A node on a cycle or below one, if there is any: what remains after repeatedly removing
    /// nodes without parents.
    #[must_use]
    pub fn on_cycle(&self) -> Option<usize> {
        let mut parents = vec![0u32; self.nodes.len()];
        for &child in &self.edges {
            parents[child as usize] += 1;
        }
        let mut free: Vec<usize> = (0..parents.len()).filter(|&n| parents[n] == 0).collect();
        while let Some(node) = free.pop() {
            for &child in self.children(super::Node(node as u32)) {
                parents[child as usize] -= 1;
                if parents[child as usize] == 0 {
                    free.push(child as usize);
                }
            }
        }
        parents.iter().position(|&left| left > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use HandNode::{And, Or, Proven};
    use hasami_andor::{Problem, oracle};

    /// Graph history interaction: on the path 0 → 1 → 2 node 2 can only repeat 1, and looks
    /// disproven. Yet 1 is proven through 3, so 2 is proven too, and with it the question. A search
    /// that remembers what 2 looked like gets it wrong.
    const HISTORY: &[HandNode<'static>] = &[And(&[1, 2]), Or(&[2, 3]), And(&[1]), Proven];

    #[test]
    fn a_graph_with_history_is_settled_by_the_oracle() {
        let graph = Graph::from_edges(Repetition::Disproven, HISTORY).unwrap();
        for graph in [graph.clone(), graph.chained()] {
            let answer = oracle::solve(&graph, 10).unwrap();
            assert_eq!(answer.root, Verdict::Proven);
            assert_eq!(answer.verdicts.len(), 4);
        }
    }

    #[test]
    fn a_cycle_without_a_way_out_is_what_repetition_says() {
        let hand = &[Or(&[1]), And(&[0, 2]), Proven];
        for repetition in [Repetition::Disproven, Repetition::Proven] {
            let graph = Graph::from_edges(repetition, hand).unwrap();
            let answer = oracle::solve(&graph, 10).unwrap();
            assert_eq!(Some(answer.root), repetition.verdict());
        }
    }

    #[test]
    fn ids_tell_graphs_apart() {
        let graph = |repetition| Graph::from_edges(repetition, HISTORY).unwrap();
        let ids = [
            graph(Repetition::Proven).id(),
            graph(Repetition::Disproven).id(),
            graph(Repetition::Disproven).chained().id(),
        ];
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |hand: &[HandNode]| Graph::from_edges(Repetition::Impossible, hand).err();
        assert_eq!(wrong(&[]), Some(GraphError::Empty));
        let children = GraphError::Children { node: 1, found: 0 };
        assert_eq!(wrong(&[Or(&[1]), And(&[])]), Some(children));
        assert_eq!(
            wrong(&[Or(&[1, 2]), Proven]),
            Some(GraphError::NoSuchChild { node: 0, child: 2, nodes: 2 })
        );
        let cycle = GraphError::Cycle { node: 1 };
        assert_eq!(wrong(&[Or(&[1]), And(&[1, 2]), Proven]), Some(cycle));
        assert_eq!(wrong(&[Or(&[1, 1]), And(&[2, 2]), Proven]), None);
    }
}
