//! A verified tree, taken apart for play.

use hasami_andor::certificate::Source;
use hasami_andor::certificate::tree::{KeptNodes, Tag};

use super::board::Board;
use super::check::{NO_BETTER, STUCK};
use super::laid::{Pair, take_pair, take_placement};

/// A node of the tree where Black is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// This placement is stuck.
    Stuck(u128),
    /// Black chooses a placement; the pairs within its demand, and their nodes.
    Choose(u128, Vec<(Pair, usize)>),
    /// As in the node with this number, turned.
    Same(usize, u8),
    /// The pair that leads here is no better than the one at this position.
    NoBetter(usize),
}

/// The nodes of a proof. The first is the root.
#[derive(Clone, Debug)]
pub struct Plan(Vec<Node>);

impl Plan {
    /// Takes a tree apart; `None` if it is no tree of a proof.
    pub fn read(board: &Board, tree: &[u8]) -> Option<Self> {
        let from = &mut Source::new(tree);
        let mut nodes: Vec<Node> = Vec::new();
        let mut kept = KeptNodes::default();
        // Nodes with pairs still to be read, and how many.
        let mut stack: Vec<(usize, u64)> = Vec::new();
        loop {
            let here = nodes.len();
            let node = match Tag::take(from).ok()? {
                Tag::Leaf(STUCK) => Node::Stuck(take_placement(board, from).ok()?),
                Tag::Leaf(NO_BETTER) => Node::NoBetter(from.number().ok()?.try_into().ok()?),
                Tag::Same { back, .. } => Node::Same(*kept.find(back).ok()?.1, from.byte().ok()?),
                Tag::One(is_kept) => {
                    is_kept.then(|| kept.add(here));
                    let placement = take_placement(board, from).ok()?;
                    (Tag::take(from).ok()? == Tag::All(false)).then_some(())?;
                    stack.push((here, from.number().ok()?));
                    Node::Choose(placement, Vec::new())
                }
                Tag::Leaf(_) | Tag::All(_) => return None,
            };
            nodes.push(node);
            while stack.last().is_some_and(|&(_, left)| left == 0) {
                stack.pop();
            }
            let Some((parent, left)) = stack.last_mut() else { return Some(Self(nodes)) };
            *left -= 1;
            let (parent, child) = (*parent, nodes.len());
            let pair = take_pair(board, from).ok()?;
            if let Node::Choose(_, pairs) = &mut nodes[parent] {
                pairs.push((pair, child));
            }
        }
    }

    /// The node with this number.
    pub fn node(&self, number: usize) -> &Node {
        &self.0[number]
    }
}

/// White's pairs in the tree of a disproof.
pub fn read_paving(board: &Board, tree: &[u8]) -> Option<Vec<Pair>> {
    let from = &mut Source::new(tree);
    (Tag::take(from).ok()? == Tag::Leaf(super::check::PAVED)).then_some(())?;
    let count = from.number().ok()?;
    (0..count).map(|_| take_pair(board, from).ok()).collect()
}
