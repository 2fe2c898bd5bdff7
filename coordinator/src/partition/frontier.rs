//! `frontier`: one worker, the *runner*, searches from the root as if it were alone. For the others
//! the coordinator keeps the top of the search as a graph whose leaves are leases.
//!
//! The runner reports its path, and the leaf it is below looks worse to the others. It receives
//! their verdicts but not their numbers: where the answer is a proof, many workers may search in
//! the wrong place and must not draw the runner there.
//!
//! Where every leaf is taken, a worker searches from the root for a while with a *seed* that varies
//! the first numbers: proofs of games with hidden moves grow in few places at a time, and another
//! order may find one sooner. It too exchanges verdicts only.
//!
//! A leaf is chosen best first. Leased leaves are made to look worse, so that workers spread out. A
//! leaf that outlasts its lease becomes an inner node with the children that the worker reported.
//! An inner node whose children settle it is *claimed*, and a short lease on it asks a worker to
//! confirm: the worker finds the children in the store, and may know of moves that were hidden
//! until now. Until then the claim has no effect: measured on polyominoes, where claims often fail,
//! cancelling the other units early cost up to thirty times the nodes.

mod combine;
mod pace;
mod seeds;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeSet;

use hasami_andor::numbers::{INFINITE, LIMIT};
use hasami_andor::{Numbers, Role, SearchProgress, SearchReport, SearchTask, Stopped, Verdict};

use super::ledger::Ledger;
use super::view::seen;
use super::{Directive, OtherWorkers, PartView, Partition, PathView, Settings, Task, UnitNo, View};
use combine::{child_limits, split};
use pace::Pace;
use seeds::Seeds;
use tree::{Node, ROOT, Tree, fits, sound};

/// A leaf may always grow by this factor: a lease must be worth its round trip. Measured: leaving a
/// leaf as early as df-pn does costs more than it saves, since another worker continues there.
const LOOSE: u32 = 256;
/// A subtree that has taken at most this many leases is leased as a whole if no worker is in it.
const SMALL: u64 = 2;
/// With this many nodes in the graph per worker, leaves get no more children.
const NODES_PER_WORKER: usize = 4096;
/// This many nodes are always allowed (about 50 MB): two workers fill 8192 within minutes.
const NODES: usize = 1 << 17;
/// This many are never exceeded by more than the children of one report (about 400 MB).
const MOST_NODES: usize = 1 << 20;

/// At most this many workers search from the root for want of a leaf: at the start there are few
/// leaves, and short units of a thousand workers would keep the coordinator busy.
const MOST_SEEDS: usize = 256;

/// What a unit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The search from the root as if it were alone.
    Runner,
    /// The same with this seed, for a while.
    Seeded(u64),
    /// A leaf.
    Lease(NodeId),
}

/// A node of the coordinator's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct NodeId(u32);

/// How a leased leaf looks when the next leaf is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Virtual {
    /// As if settled the nearer way (Pawlewicz & Hayward 2013).
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
    units: Ledger<Part>,
    runner: Option<UnitNo>,
    seeds: Seeds,
    /// The root's numbers in the runner's last report.
    seen: Numbers,
    /// The leaf that the runner is below.
    passed: Option<NodeId>,
    /// The runner's last reported path.
    path: Vec<PathView>,
    /// Number of outstanding leases that are still wanted.
    out: usize,
    /// Leases have started or ended since the runner was last notified.
    moved: bool,
    pace: Pace,
    /// Nodes that a worker may have to confirm, the most urgent last.
    claims: Vec<NodeId>,
    /// The last request for work found none.
    starving: bool,
    verdict: Option<Verdict>,
}

impl Frontier {
    pub fn new(settings: Settings) -> Self {
        Self {
            tree: Tree::new(settings.sum, settings.virtual_numbers),
            units: Ledger::new(),
            runner: None,
            seeds: Seeds::default(),
            seen: Numbers::UNKNOWN,
            passed: None,
            path: Vec::new(),
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

    /// The leaf to search next, and its limits. A node with a small subtree and no worker in it
    /// counts as a leaf: leasing the last steps of a search one by one takes longer than making
    /// them.
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
            // A child that looks settled, either way, comes last.
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

    /// The number of workers that need work.
    fn workers(&self) -> usize {
        if self.starving { usize::MAX } else { self.out }
    }

    fn lease(&mut self, id: NodeId, target: Numbers, nodes: u64) -> Task {
        let unit = self.units.hand_out(Part::Lease(id));
        (self.out, self.moved) = (self.out + 1, true);
        // The node becomes a leaf again: its worker will know more about the subtree than the graph
        // does.
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

    /// The search from the root, without limits.
    fn run(&mut self) -> Task {
        let unit = self.units.hand_out(Part::Runner);
        self.runner = Some(unit);
        let search = SearchTask { role: Role::Leader, share: true, ..SearchTask::default() };
        Task { unit, search }
    }

    /// A search from the root in another order, for about as long as a lease: by then there may be
    /// a leaf again.
    fn run_with_seed(&mut self) -> Task {
        let nodes = Some(self.pace.budget(self.out + self.seeds.len()));
        let seed = self.seeds.take();
        let unit = self.units.hand_out(Part::Seeded(seed));
        let (role, share) = (Role::Leader, true);
        let search = SearchTask { role, share, seed, nodes, ..SearchTask::default() };
        Task { unit, search }
    }

    /// Removes a unit from its node; returns its part.
    fn release(&mut self, unit: UnitNo) -> Option<Part> {
        let part = self.units.take(unit)?;
        self.end(part);
        Some(part)
    }

    /// A part of the search is over or no longer wanted.
    fn end(&mut self, part: Part) {
        match part {
            Part::Runner => {
                self.runner = None;
                self.pass(None);
            }
            Part::Seeded(seed) => self.seeds.give_back(seed),
            Part::Lease(id) => {
                (self.out, self.moved) = (self.out - 1, true);
                if self.tree.get(id).is_some() {
                    self.tree.node_mut(id).lease = None;
                }
            }
        }
    }

    fn cancel(&mut self, unit: UnitNo) -> Option<Directive> {
        let part = self.units.cancel(unit)?;
        self.end(part);
        Some(Directive::Cancel(unit))
    }

    /// Records the leaf that the runner is below.
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

    /// Updates a node; returns the resulting cancellations and queues claims to be confirmed.
    fn follow(&mut self, id: NodeId) -> Vec<Directive> {
        let mut said = Vec::new();
        if self.tree.node(id).confirmed {
            // Nobody needs to search it, or what is only below it, any more.
            let mut needless: Vec<UnitNo> = self.tree.node(id).lease.into_iter().collect();
            needless.extend(self.tree.prune(id));
            needless.sort_unstable();
            said.extend(needless.into_iter().filter_map(|unit| self.cancel(unit)));
        }
        self.claims.extend(self.tree.update(id));
        said
    }

    fn has_room(&self) -> bool {
        self.tree.len() < NODES.max(NODES_PER_WORKER * (self.out + 1)).min(MOST_NODES)
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
            let rest: Vec<UnitNo> = self.units.wanted().map(|(unit, _)| unit).collect();
            said.extend(rest.into_iter().filter_map(|unit| self.cancel(unit)));
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
            node.numbers = sound(report.numbers);
        }
        if fits(&report.children) && (inner || self.wants_split(report, work)) {
            for known in self.tree.adopt(id, &report.children) {
                said.extend(self.follow(known));
            }
        }
        let room = self.has_room();
        let node = self.tree.node_mut(id);
        // A lease that brought nothing new must be longer next time.
        let stuck =
            inner || (room && node.children.is_empty() && report.stopped != Stopped::Target);
        node.tries = if stuck { node.tries + 1 } else { 0 };
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
            let nodes = self.pace.budget(self.workers());
            return Some(self.lease(id, Numbers::UNBOUNDED, nodes));
        }
        let Some((leaf, limits)) = self.choose() else {
            self.starving = true;
            return (self.seeds.len() < MOST_SEEDS).then(|| self.run_with_seed());
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
        let nodes = self.pace.budget(self.workers());
        Some(self.lease(leaf, target, nodes))
    }

    fn progress(&mut self, unit: UnitNo, progress: &SearchProgress) -> Vec<Directive> {
        self.units.count(unit, progress.nodes);
        if self.runner == Some(unit) {
            self.seen = progress.numbers;
            self.pass(self.tree.leaf_on(&progress.path));
            self.path = seen(&progress.path);
        }
        Vec::new()
    }

    fn finished(&mut self, unit: UnitNo, report: &SearchReport) -> Vec<Directive> {
        self.units.count(unit, report.nodes);
        if matches!(self.units.get(unit), Some(Part::Lease(_))) {
            self.pace.learn(report);
        }
        match (report.numbers.verdict(), self.release(unit)) {
            (Some(verdict), Some(Part::Lease(id))) => self.settled(id, verdict),
            (None, Some(Part::Lease(id))) => self.unsettled(id, report),
            (Some(verdict), Some(Part::Runner | Part::Seeded(_))) => self.settled(ROOT, verdict),
            (None, Some(Part::Runner | Part::Seeded(_))) | (_, None) => Vec::new(),
        }
    }

    fn lost(&mut self, unit: UnitNo) {
        if let Some(Part::Lease(id)) = self.release(unit) {
            let claims = self.tree.update(id);
            self.claims.extend(claims);
        }
    }

    fn moved(&mut self) -> Option<UnitNo> {
        self.runner.filter(|_| std::mem::take(&mut self.moved))
    }

    fn others(&self) -> OtherWorkers {
        // Includes the ancestors: a search that avoids only the nodes themselves would reach them
        // first by every other path.
        let leased = |(_, part): (UnitNo, &Part)| match *part {
            Part::Lease(id) => Some(id),
            Part::Runner | Part::Seeded(_) => None,
        };
        let mut todo: Vec<NodeId> = self.units.wanted().filter_map(leased).collect();
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
        // Until another worker has reported, the runner knows best.
        if root.children.is_empty() && !root.numbers.settled() && !self.seen.settled() {
            self.seen
        } else {
            root.numbers
        }
    }

    fn nodes(&self) -> u64 {
        self.units.nodes()
    }

    fn view(&self) -> View {
        let part = |(unit, part): (UnitNo, &Part)| match *part {
            Part::Runner => PartView { unit, part: "leader", key: None },
            Part::Seeded(_) => PartView { unit, part: "seed", key: None },
            Part::Lease(id) => {
                let key = self.tree.get(id).and_then(|node| node.key);
                PartView { unit, part: "leaf", key }
            }
        };
        let parts = self.units.wanted().map(part).collect();
        View { path: self.path.clone(), parts, kept: self.tree.len() }
    }
}
