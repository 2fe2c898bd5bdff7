//! `pn`: best-first search of an explicit graph. It always expands the most proving leaf.
//!
//! Where states cannot repeat, each state is one node, however it is reached; where they can, each
//! path is a node. The graph has at most as many nodes as the table has entries. When it is full,
//! the most proving leaf is searched depth-first instead of expanded (two levels, as in PN²).

use std::collections::BTreeSet;

use super::{Job, Outcome, finished, out_of_budget};
use crate::kept::Kept;
use crate::numbers::{LIMIT, Numbers, Verdict};
use crate::problem::{Expansion, Key, Listed, Moves, Problem, Rank, Reason, Turn};
use crate::search::dep::{Dep, Deps};
use crate::search::frame::decide;
use crate::search::path::KeyMap;
use crate::search::view::{Part, View};
use crate::search::{Control, Counts, Options, Step, SumRule, Walker};
use crate::table::{Entry, NO_MOVE, Table, implies};

/// Index of a node in the graph.
type NodeId = u32;
const ROOT: NodeId = 0;
/// Number of first parents that the double-count check follows.
const TRACE: usize = 32;

struct Node<P: Problem> {
    key: Key,
    turn: Turn,
    numbers: Numbers,
    edges: Vec<Edge<P>>,
    parents: Vec<NodeId>,
    expanded: bool,
    depth: u32,
    /// The ancestors that its verdict depends on.
    dep: Dep,
    reason: P::Reason,
    /// Thresholds of its last depth-first search.
    given: Numbers,
}

struct Edge<P: Problem> {
    mv: P::Move,
    child: NodeId,
    /// Whether it still hides moves.
    opens: bool,
    /// Counted with "max".
    mark: bool,
    /// As in [`Part`].
    group: u8,
    weight: u16,
}

/// A best-first search with its graph.
pub struct BestFirst<'a, P: Problem> {
    problem: &'a P,
    table: &'a Table<P::Reason>,
    options: Options,
    target: Numbers,
    repeated: Option<Verdict>,
    nodes: Vec<Node<P>>,
    states: Kept<P::State>,
    /// The node of each state; unused where a node is a path.
    by_key: KeyMap<NodeId>,
    limit: usize,
    counts: Counts,
    reported: u64,
    /// The second-level search and its leaf.
    walker: Walker<'a, P>,
    walking: Option<NodeId>,
    path: Vec<NodeId>,
    deps: Deps,
    moves: Moves<P::Move>,
}

impl<'a, P: Problem> BestFirst<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        options: Options,
        job: Job<P::State>,
    ) -> Self {
        let mut search = Self {
            problem,
            table,
            options,
            target: job.target,
            repeated: problem.repetition().verdict(),
            nodes: Vec::new(),
            states: Kept::new(),
            by_key: KeyMap::default(),
            limit: table.capacity(),
            counts: Counts::default(),
            reported: 0,
            walker: Walker::new(problem, table, options),
            walking: None,
            path: Vec::new(),
            deps: Deps::new(),
            moves: Moves::new(),
        };
        let key = problem.key(&job.state);
        search.add_node(job.state, key, Numbers::UNKNOWN, None);
        search
    }

    pub(super) fn run(&mut self, control: &Control) -> Outcome {
        let stopped = loop {
            let root = self.nodes[ROOT as usize].numbers;
            if root.settled()
                || root.proof >= self.target.proof
                || root.disproof >= self.target.disproof
            {
                break finished(root);
            }
            if control.left() == 0 {
                break out_of_budget(control);
            }
            match self.walking {
                Some(leaf) => self.walk_on(leaf, control),
                None => self.grow(),
            }
            let nodes = self.total().nodes;
            control.spend(nodes - self.reported);
            self.reported = nodes;
            control.report_root(self.nodes[ROOT as usize].numbers);
        };
        let root = &self.nodes[ROOT as usize];
        let wins = |edge: &Edge<P>| {
            self.nodes[edge.child as usize].numbers == Numbers::from(root.turn.wish())
        };
        Outcome {
            stopped,
            numbers: root.numbers,
            best: root
                .edges
                .iter()
                .position(wins)
                .map(|place| place.min(usize::from(NO_MOVE)) as u16),
            counts: self.total(),
        }
    }

    pub(super) fn park(&mut self) {
        self.walker.park();
        for node in self.nodes.iter().filter(|node| node.expanded && !node.numbers.settled()) {
            let entry = Entry::new(node.numbers, node.edges.len() as u32);
            self.table.keep(self.problem, node.key, &entry);
        }
    }

    fn total(&self) -> Counts {
        Counts::total([self.counts, self.walker.counts()].into_iter())
    }

    /// Descends to the most proving leaf and expands it, or starts a depth-first search there.
    fn grow(&mut self) {
        let leaf = self.most_proving();
        if self.nodes.len() < self.limit {
            self.expand(leaf);
            self.update(leaf);
            return;
        }
        let node = &mut self.nodes[leaf as usize];
        let further = |given: u32, now: u32| {
            let last = given.max(now);
            last.saturating_mul(last).clamp(16, LIMIT)
        };
        node.given = Numbers {
            proof: further(node.given.proof, node.numbers.proof),
            disproof: further(node.given.disproof, node.numbers.disproof),
        };
        let state = self.states.get(self.problem, leaf).into_owned();
        self.walker.begin(state, node.given);
        self.walking = Some(leaf);
    }

    fn walk_on(&mut self, leaf: NodeId, control: &Control) {
        let until = self.walker.counts().nodes + control.left().min(super::single::QUANTUM);
        if self.walker.run(|counts| counts.nodes >= until) == Step::Paused {
            return;
        }
        let answer = self.walker.answer().expect("a finished search has an answer");
        let node = &mut self.nodes[leaf as usize];
        node.numbers = answer.numbers;
        node.reason = answer.reason;
        self.walking = None;
        for parent in self.nodes[leaf as usize].parents.clone() {
            self.update(parent);
        }
    }

    /// The most proving leaf; stores the path to it in `self.path`.
    fn most_proving(&mut self) -> NodeId {
        self.path.clear();
        let mut at = ROOT;
        loop {
            self.path.push(at);
            let node = &self.nodes[at as usize];
            if !node.expanded {
                return at;
            }
            at = node.edges[self.view(node).best].child;
        }
    }

    fn view(&self, node: &Node<P>) -> View {
        let parts = node.edges.iter().map(|edge| Part {
            mark: edge.mark,
            group: edge.group,
            weight: edge.weight,
            ..Part::of(self.nodes[edge.child as usize].numbers)
        });
        View::new(node.turn, parts, &self.options)
    }

    fn expand(&mut self, leaf: NodeId) {
        self.counts.nodes += 1;
        self.counts.fresh += 1;
        self.counts.deepest = self.counts.deepest.max(self.path.len() as u64);
        let problem = self.problem;
        let node = &mut self.nodes[leaf as usize];
        node.expanded = true;
        self.moves.clear();
        let state = self.states.get(problem, leaf);
        match problem.expand(&state, &mut self.moves) {
            Expansion::Settled(verdict) => {
                node.numbers = verdict.into();
                node.reason = problem.reason(&state, verdict, &[]);
                node.expanded = false;
            }
            Expansion::Open => {
                let state = state.into_owned();
                self.add_edges(leaf, &state);
            }
        }
    }

    /// Turns the moves in the buffer into edges.
    fn add_edges(&mut self, from: NodeId, state: &P::State) {
        let moves = std::mem::take(&mut self.moves.list);
        for &Listed { mv, opens, first, group, weight } in &moves {
            let state = self.problem.play(state, mv);
            let key = self.problem.key(&state);
            let shared = self.by_key.get(&key).copied().filter(|_| self.repeated.is_none());
            let child = match shared {
                Some(child) => {
                    self.nodes[child as usize].parents.push(from);
                    child
                }
                None => self.add_node(state, key, first, Some(from)),
            };
            self.nodes[from as usize].edges.push(Edge {
                mv,
                child,
                opens,
                mark: false,
                group,
                weight,
            });
            if shared.is_some() && self.options.sum == SumRule::Hybrid {
                self.check_double_count(from, child);
            }
        }
        self.moves.list = moves;
    }

    fn add_node(
        &mut self,
        state: P::State,
        key: Key,
        first: Numbers,
        parent: Option<NodeId>,
    ) -> NodeId {
        self.counts.references += 1;
        let id = self.nodes.len() as NodeId;
        let look = self.table.look(self.problem, key);
        let (mut numbers, mut reason) = (Numbers::UNKNOWN, P::Reason::default());
        if self.options.evaluate {
            numbers = first;
        }
        let mut dep = Dep::FREE;
        if let Some(entry) = look.entry {
            (numbers, reason) = (entry.numbers, entry.reason);
        } else if P::EVALUATES && self.options.evaluate {
            numbers = self.problem.evaluate(&state).or_larger(numbers);
            if let Some(verdict) = numbers.verdict() {
                reason = self.problem.reason(&state, verdict, &[]);
            }
        }
        if let (Some(verdict), Some((depth, rank))) = (self.repeated, self.repeats(parent, key))
            && !numbers.settled()
        {
            (numbers, dep) = (verdict.into(), self.deps.on(depth));
            reason = self.problem.rank_reason(rank);
        }
        self.nodes.push(Node {
            turn: self.problem.turn(&state),
            key,
            numbers,
            edges: Vec::new(),
            parents: parent.into_iter().collect(),
            expanded: false,
            depth: parent.map_or(0, |parent| self.nodes[parent as usize].depth + 1),
            dep,
            reason,
            given: Numbers { proof: 0, disproof: 0 },
        });
        self.states.push(self.problem, state);
        if self.repeated.is_none() {
            self.by_key.insert(key, id);
        }
        id
    }

    /// Depth and rank of the node that a state repeats on the only path to `from`.
    fn repeats(&self, from: Option<NodeId>, key: Key) -> Option<(u32, Rank)> {
        let verdict = self.repeated?;
        let mut at = from;
        while let Some(id) = at {
            let node = &self.nodes[id as usize];
            let dominates = P::DOMINATES
                && node.key.family() == key.family()
                && implies(self.problem, verdict, node.key.rank(), key.rank());
            if node.key == key || dominates {
                return Some((node.depth, node.key.rank()));
            }
            at = node.parents.first().copied();
        }
        None
    }

    /// `child` existed already. If its first parents reach the path by another edge than the path's
    /// own, the two edges are not summed.
    fn check_double_count(&mut self, from: NodeId, child: NodeId) {
        let (mut below, mut at) = (child, self.nodes[child as usize].parents[0]);
        if at == from {
            return;
        }
        for _ in 0..TRACE {
            if let Some(depth) = self.path.iter().position(|&id| id == at) {
                let own = self.path.get(depth + 1).copied().unwrap_or(child);
                if own != below {
                    for edge in &mut self.nodes[at as usize].edges {
                        edge.mark |= edge.child == own || edge.child == below;
                    }
                }
                return;
            }
            let Some(&next) = self.nodes[at as usize].parents.first() else {
                return;
            };
            (below, at) = (at, next);
        }
    }

    /// Updates the numbers of a node and of all its ancestors. Deepest first, so that a node with
    /// many ways down is computed once.
    fn update(&mut self, from: NodeId) {
        let mut todo = BTreeSet::from([(self.nodes[from as usize].depth, from)]);
        while let Some((_, id)) = todo.pop_last() {
            if self.recompute(id) || id == from {
                let parents = self.nodes[id as usize].parents.iter();
                todo.extend(parents.map(|&up| (self.nodes[up as usize].depth, up)));
            }
        }
    }

    /// Recomputes a node. Returns whether its numbers changed.
    fn recompute(&mut self, id: NodeId) -> bool {
        self.open_hidden(id);
        let node = &self.nodes[id as usize];
        if !node.expanded || node.numbers.settled() {
            return false;
        }
        let view = self.view(node);
        let Some(verdict) = view.verdict(node.turn) else {
            let numbers = view.open_numbers(node.turn);
            let changed = numbers != node.numbers;
            self.nodes[id as usize].numbers = numbers;
            return changed;
        };
        let results = node.edges.iter().map(|edge| {
            let child = &self.nodes[edge.child as usize];
            (child.numbers, child.dep)
        });
        let (best, dep) = decide(node.turn, results, verdict, &mut self.deps);
        let dep = self.deps.without(dep, node.depth);
        let one_is_enough = verdict == node.turn.wish();
        let mut reason = P::Reason::default();
        if P::Reason::WORDS > 0 {
            let basis = if one_is_enough { &node.edges[best..=best] } else { &node.edges[..] };
            let basis: Vec<_> =
                basis.iter().map(|e| (e.mv, self.nodes[e.child as usize].reason)).collect();
            let state = self.states.get(self.problem, id);
            reason = self.problem.reason(&state, verdict, &basis);
        }
        if dep.is_free() {
            let best = if one_is_enough { best.min(usize::from(NO_MOVE)) as u16 } else { NO_MOVE };
            let work = node.edges.len() as u32;
            let entry = Entry { best, reason, ..Entry::new(verdict.into(), work) };
            self.table.keep(self.problem, node.key, &entry);
        }
        let node = &mut self.nodes[id as usize];
        (node.numbers, node.dep, node.reason) = (verdict.into(), dep, reason);
        true
    }

    /// Lists the moves hidden by children that are settled against the side to move.
    fn open_hidden(&mut self, id: NodeId) {
        let mut place = 0;
        while place < self.nodes[id as usize].edges.len() {
            let node = &self.nodes[id as usize];
            let edge = &node.edges[place];
            let child = &self.nodes[edge.child as usize];
            if edge.opens && child.numbers == Numbers::from(node.turn.wish().opposite()) {
                self.moves.clear();
                let state = self.states.get(self.problem, id).into_owned();
                self.problem.open(&state, edge.mv, Some(child.reason), &mut self.moves);
                self.nodes[id as usize].edges[place].opens = false;
                self.add_edges(id, &state);
            }
            place += 1;
        }
    }
}
