//! Builds a certificate from a settled table. Searches again for what the table has lost.
//!
//! States are collected from the root down and become *final* from the leaves up; they are written
//! in the order in which they become final. Where states can repeat, the first choices may form a
//! cycle. Then all good choices of the stuck states are tried, and one of them leads out of it.

use super::known::Known;
use super::links::{Ends, Link, LinkId, Links};
use super::{Asked, CertificateError, Header, NodeId, Writer};
use crate::kept::Kept;
use crate::kernel::Job;
use crate::numbers::{Numbers, Verdict};
use crate::problem::{
    Expansion, Key, Listed, Moves, Problem, Reason, Repetition, all_moves, open_all,
};
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

pub(super) const ROOT: NodeId = 0;

pub(super) struct Node<R> {
    /// Its moves visited so far, and the moves that wait for it.
    pub(super) links: Ends,
    /// Children that are needed and not final yet (where all are needed).
    pub(super) waiting: u32,
    /// The move that made it final (where one is enough).
    pub(super) chosen: Option<LinkId>,
    pub(super) one_is_enough: bool,
    pub(super) leaf: bool,
    /// All moves to children with the verdict are among its moves.
    pub(super) complete: bool,
    pub(super) is_final: bool,
    /// Its link to the state of its family that it yields to, or [`NO_YIELD`].
    pub(super) yields: LinkId,
    pub(super) reason: R,
}

/// The state stands for itself.
pub(super) const NO_YIELD: LinkId = LinkId::MAX;

pub(super) struct Proof<'a, P: Problem> {
    pub(super) problem: &'a P,
    pub(super) table: &'a Table<P::Reason>,
    pub(super) control: &'a Control,
    pub(super) verdict: Verdict,
    /// No line may be infinite: a state becomes final only after the states it depends on.
    pub(super) well_founded: bool,
    /// A state that is known is a good choice, whether it is final or not.
    pub(super) acyclic: bool,
    /// More was collected than the root needs.
    pub(super) spare: bool,
    pub(super) nodes: Vec<Node<P::Reason>>,
    pub(super) links: Links<P::Move>,
    pub(super) states: Kept<P::State>,
    pub(super) known: Known,
    pub(super) to_explore: Vec<NodeId>,
    pub(super) to_settle: Vec<NodeId>,
    /// Final nodes, in the order in which they became final.
    pub(super) order: Vec<NodeId>,
    pub(super) walker: Walker<'a, P>,
    pub(super) reported: u64,
    pub(super) moves: Moves<P::Move>,
    pub(super) keys: Vec<Key>,
}

impl<'a, P: Problem> Proof<'a, P> {
    pub(super) fn new(
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
            // A state may yield to one that leads back to it.
            acyclic: problem.repetition() == Repetition::Impossible && !P::DOMINATES,
            spare: false,
            nodes: Vec::new(),
            links: Links::new(),
            states: Kept::new(),
            known: Known::default(),
            to_explore: Vec::new(),
            to_settle: Vec::new(),
            order: Vec::new(),
            walker: Walker::new(problem, table, options),
            reported: 0,
            moves: Moves::new(),
            keys: Vec::new(),
        }
    }

    /// Collects states until the root is final (or, where cycles are allowed, until all are there).
    pub(super) fn collect(&mut self) -> Result<(), ExtractError> {
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
    pub(super) fn node(&mut self, state: P::State, key: Key) -> NodeId {
        if let Some(id) = self.known.find(key) {
            return id;
        }
        let id = self.known.add(key);
        let one_is_enough = self.problem.turn(&state).wish() == self.verdict;
        if one_is_enough {
            self.table.prefetch(key);
        }
        self.nodes.push(Node {
            one_is_enough,
            links: Ends::NONE,
            waiting: 0,
            chosen: None,
            leaf: false,
            complete: false,
            is_final: false,
            yields: NO_YIELD,
            reason: P::Reason::default(),
        });
        self.states.push(self.problem, state);
        self.to_explore.push(id);
        id
    }

    /// Adds a move; it waits for the state after it unless that is final.
    fn add_link(&mut self, from: NodeId, state: &P::State, mv: P::Move, opens: bool) -> LinkId {
        let after = self.problem.play(state, mv);
        let key = self.problem.key(&after);
        let to = self.node(after, key);
        let link = self.links.add(&mut self.nodes[from as usize].links, from, mv, to, opens);
        let child = &mut self.nodes[to as usize];
        if !child.is_final {
            self.links.wait(link, &mut child.links);
        }
        link
    }

    fn leads_to_final(&self, link: LinkId) -> bool {
        self.nodes[self.links.get(link).to as usize].is_final
    }

    fn explore(&mut self, id: NodeId) -> Result<(), ExtractError> {
        let state = self.states.get(self.problem, id).into_owned();
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
        if P::DOMINATES && id != ROOT && self.yields(id, &state) {
            return Ok(());
        }
        if self.nodes[id as usize].one_is_enough {
            let mv = self.good_choice(id, &state)?;
            self.offer(id, &state, mv);
            return Ok(());
        }
        self.explore_all(id, &state);
        Ok(())
    }

    /// All moves of a node are needed; the buffer holds those that are not hidden.
    pub(super) fn explore_all(&mut self, id: NodeId, state: &P::State) {
        // Count this loop itself, so that the node cannot become final while the loop runs.
        self.nodes[id as usize].waiting = 1;
        let moves = std::mem::take(&mut self.moves.list);
        self.need_all(id, state, &moves);
        self.moves.list = moves;
        self.one_less(id);
    }

    /// Adds a candidate choice to a node where one child is enough.
    pub(super) fn offer(&mut self, id: NodeId, state: &P::State, mv: P::Move) {
        let link = self.add_link(id, state, mv, false);
        if self.leads_to_final(link) {
            self.choose(id, link);
        }
    }

    pub(super) fn choose(&mut self, id: NodeId, link: LinkId) {
        let node = &mut self.nodes[id as usize];
        if node.chosen.is_none() {
            node.chosen = Some(link);
            self.to_settle.push(id);
        }
    }

    /// Requires all these moves of a node.
    fn need_all(&mut self, id: NodeId, state: &P::State, moves: &[Listed<P::Move>]) {
        for &Listed { mv, opens, .. } in moves {
            let link = self.add_link(id, state, mv, opens);
            let is_final = self.leads_to_final(link);
            if !is_final {
                self.nodes[id as usize].waiting += 1;
            }
            // Where cycles are allowed, a child may never become final: do not wait for it.
            if opens && (is_final || !self.well_founded) {
                self.open(link, state);
            }
        }
    }

    /// The state after a move that hides others is final: the hidden moves are needed too.
    fn open(&mut self, link: LinkId, state: &P::State) {
        let &Link { mv, from, to, .. } = self.links.get(link);
        let reason = self.reason_after(state, mv, to);
        let mut moves = Moves::new();
        self.problem.open(state, mv, Some(reason), &mut moves);
        self.need_all(from, state, &moves.list);
    }

    /// The reason for the verdict after a move. The verifier asks the rules about the exact leaf it
    /// sees, and leaves with the same key may have different reasons.
    fn reason_after(&self, state: &P::State, mv: P::Move, child: NodeId) -> P::Reason {
        if P::Reason::WORDS > 0 && self.nodes[child as usize].leaf {
            let leaf = self.problem.play(state, mv);
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

    /// A node depends on final nodes only: number it and notify the nodes that wait for it.
    fn make_final(&mut self, id: NodeId) {
        let node = &self.nodes[id as usize];
        if node.is_final {
            return;
        }
        if P::Reason::WORDS > 0 && !node.leaf {
            let reason = match node.chosen {
                Some(link) if link == node.yields => {
                    self.nodes[self.links.get(link).to as usize].reason
                }
                _ => self.reason(node, &self.states.get(self.problem, id)),
            };
            self.nodes[id as usize].reason = reason;
        }
        let node = &mut self.nodes[id as usize];
        node.is_final = true;
        let mut waiting = Links::<P::Move>::waiting(node.links);
        self.order.push(id);
        while let Some(link) = waiting {
            waiting = self.links.above(link);
            self.child_is_final(link);
        }
    }

    fn reason(&self, node: &Node<P::Reason>, state: &P::State) -> P::Reason {
        let basis = |link: &Link<P::Move>| (link.mv, self.reason_after(state, link.mv, link.to));
        let basis: Vec<_> = match node.chosen {
            Some(link) => vec![basis(self.links.get(link))],
            None => self.links.down(node.links).map(basis).collect(),
        };
        self.problem.reason(state, self.verdict, &basis)
    }

    fn child_is_final(&mut self, link: LinkId) {
        let &Link { from, opens, .. } = self.links.get(link);
        let node = &self.nodes[from as usize];
        if node.is_final {
            return;
        }
        if node.one_is_enough || node.yields == link {
            return self.choose(from, link);
        }
        if opens && self.well_founded {
            let state = self.states.get(self.problem, from).into_owned();
            self.open(link, &state);
        }
        self.one_less(from);
    }

    /// Finds a move to a state with the verdict, if possible to one that the proof has anyway. The
    /// buffer holds the moves that are not hidden.
    fn good_choice(&mut self, id: NodeId, state: &P::State) -> Result<P::Move, ExtractError> {
        open_all(self.problem, state, &mut self.moves);
        self.keys.clear();
        for mv in self.moves.iter() {
            let key = self.problem.key_after(state, mv);
            if let Some(child) = self.known.find(key)
                && (self.acyclic || self.nodes[child as usize].is_final)
            {
                return Ok(mv);
            }
            self.keys.push(key);
        }
        self.keys.iter().for_each(|&key| self.table.prefetch(key));
        let wanted = Numbers::from(self.verdict);
        let hint = self.table.look(self.problem, self.known.key(id)).entry;
        let hint = hint.map(|entry| usize::from(entry.best));
        let hint = hint.filter(|&place| place < self.keys.len());
        let settled = |place: &usize| {
            let entry = self.table.look(self.problem, self.keys[*place]).entry;
            entry.is_some_and(|entry| entry.numbers == wanted)
        };
        match hint.into_iter().chain(0..self.keys.len()).find(settled) {
            Some(place) => Ok(self.moves.list[place].mv),
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

    pub(super) fn run_walker(&mut self) -> Result<(), ExtractError> {
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

    pub(super) fn contradiction(&self, id: NodeId, detail: &str) -> ExtractError {
        let key = self.known.key(id);
        ExtractError::Contradiction { key, detail: detail.to_string() }
    }
}
