//! `frontier`: one worker searches from the root as if it were alone, the *runner*; for the others the
//! top of the search is a graph in the coordinator, its leaves are leases.
//!
//! The runner tells its path, and the leaf that it is below looks worse to the others. What they find
//! settled it hears of, but not of their numbers: where the answer is a proof, many workers may well
//! look where it is not, and should not draw it there.
//!
//! A leaf is chosen best first, with leased leaves made to look worse, so that workers part. A leaf
//! that outlasts its lease becomes an inner node with the children that the worker reported. An
//! inner node whose children settle it is *claimed*, and a short lease on it asks a worker to confirm:
//! it finds the children in the store, and may know of moves that were hidden until now. Until then
//! nothing follows from the claim: measured on polyominoes, where a claim often falls, calling off
//! the others for it cost up to thirty times the nodes.

mod combine;
mod pace;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeSet;

use hasami_andor::numbers::{INFINITE, LIMIT};
use hasami_andor::{Numbers, Role, SearchProgress, SearchReport, SearchTask, Stopped, Verdict};

use super::ledger::Ledger;
use super::{Directive, OtherWorkers, Partition, Settings, Task, UnitNo};
use combine::{child_limits, split};
use pace::Pace;
use tree::{Node, ROOT, Tree};

/// A leaf may always grow by this factor: a lease must be worth its round trip. Measured: leaving a
/// leaf as early as df-pn would costs more than it saves, since another worker goes on there.
const LOOSE: u32 = 256;
/// A subtree that has taken at most so many leases is given as a whole, where nobody is in it.
const SMALL: u64 = 2;
/// With so many nodes in the graph for each worker, leaves get no children any more.
const NODES_PER_WORKER: usize = 4096;
/// But so many may always be there, some fifty megabytes: two workers fill 8192 within minutes.
const NODES: usize = 1 << 17;

/// A node of the coordinator's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct NodeId(u32);

/// How a leased leaf looks to those who choose the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Virtual {
    /// As if it were settled the way that is nearer (Pawlewicz & Hayward 2013).
    Settled,
    /// With numbers larger by this factor (after Kaneko 2010).
    Larger(f64),
}

impl Default for Virtual {
    fn default() -> Self {
        Self::Larger(2.0)
    }
}

impl Virtual {
    fn of(self, numbers: Numbers) -> Numbers {
        match self {
            Self::Settled if numbers.proof <= numbers.disproof => Numbers::PROVEN,
            Self::Settled => Numbers::DISPROVEN,
            Self::Larger(factor) => {
                let larger = |number: u32| (f64::from(number) * factor).ceil() as u32;
                Numbers::open(larger(numbers.proof), larger(numbers.disproof))
            }
        }
    }
}

/// One search, split at the leaves of a graph.
pub(super) struct Frontier {
    settings: Settings,
    tree: Tree,
    /// Leases, and the runner (`None`).
    units: Ledger<Option<NodeId>>,
    runner: Option<UnitNo>,
    /// The numbers of the root as it saw them last,
    seen: Numbers,
    /// and the leaf that it was below.
    passed: Option<NodeId>,
    /// Leases that are out and wanted.
    out: usize,
    /// Some have come or gone since the runner was told.
    moved: bool,
    pace: Pace,
    /// Nodes that may need a worker's word, the most urgent last.
    claims: Vec<NodeId>,
    /// The last worker that asked got nothing.
    starving: bool,
    verdict: Option<Verdict>,
}

impl Frontier {
    pub fn new(settings: Settings) -> Self {
        Self {
            tree: Tree::new(settings.sum, settings.virtual_numbers),
            units: Ledger::new(),
            runner: None,
            seen: Numbers::UNKNOWN,
            passed: None,
            out: 0,
            moved: false,
            pace: Pace::new(&settings),
            claims: Vec::new(),
            starving: false,
            verdict: None,
            settings,
        }
    }

    /// A claimed node that a worker should confirm.
    fn next_claim(&mut self) -> Option<NodeId> {
        while let Some(id) = self.claims.pop() {
            if self.tree.get(id).is_some_and(Node::is_claimed) {
                return Some(id);
            }
        }
        None
    }

    /// The leaf to search next, and how far it may go. A node with little below it, none of it taken,
    /// counts as a leaf: one by one, the last steps of a search take longer to give out than to make.
    fn choose(&self) -> Option<(NodeId, Numbers)> {
        let (mut id, mut limits) = (ROOT, Numbers::UNBOUNDED);
        let small = self.pace.budget(self.workers()).saturating_mul(SMALL);
        if !self.tree.node(ROOT).free {
            return None;
        }
        loop {
            let node = self.tree.node(id);
            if node.quiet && node.total <= small && id != ROOT {
                return Some((id, limits));
            }
            let below = node.children.iter().map(|&child| (child, self.tree.node(child)));
            let looks = |numbers: Numbers| split(node.turn, numbers);
            // A child that seems settled either way comes last.
            let rank = |seeming: Numbers| (seeming.settled(), looks(seeming));
            let free = below.clone().filter(|(_, child)| child.free);
            let Some((best, child)) = free.min_by_key(|(_, child)| rank(child.seeming)) else {
                return Some((id, limits));
            };
            let others = below.filter(|&(other, node)| other != best && !node.numbers.settled());
            let second = others.map(|(_, other)| looks(other.numbers).0).min().unwrap_or(INFINITE);
            let numbers = (node.numbers, child.numbers);
            limits = child_limits(node.turn, limits, numbers, second, &self.settings);
            id = best;
        }
    }

    /// How many have to find work.
    fn workers(&self) -> usize {
        if self.starving { usize::MAX } else { self.out }
    }

    fn lease(&mut self, id: NodeId, target: Numbers) -> Task {
        let unit = self.units.hand_out(Some(id));
        (self.out, self.moved) = (self.out + 1, true);
        let nodes = self.pace.budget(self.workers());
        // It is a leaf now, if it was none: of what is below its worker will know more than is known here.
        if self.tree.node(id).quiet {
            self.tree.prune(id);
        }
        let node = self.tree.node_mut(id);
        let nodes = nodes.saturating_mul(1 << node.tries.min(30));
        node.lease = Some(unit);
        let state = node.state.clone();
        self.tree.update(id);
        self.starving &= !self.tree.node(ROOT).free;
        let (nodes, share, children) = (Some(nodes), true, true);
        let search = SearchTask { state, target, nodes, share, children, ..SearchTask::default() };
        Task { unit, search }
    }

    /// The search from the root, without end.
    fn run(&mut self) -> Task {
        let unit = self.units.hand_out(None);
        self.runner = Some(unit);
        let search = SearchTask { role: Role::Leader, share: true, ..SearchTask::default() };
        Task { unit, search }
    }

    /// Takes a unit off its node.
    fn release(&mut self, unit: UnitNo) -> Option<NodeId> {
        if self.runner == Some(unit) {
            self.runner = None;
            self.pass(None);
        }
        let id = self.units.take(unit)??;
        (self.out, self.moved) = (self.out - 1, true);
        self.tree.node_mut(id).lease = None;
        Some(id)
    }

    /// The runner is below this leaf now.
    fn pass(&mut self, leaf: Option<NodeId>) {
        if leaf != self.passed {
            for (id, here) in [(self.passed, false), (leaf, true)] {
                if let Some(id) = id.filter(|&id| self.tree.get(id).is_some()) {
                    self.tree.node_mut(id).passed = here;
                    self.claims.extend(self.tree.update(id));
                }
            }
            self.passed = leaf;
        }
    }

    /// A node and what follows from its new numbers: claims to be confirmed, units to be cancelled.
    fn follow(&mut self, id: NodeId) -> Vec<Directive> {
        self.claims.extend(self.tree.update(id));
        let node = self.tree.node(id);
        if !node.confirmed {
            return Vec::new();
        }
        // Found out by another unit: whoever is still at this node itself can stop.
        let mut needless: Vec<UnitNo> = node.lease.into_iter().collect();
        needless.extend(self.tree.needless_below(id));
        let mut said = Vec::new();
        for unit in needless {
            if let Some(Some(node)) = self.units.cancel(unit) {
                (self.out, self.moved) = (self.out - 1, true);
                self.tree.node_mut(node).lease = None;
                self.claims.extend(self.tree.update(node));
                said.push(Directive::Cancel(unit));
            }
        }
        self.tree.prune(id);
        said
    }

    fn has_room(&self) -> bool {
        self.tree.len() < NODES.max(NODES_PER_WORKER * (self.out + 1))
    }

    /// Whether a leaf should get children now.
    fn wants_split(&self, report: &SearchReport, work: u64) -> bool {
        self.has_room() && (report.stopped != Stopped::Target || work >= self.pace.full())
    }

    fn settled(&mut self, id: NodeId, verdict: Verdict) -> Vec<Directive> {
        let node = self.tree.node_mut(id);
        (node.numbers, node.confirmed) = (verdict.into(), true);
        let mut said = self.follow(id);
        if id == ROOT {
            self.verdict = Some(verdict);
            said.insert(0, Directive::Settled(verdict));
            if let Some(runner) = self.runner.take() {
                self.units.cancel(runner);
                said.push(Directive::Cancel(runner));
            }
        }
        said
    }

    fn unsettled(&mut self, id: NodeId, report: &SearchReport) -> Vec<Directive> {
        let mut said = Vec::new();
        let node = self.tree.node_mut(id);
        node.turn = report.turn;
        node.work = node.work.saturating_add(report.nodes);
        let (work, inner) = (node.work, !node.children.is_empty());
        if !inner {
            node.numbers = report.numbers;
        }
        if inner || self.wants_split(report, work) {
            for known in self.tree.adopt(id, &report.children) {
                said.extend(self.follow(known));
            }
        }
        let room = self.has_room();
        let node = self.tree.node_mut(id);
        // A lease that made nothing new must be longer the next time.
        let stuck = room && node.children.is_empty() && report.stopped != Stopped::Target;
        node.tries = if stuck || inner { node.tries + 1 } else { 0 };
        said.extend(self.follow(id));
        said
    }
}

impl Partition for Frontier {
    fn next(&mut self) -> Option<Task> {
        if self.verdict.is_some() {
            return None;
        }
        if self.runner.is_none() {
            return Some(self.run());
        }
        if let Some(id) = self.next_claim() {
            return Some(self.lease(id, Numbers::UNBOUNDED));
        }
        let Some((leaf, limits)) = self.choose() else {
            self.starving = true;
            return None;
        };
        let numbers = self.tree.node(leaf).numbers;
        let loose = |number: u32, limit: u32| match number.saturating_mul(LOOSE) {
            wide if wide > LIMIT => INFINITE,
            wide => limit.max(wide),
        };
        let target = Numbers {
            proof: loose(numbers.proof, limits.proof),
            disproof: loose(numbers.disproof, limits.disproof),
        };
        Some(self.lease(leaf, target))
    }

    fn progress(&mut self, unit: UnitNo, progress: &SearchProgress) -> Vec<Directive> {
        self.units.count(unit, progress.nodes);
        if self.runner == Some(unit) {
            self.seen = progress.numbers;
            self.pass(self.tree.leaf_on(&progress.path));
        }
        Vec::new()
    }

    fn finished(&mut self, unit: UnitNo, report: &SearchReport) -> Vec<Directive> {
        self.units.count(unit, report.nodes);
        let ran = self.runner == Some(unit);
        if !ran {
            self.pace.learn(report);
        }
        let id = self.release(unit);
        match (report.numbers.verdict(), id) {
            (Some(verdict), Some(id)) => self.settled(id, verdict),
            (Some(verdict), None) if ran => self.settled(ROOT, verdict),
            (None, Some(id)) => self.unsettled(id, report),
            _ => Vec::new(),
        }
    }

    fn lost(&mut self, unit: UnitNo) {
        if let Some(id) = self.release(unit) {
            let claims = self.tree.update(id);
            self.claims.extend(claims);
        }
    }

    fn moved(&mut self) -> Option<UnitNo> {
        self.runner.filter(|_| std::mem::take(&mut self.moved))
    }

    fn others(&self) -> OtherWorkers {
        // With the nodes above them: a search that parted from them only where they are would come
        // there first by every other way.
        let mut todo: Vec<NodeId> = self.units.wanted().filter_map(|(_, &id)| id).collect();
        let (mut seen, mut others) = (BTreeSet::new(), OtherWorkers::default());
        while let Some(id) = todo.pop() {
            if let Some(node) = self.tree.get(id).filter(|_| seen.insert(id)) {
                others.keys.extend(node.key);
                others.depth = others.depth.max(node.depth);
                todo.extend(&node.parents);
            }
        }
        others
    }

    fn root(&self) -> Numbers {
        let root = self.tree.node(ROOT);
        // As long as nobody else has said anything, the runner knows best.
        match root.children.is_empty() && !root.numbers.settled() && !self.seen.settled() {
            true => self.seen,
            false => root.numbers,
        }
    }

    fn nodes(&self) -> u64 {
        self.units.nodes()
    }
}
