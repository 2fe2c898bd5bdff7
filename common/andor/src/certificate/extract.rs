//! Builds a certificate from a settled table. Searches again for what the table has lost.
//!
//! States are collected from the root down and become *final* from the leaves up; they are written
//! in the order in which they become final. Where states can repeat, the first choices may form a
//! cycle. Then all good choices of the stuck states are tried, and one of them leads out of it.

use super::dag::DagNode;
use super::{Asked, CertificateError, Dag, Header, NodeId, Writer};
use crate::kept::Kept;
use crate::kernel::Job;
use crate::numbers::{Numbers, Verdict};
use crate::problem::{Expansion, Key, Listed, Moves, Problem, Reason, all_moves};
use crate::search::path::KeyMap;
use crate::search::{Control, Method, Options, Step, SumRule, Walker};
use crate::table::Table;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] CertificateError),
    /// Stopped by its [`Control`].
    #[error("stopped before the certificate was complete")]
    Stopped,
    /// A state of the proof has the opposite verdict: a bug in the search.
    #[error("the search contradicts itself at state {key}: {detail}")]
    Contradiction {
        /// Key of the state.
        key: Key,
        /// What is wrong.
        detail: String,
    },
}

/// Writes the certificate of a verdict on the root of the problem. Returns its size in bytes.
///
/// # Errors
/// If the file cannot be written, the control stops the search, or the verdict is wrong.
pub fn extract<P: Problem>(
    problem: &P,
    table: &Table<P::Reason>,
    control: &Control,
    asked: &Asked,
    verdict: Verdict,
    path: &std::path::Path,
) -> Result<u64, ExtractError> {
    let mut proof = Proof::new(problem, table, control, verdict);
    proof.collect()?;
    let dag = proof.finish();
    let mut writer = Writer::create(path)?;
    writer.part::<ExtractError>(|out| {
        problem.prove(&dag, out, &|length| Header { asked: asked.clone(), verdict, length });
        Ok(())
    })?;
    Ok(writer.finish()?)
}

const ROOT: NodeId = 0;

struct Node<P: Problem> {
    key: Key,
    one_is_enough: bool,
    leaf: bool,
    /// Children visited so far.
    children: Vec<Child<P>>,
    parents: Vec<NodeId>,
    /// Children that are needed and not final yet (where all are needed).
    waiting: u32,
    /// The child that made it final (where one is enough).
    chosen: Option<NodeId>,
    /// All children with the verdict are among `children`.
    complete: bool,
    is_final: bool,
    reason: P::Reason,
}

struct Child<P: Problem> {
    mv: P::Move,
    id: NodeId,
    /// Once this child is final, the moves it hides are needed too.
    opens: bool,
    counted: bool,
}

struct Proof<'a, P: Problem> {
    problem: &'a P,
    table: &'a Table<P::Reason>,
    control: &'a Control,
    verdict: Verdict,
    /// No line may be infinite: a state becomes final only after the states it depends on.
    well_founded: bool,
    nodes: Vec<Node<P>>,
    states: Kept<P::State>,
    by_key: KeyMap<NodeId>,
    to_explore: Vec<NodeId>,
    to_settle: Vec<NodeId>,
    /// Final nodes, in the order in which they became final.
    order: Vec<NodeId>,
    walker: Walker<'a, P>,
    reported: u64,
    moves: Moves<P::Move>,
}

impl<'a, P: Problem> Proof<'a, P> {
    fn new(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        control: &'a Control,
        verdict: Verdict,
    ) -> Self {
        let options = Options { method: Method::Dfpn, sum: SumRule::Sum, ..Options::default() };
        Self {
            problem,
            table,
            control,
            verdict,
            well_founded: problem.repetition().verdict() != Some(verdict),
            nodes: Vec::new(),
            states: Kept::new(),
            by_key: KeyMap::default(),
            to_explore: Vec::new(),
            to_settle: Vec::new(),
            order: Vec::new(),
            walker: Walker::new(problem, table, options),
            reported: 0,
            moves: Moves::new(),
        }
    }

    /// Collects states until the root is final (or, where cycles are allowed, until all are there).
    fn collect(&mut self) -> Result<(), ExtractError> {
        let root = self.problem.root();
        let key = self.problem.key(&root);
        self.node(root, key);
        loop {
            if let Some(id) = self.to_settle.pop() {
                self.make_final(id);
            } else if let Some(id) = self.to_explore.pop() {
                self.explore(id)?;
            } else if !self.well_founded || self.nodes[ROOT as usize].is_final {
                return Ok(());
            } else {
                self.try_all_choices()?;
            }
            if self.well_founded && self.nodes[ROOT as usize].is_final {
                return Ok(());
            }
            if self.control.is_cancelled() {
                return Err(ExtractError::Stopped);
            }
        }
    }

    /// Returns the node of a state; creates it if it is new.
    fn node(&mut self, state: P::State, key: Key) -> NodeId {
        if let Some(&id) = self.by_key.get(&key) {
            return id;
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            one_is_enough: self.problem.turn(&state).wish() == self.verdict,
            key,
            leaf: false,
            children: Vec::new(),
            parents: Vec::new(),
            waiting: 0,
            chosen: None,
            complete: false,
            is_final: false,
            reason: P::Reason::default(),
        });
        self.states.push(self.problem, state);
        self.by_key.insert(key, id);
        self.to_explore.push(id);
        id
    }

    fn add_child(&mut self, parent: NodeId, mv: P::Move, opens: bool) -> NodeId {
        let state = self.problem.play(&self.states.get(self.problem, parent), mv);
        let key = self.problem.key(&state);
        let id = self.node(state, key);
        let counted = self.nodes[id as usize].is_final;
        self.nodes[parent as usize].children.push(Child { mv, id, opens, counted });
        if !counted {
            self.nodes[id as usize].parents.push(parent);
        }
        id
    }

    fn explore(&mut self, id: NodeId) -> Result<(), ExtractError> {
        let state = self.states.get(self.problem, id);
        self.moves.clear();
        if let Expansion::Settled(verdict) = self.problem.expand(&state, &mut self.moves) {
            if verdict != self.verdict {
                return Err(self.contradiction(id, "the rules settle it the other way"));
            }
            let reason = self.problem.reason(&state, verdict, &[]);
            let node = &mut self.nodes[id as usize];
            (node.leaf, node.reason) = (true, reason);
            self.to_settle.push(id);
            return Ok(());
        }
        if self.nodes[id as usize].one_is_enough {
            let mv = self.good_choice(id)?;
            self.offer(id, mv);
            return Ok(());
        }
        // Count this loop itself, so that the node cannot become final while the loop runs.
        self.nodes[id as usize].waiting = 1;
        let moves = std::mem::take(&mut self.moves.list);
        self.need_all(id, &moves);
        self.moves.list = moves;
        self.one_less(id);
        Ok(())
    }

    /// Adds a candidate choice to a node where one child is enough.
    fn offer(&mut self, id: NodeId, mv: P::Move) {
        let child = self.add_child(id, mv, false);
        if self.nodes[child as usize].is_final {
            self.choose(id, child);
        }
    }

    fn choose(&mut self, id: NodeId, child: NodeId) {
        let node = &mut self.nodes[id as usize];
        if node.chosen.is_none() {
            node.chosen = Some(child);
            self.to_settle.push(id);
        }
    }

    /// Requires all these moves of a node.
    fn need_all(&mut self, id: NodeId, moves: &[Listed<P::Move>]) {
        for &Listed { mv, opens, .. } in moves {
            let child = self.add_child(id, mv, opens);
            let is_final = self.nodes[child as usize].is_final;
            if !is_final {
                self.nodes[id as usize].waiting += 1;
            }
            // Where cycles are allowed, a child may never become final: do not wait for it.
            if opens && (is_final || !self.well_founded) {
                self.open(id, mv, child);
            }
        }
    }

    /// A child that hides moves is final: the hidden moves are needed too.
    fn open(&mut self, id: NodeId, mv: P::Move, child: NodeId) {
        let reason = self.reason_after(id, mv, child);
        let mut moves = Moves::new();
        self.problem.open(&self.states.get(self.problem, id), mv, Some(reason), &mut moves);
        self.need_all(id, &moves.list);
    }

    /// The reason for the verdict after a move. The verifier asks the rules about the exact leaf it
    /// sees, and leaves with the same key may have different reasons.
    fn reason_after(&self, id: NodeId, mv: P::Move, child: NodeId) -> P::Reason {
        if P::Reason::WORDS > 0 && self.nodes[child as usize].leaf {
            let leaf = self.problem.play(&self.states.get(self.problem, id), mv);
            return self.problem.reason(&leaf, self.verdict, &[]);
        }
        self.nodes[child as usize].reason
    }

    fn one_less(&mut self, id: NodeId) {
        let node = &mut self.nodes[id as usize];
        node.waiting -= 1;
        if node.waiting == 0 {
            self.to_settle.push(id);
        }
    }

    /// A node depends on final nodes only: number it and notify its parents.
    fn make_final(&mut self, id: NodeId) {
        let node = &self.nodes[id as usize];
        if node.is_final {
            return;
        }
        if !node.leaf {
            let counts = |child: &&Child<P>| node.chosen.is_none_or(|chosen| chosen == child.id);
            let basis = node.children.iter().filter(counts);
            let mut basis: Vec<_> =
                basis.map(|child| (child.mv, self.reason_after(id, child.mv, child.id))).collect();
            if node.chosen.is_some() {
                basis.truncate(1);
            }
            let reason =
                self.problem.reason(&self.states.get(self.problem, id), self.verdict, &basis);
            self.nodes[id as usize].reason = reason;
        }
        self.nodes[id as usize].is_final = true;
        self.order.push(id);
        for parent in self.nodes[id as usize].parents.clone() {
            self.child_is_final(parent, id);
        }
    }

    fn child_is_final(&mut self, parent: NodeId, child: NodeId) {
        let node = &mut self.nodes[parent as usize];
        if node.is_final {
            return;
        }
        if node.one_is_enough {
            return self.choose(parent, child);
        }
        let here = |c: &&mut Child<P>| c.id == child && !c.counted;
        let entry = node.children.iter_mut().find(here).expect("a child that names its parent");
        entry.counted = true;
        let (mv, opens) = (entry.mv, entry.opens);
        if opens && self.well_founded {
            self.open(parent, mv, child);
        }
        self.one_less(parent);
    }

    /// Finds a move to a state with the verdict.
    fn good_choice(&mut self, id: NodeId) -> Result<P::Move, ExtractError> {
        let (node, state) = (&self.nodes[id as usize], self.states.get(self.problem, id));
        all_moves(self.problem, &state, &mut self.moves);
        let wanted = Numbers::from(self.verdict);
        let hint = self.table.lookup(node.key).map(|entry| usize::from(entry.best));
        let hinted = hint.and_then(|place| self.moves.list.get(place)).map(|listed| listed.mv);
        let mut found = None;
        for mv in hinted.into_iter().chain(self.moves.iter()) {
            let key = self.problem.key_after(&state, mv);
            let known = self.by_key.get(&key).map(|&child| &self.nodes[child as usize]);
            if known.is_some_and(|child| child.is_final) {
                return Ok(mv);
            }
            let settled = self.table.lookup(key).is_some_and(|entry| entry.numbers == wanted);
            if found.is_none() && settled {
                found = Some(mv);
                if !self.well_founded {
                    break;
                }
            }
        }
        match found {
            Some(mv) => Ok(mv),
            None => self.search_choice(id),
        }
    }

    /// The table has lost the choice: search the state again, ignoring its own entry.
    fn search_choice(&mut self, id: NodeId) -> Result<P::Move, ExtractError> {
        let state = self.states.get(self.problem, id).into_owned();
        self.walker.begin_afresh(state.clone(), Job::<P::State>::UNBOUNDED);
        self.run_walker()?;
        let answer = self.walker.answer().expect("a finished search has an answer");
        if answer.numbers != Numbers::from(self.verdict) {
            return Err(self.contradiction(id, "searched again, it gets the other verdict"));
        }
        all_moves(self.problem, &state, &mut self.moves);
        let leads = |mv: &P::Move| Some(self.problem.key_after(&state, *mv)) == answer.winner;
        match self.moves.iter().find(leads) {
            Some(mv) => Ok(mv),
            None => Err(self.contradiction(id, "its winning move is not one of its moves")),
        }
    }

    fn run_walker(&mut self) -> Result<(), ExtractError> {
        loop {
            let until = self.walker.counts().nodes + 4096;
            let step = self.walker.run(|counts| counts.nodes >= until);
            let nodes = self.walker.counts().nodes;
            self.control.note(nodes - self.reported);
            self.reported = nodes;
            if step == Step::Done {
                return Ok(());
            }
            if self.control.is_cancelled() {
                return Err(ExtractError::Stopped);
            }
        }
    }

    /// No work is left and the root is not final: the choices form a cycle. Adds every other good
    /// choice of the stuck states.
    fn try_all_choices(&mut self) -> Result<(), ExtractError> {
        let stuck = |node: &Node<P>| node.one_is_enough && !node.is_final && !node.complete;
        let stuck: Vec<_> = (0..self.nodes.len()).filter(|&i| stuck(&self.nodes[i])).collect();
        if stuck.is_empty() {
            return Err(self.contradiction(ROOT, "its proof rests on itself"));
        }
        for index in stuck {
            let id = index as NodeId;
            self.nodes[index].complete = true;
            let from = self.states.get(self.problem, id).into_owned();
            all_moves(self.problem, &from, &mut self.moves);
            let moves: Vec<_> = self.moves.iter().collect();
            for mv in moves {
                let state = self.problem.play(&from, mv);
                self.walker.begin(state, Job::<P::State>::UNBOUNDED);
                self.run_walker()?;
                let answer = self.walker.answer().expect("a finished search has an answer");
                if answer.numbers == Numbers::from(self.verdict) {
                    self.offer(id, mv);
                }
            }
        }
        Ok(())
    }

    fn contradiction(&self, id: NodeId, detail: &str) -> ExtractError {
        let key = self.nodes[id as usize].key;
        ExtractError::Contradiction { key, detail: detail.to_string() }
    }

    /// What the root depends on.
    fn finish(self) -> Dag<P> {
        let mut needed = vec![false; self.nodes.len()];
        let mut todo = vec![ROOT];
        let nodes: Vec<DagNode<P>> = self.nodes.into_iter().map(Node::finished).collect();
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut needed[id as usize], true) {
                todo.extend(nodes[id as usize].moves.iter().map(|&(_, child)| child));
            }
        }
        let mut order =
            if self.well_founded { self.order } else { (0..nodes.len() as NodeId).rev().collect() };
        order.retain(|&id| needed[id as usize]);
        Dag { verdict: self.verdict, nodes, states: self.states, by_key: self.by_key, order }
    }
}

impl<P: Problem> Node<P> {
    fn finished(self) -> DagNode<P> {
        let chosen = |child: &&Child<P>| self.chosen.is_none_or(|chosen| chosen == child.id);
        let all = self.children.iter().map(|child| (child.mv, child.id));
        let one = || self.children.iter().find(chosen).map(|child| (child.mv, child.id));
        let moves = if self.one_is_enough { one().into_iter().collect() } else { all.collect() };
        DagNode { leaf: self.leaf, one_is_enough: self.one_is_enough, moves }
    }
}
