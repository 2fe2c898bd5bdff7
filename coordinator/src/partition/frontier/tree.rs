//! The coordinator's part of the search: a graph of states from the root down to the leaves that
//! workers search. A state reached by several paths is one node.
//!
//! What workers report is not trusted. The depth of a node never changes and every edge leads to a
//! deeper node, so the graph has no cycles and one pass from the bottom up updates it, whatever
//! children are reported.

use std::collections::{BTreeSet, HashMap};

use hasami_andor::numbers::LIMIT;
use hasami_andor::{Child, Key, Numbers, PathNode, SumRule, Turn, Verdict};

use super::combine::{combine, join, split};
use super::{NodeId, Virtual};
use crate::partition::UnitNo;

/// A state.
#[derive(Debug)]
pub(super) struct Node {
    pub key: Option<Key>,
    pub state: Vec<u8>,
    pub turn: Turn,
    /// Numbers reported for a leaf, or combined from the children for an inner node. Settled only
    /// if a worker reported the verdict.
    pub numbers: Numbers,
    /// The verdict that the children imply, until a worker confirms it or reports more moves.
    pub claim: Option<Verdict>,
    /// The numbers used to choose a leaf, with every lease counted.
    pub seeming: Numbers,
    /// Whether a leaf here or below is available for a worker.
    pub free: bool,
    /// A worker has settled it.
    pub confirmed: bool,
    /// Nodes spent on it, in its own leases or its parent's.
    pub work: u64,
    /// The same including everything below.
    pub total: u64,
    /// No lease or runner is here or below, and no confirmation is pending.
    pub quiet: bool,
    /// Leases without a result: the next one is longer.
    pub tries: u32,
    pub lease: Option<UnitNo>,
    /// The runner is below it.
    pub passed: bool,
    pub children: Vec<NodeId>,
    pub parents: Vec<NodeId>,
    /// Larger than that of its parents: nodes are updated from the bottom up.
    pub depth: u32,
}

/// A state with more children is not split.
const MOST_CHILDREN: usize = 4096;
/// A node with this many parents gets no more: they are searched one by one.
const MOST_PARENTS: usize = 1024;
/// A state of more bytes is not split, and neither is its parent.
const LONGEST_STATE: usize = 1024;

/// Whether these children can be added to the graph.
pub(super) fn fits(children: &[Child]) -> bool {
    children.len() <= MOST_CHILDREN
        && children.iter().all(|child| child.state.len() <= LONGEST_STATE)
}

/// Numbers as a search that is no liar could have them: settled, or within the limits.
pub(super) fn sound(numbers: Numbers) -> Numbers {
    let open = || Numbers::open(numbers.proof, numbers.disproof);
    numbers.verdict().map_or_else(open, Numbers::from)
}

impl Node {
    fn leaf(child: &Child, depth: u32) -> Self {
        let numbers = sound(child.numbers);
        Self {
            key: Some(child.key),
            state: child.state.clone(),
            turn: child.turn,
            numbers,
            claim: None,
            seeming: numbers,
            free: !numbers.settled(),
            confirmed: numbers.settled(),
            work: child.work,
            total: child.work,
            quiet: true,
            tries: 0,
            lease: None,
            passed: false,
            children: Vec::new(),
            parents: Vec::new(),
            depth,
        }
    }

    /// Adopts a worker's numbers if they settle the node or, on a leaf, rest on more work.
    fn learn(&mut self, child: &Child) -> bool {
        let numbers = sound(child.numbers);
        let settles = numbers.settled() && !self.confirmed;
        let leaf = self.children.is_empty() && !self.numbers.settled();
        let more = settles || leaf && child.work > self.work;
        if more {
            self.numbers = numbers;
            self.confirmed = settles;
            self.work = self.work.max(child.work);
        }
        more
    }

    /// Whether its claim waits for a lease to confirm it.
    pub fn is_claimed(&self) -> bool {
        self.claim.is_some() && self.lease.is_none()
    }
}

/// The numbers of a node whose children settle it: almost nothing is left to do, but hidden moves
/// may turn up, so units that search its siblings continue.
fn nearly(verdict: Verdict) -> Numbers {
    match verdict {
        Verdict::Proven => Numbers { proof: 1, disproof: LIMIT },
        Verdict::Disproven => Numbers { proof: LIMIT, disproof: 1 },
    }
}

/// The graph. It always contains the root.
pub(super) struct Tree {
    nodes: Vec<Option<Node>>,
    unused: Vec<NodeId>,
    by_key: HashMap<Key, NodeId>,
    sum: SumRule,
    seeming: Virtual,
}

pub(super) const ROOT: NodeId = NodeId(0);

impl Tree {
    pub fn new(sum: SumRule, seeming: Virtual) -> Self {
        let root = Child {
            state: Vec::new(),
            key: Key(0),
            turn: Turn::Or,
            numbers: Numbers::UNKNOWN,
            work: 0,
        };
        let root = Node { key: None, ..Node::leaf(&root, 0) };
        let nodes = vec![Some(root)];
        Self { nodes, unused: Vec::new(), by_key: HashMap::new(), sum, seeming }
    }

    /// The node, if it is still in the graph.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)?.as_ref()
    }

    /// A node that is in the graph.
    pub fn node(&self, id: NodeId) -> &Node {
        self.get(id).expect("a node of the graph")
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes[id.0 as usize].as_mut().expect("a node of the graph")
    }

    /// The node with this key.
    pub fn id_of(&self, key: Key) -> Option<NodeId> {
        self.by_key.get(&key).copied()
    }

    /// The leaf on a path that begins at the root.
    pub fn leaf_on(&self, path: &[PathNode]) -> Option<NodeId> {
        let mut id = ROOT;
        for node in path.iter().skip(1) {
            let below = &self.node(id).children;
            let Some(child) = self.id_of(node.key).filter(|child| below.contains(child)) else {
                break;
            };
            id = child;
        }
        self.node(id).children.is_empty().then_some(id)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.unused.len()
    }

    /// Gives a node the children that a worker reported. A known child keeps its numbers if they
    /// rest on more work; returns the known children about which the worker knew more. A state that
    /// is known but not deeper than `parent` becomes a further node, because an edge to it could
    /// close a cycle; so does one with too many parents.
    pub fn adopt(&mut self, parent: NodeId, children: &[Child]) -> Vec<NodeId> {
        let depth = self.node(parent).depth + 1;
        let key_of = |&id: &NodeId| self.node(id).key;
        let mut mine: HashMap<Key, NodeId> = HashMap::new();
        for id in &self.node(parent).children {
            mine.extend(key_of(id).map(|key| (key, *id)));
        }
        let mut changed = Vec::new();
        for child in children {
            let linked = mine.get(&child.key).copied();
            let may_link = |id: &NodeId| {
                let node = self.node(*id);
                node.depth >= depth && node.parents.len() < MOST_PARENTS
            };
            let known = linked.or_else(|| self.id_of(child.key).filter(may_link));
            let id = match known {
                None => self.add(child, depth),
                Some(id) => {
                    if self.node_mut(id).learn(child) {
                        changed.push(id);
                    }
                    id
                }
            };
            if linked.is_none() {
                mine.insert(child.key, id);
                self.node_mut(id).parents.push(parent);
                self.node_mut(parent).children.push(id);
            }
        }
        changed
    }

    fn add(&mut self, child: &Child, depth: u32) -> NodeId {
        let id = self.unused.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            NodeId(self.nodes.len() as u32 - 1)
        });
        self.nodes[id.0 as usize] = Some(Node::leaf(child, depth));
        self.by_key.entry(child.key).or_insert(id);
        id
    }

    /// Updates a node and everything above it. Returns the nodes that a worker now has to confirm.
    pub fn update(&mut self, from: NodeId) -> Vec<NodeId> {
        let mut claims = Vec::new();
        let mut todo = BTreeSet::from([(self.node(from).depth, from)]);
        while let Some((_, id)) = todo.pop_last() {
            let before = self.node(id).claim;
            if self.recompute(id) || id == from {
                todo.extend(self.node(id).parents.iter().map(|&up| (self.node(up).depth, up)));
            }
            if self.node(id).is_claimed() && (before.is_none() || id == from) {
                claims.push(id);
            }
        }
        claims
    }

    /// Updates one node; returns whether anything changed that its parents depend on.
    fn recompute(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        let before = (node.numbers, node.seeming, node.free, node.quiet, node.total);
        let inner = !node.children.is_empty() && !node.confirmed;
        let below = || node.children.iter().map(|&child| self.node(child));
        let found = if inner {
            combine(node.turn, below().map(|child| child.numbers), self.sum)
        } else {
            node.numbers
        };
        let claim = found.verdict().filter(|_| inner);
        let numbers = claim.map_or(found, nearly);
        let (seeming, free) = if numbers.settled() || claim.is_some() {
            (numbers, false)
        } else if node.lease.is_some() {
            (self.seeming.of(numbers), false)
        } else if inner {
            // What the next worker would find: where one child is enough, one that is not leased.
            let all = combine(node.turn, below().map(|child| child.seeming), self.sum);
            let free = || below().filter(|child| child.free);
            let one = free().map(|child| split(node.turn, child.seeming).0).min();
            let (taken, all) = split(node.turn, all);
            (join(node.turn, one.unwrap_or(taken), all), one.is_some())
        } else if node.passed {
            // Leased only if nothing else looks better even so: then it is time to split it.
            (self.seeming.of(numbers), true)
        } else {
            (numbers, true)
        };
        let alone = node.lease.is_none() && !node.passed && claim.is_none();
        let quiet = alone && below().all(|child| child.quiet);
        let sum = below().fold(0, |sum: u64, child| sum.saturating_add(child.total));
        let total = node.work.max(sum);
        let node = self.node_mut(id);
        (node.numbers, node.claim, node.seeming, node.free) = (numbers, claim, seeming, free);
        (node.quiet, node.total) = (quiet, total);
        before != (numbers, seeming, free, quiet, total)
    }

    /// Removes everything below a node that has no other parent; returns the units that were
    /// searching there.
    pub fn prune(&mut self, id: NodeId) -> Vec<UnitNo> {
        let (mut units, mut todo) = (Vec::new(), vec![id]);
        while let Some(up) = todo.pop() {
            for child in std::mem::take(&mut self.node_mut(up).children) {
                let node = self.node_mut(child);
                if let Some(at) = node.parents.iter().position(|&parent| parent == up) {
                    node.parents.swap_remove(at);
                }
                if node.parents.is_empty() {
                    todo.push(child);
                }
            }
            if up != id
                && let Some(gone) = self.nodes[up.0 as usize].take()
            {
                self.unused.push(up);
                units.extend(gone.lease);
                if let Some(key) = gone.key.filter(|key| self.by_key.get(key) == Some(&up)) {
                    self.by_key.remove(&key);
                }
            }
        }
        units
    }
}

#[cfg(test)]
impl Tree {
    /// Panics if the graph is not what it should be; returns its size.
    pub fn check(&self) -> usize {
        let ids = (0..self.nodes.len() as u32).map(NodeId);
        for id in ids.filter(|&id| self.get(id).is_some()) {
            let node = self.node(id);
            assert!(id == ROOT || !node.parents.is_empty(), "nothing leads to {id:?}");
            assert!(!node.confirmed || node.children.is_empty(), "{id:?} is settled");
            for &child in &node.children {
                assert!(self.node(child).depth > node.depth, "{child:?} below {id:?}");
                assert_eq!(self.node(child).parents.iter().filter(|&&up| up == id).count(), 1);
            }
            for &up in &node.parents {
                assert_eq!(self.node(up).children.iter().filter(|&&below| below == id).count(), 1);
            }
        }
        for (&key, &id) in &self.by_key {
            assert_eq!(self.node(id).key, Some(key));
        }
        self.len()
    }
}
