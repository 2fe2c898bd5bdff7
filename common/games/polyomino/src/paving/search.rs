//! A tree of decisions whose leaves are the blocking pavings, each at exactly one leaf.
//!
//! A node branches on the placement with the fewest pairs left to block it. Each child lays one of
//! these pairs and bans those before it, so no paving occurs twice. Forced moves are made at once:
//! a placement with one pair left gets it. The tree depends on the question alone, so a path in it
//! names a part of the work.

use super::instance::{Instance, PairId};

/// The kind of leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Any set of pairs that blocks; further pairs stay undecided.
    Blocking,
    /// Every blocking set of pairs.
    All,
    /// Every blocking set with every cell in a pair.
    Complete,
    /// Every blocking set of which no pair can be removed.
    Minimal,
}

/// The next step at a node.
pub(super) enum Step {
    /// No answer below this node.
    Dead,
    /// A leaf: the laid pairs are one answer.
    Answer,
    /// Child i lays pair i and bans those before it; the last child, if `none`, bans them all.
    Branch { pairs: Vec<PairId>, none: bool },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Open,
    Laid,
    Banned,
}

enum Forced {
    Placement(u32),
    Cell(u32),
}

/// A node of the tree, with the trail back to the root.
pub(super) struct Search<'a> {
    instance: &'a Instance,
    goal: Goal,
    status: Vec<Status>,
    /// For each placement: pairs that could still block it, and pairs that do.
    open: Vec<u32>,
    blocked: Vec<u32>,
    /// For each cell: pairs it could still be in, and whether it is in one.
    choices: Vec<u32>,
    paired: Vec<bool>,
    /// Decided pairs, in order.
    trail: Vec<PairId>,
    forced: Vec<Forced>,
    dead: bool,
    /// Number of nodes entered.
    pub nodes: u64,
}

impl<'a> Search<'a> {
    /// The root of the tree.
    pub fn new(instance: &'a Instance, goal: Goal) -> Self {
        let open: Vec<u32> = instance.placements.iter().map(|pairs| pairs.len() as u32).collect();
        let choices: Vec<u32> = instance.of_cell.iter().map(|pairs| pairs.len() as u32).collect();
        let mut search = Self {
            instance,
            goal,
            status: vec![Status::Open; instance.pairs.len()],
            blocked: vec![0; open.len()],
            paired: vec![false; choices.len()],
            open,
            choices,
            trail: Vec::new(),
            forced: Vec::new(),
            dead: false,
            nodes: 0,
        };
        for at in 0..search.open.len() as u32 {
            search.look_at_placement(at);
        }
        for at in 0..search.choices.len() as u32 {
            search.look_at_cell(at);
        }
        search.propagate();
        search
    }

    /// The pairs laid so far, in order.
    pub fn laid(&self) -> Vec<PairId> {
        let mut laid: Vec<PairId> = self
            .trail
            .iter()
            .copied()
            .filter(|&id| self.status[id as usize] == Status::Laid)
            .collect();
        laid.sort_unstable();
        laid
    }

    /// The next step at this node.
    pub fn step(&mut self) -> Step {
        self.nodes += 1;
        if self.dead || (self.goal == Goal::Minimal && self.has_idle_pair()) {
            return Step::Dead;
        }
        let open = (0..self.open.len()).filter(|&at| self.blocked[at] == 0);
        if let Some(at) = open.min_by_key(|&at| self.open[at]) {
            let pairs = self.still_open(&self.instance.placements[at]);
            return Step::Branch { pairs: self.best_first(pairs), none: false };
        }
        match self.goal {
            Goal::Blocking | Goal::Minimal => Step::Answer,
            Goal::Complete => {
                let left = (0..self.choices.len()).filter(|&at| !self.paired[at]);
                match left.min_by_key(|&at| self.choices[at]) {
                    None => Step::Answer,
                    Some(at) => Step::Branch {
                        pairs: self.still_open(&self.instance.of_cell[at]),
                        none: false,
                    },
                }
            }
            Goal::All => match self.status.iter().position(|status| *status == Status::Open) {
                None => Step::Answer,
                Some(id) => Step::Branch { pairs: vec![id as PairId], none: true },
            },
        }
    }

    /// Enters child `child` of a branch over `pairs`; returns the mark for [`Self::leave`].
    pub fn enter(&mut self, pairs: &[PairId], child: usize) -> usize {
        let mark = self.trail.len();
        for &id in &pairs[..child] {
            self.decide(id, Status::Banned);
        }
        if let Some(&id) = pairs.get(child) {
            self.lay(id);
        }
        self.propagate();
        mark
    }

    /// Returns to the node where [`Self::enter`] was called.
    pub fn leave(&mut self, mark: usize) {
        for id in self.trail.drain(mark..).rev() {
            let pair = self.instance.pairs[id as usize];
            let laid = self.status[id as usize] == Status::Laid;
            self.status[id as usize] = Status::Open;
            for &at in &self.instance.of_pair[id as usize] {
                self.open[at as usize] += 1;
                self.blocked[at as usize] -= u32::from(laid);
            }
            for cell in [pair.first, pair.second] {
                self.choices[cell as usize] += 1;
                self.paired[cell as usize] &= !laid;
            }
        }
        self.dead = false;
    }

    /// Visits every answer below this node until `visit` returns false or `stop`, which gets the
    /// nodes so far, returns true; `false` if either did.
    pub fn answers(
        &mut self,
        stop: &impl Fn(u64) -> bool,
        visit: &mut impl FnMut(&Self) -> bool,
    ) -> bool {
        if stop(self.nodes) {
            return false;
        }
        match self.step() {
            Step::Dead => true,
            Step::Answer => visit(self),
            Step::Branch { pairs, none } => (0..pairs.len() + usize::from(none)).all(|child| {
                let mark = self.enter(&pairs, child);
                let on = self.answers(stop, visit);
                self.leave(mark);
                on
            }),
        }
    }

    fn still_open(&self, pairs: &[PairId]) -> Vec<PairId> {
        let open = |id: &&PairId| self.status[**id as usize] == Status::Open;
        pairs.iter().filter(open).copied().collect()
    }

    /// Pairs that block more open placements come first, so answers are found sooner.
    fn best_first(&self, mut pairs: Vec<PairId>) -> Vec<PairId> {
        let use_of = |id: &PairId| {
            let blocks = self.instance.of_pair[*id as usize].iter();
            let count = blocks.filter(|at| self.blocked[**at as usize] == 0).count();
            std::cmp::Reverse(count)
        };
        pairs.sort_by_cached_key(use_of);
        pairs
    }

    /// Whether a laid pair blocks nothing that others do not block. That stays so further down.
    fn has_idle_pair(&self) -> bool {
        let idle = |&id: &PairId| {
            let mut blocks = self.instance.of_pair[id as usize].iter();
            self.status[id as usize] == Status::Laid
                && blocks.all(|at| self.blocked[*at as usize] > 1)
        };
        self.trail.iter().any(idle)
    }

    fn lay(&mut self, id: PairId) {
        self.decide(id, Status::Laid);
        let instance = self.instance;
        let pair = instance.pairs[id as usize];
        for cell in [pair.first, pair.second] {
            for &other in &instance.of_cell[cell as usize] {
                if self.status[other as usize] == Status::Open {
                    self.decide(other, Status::Banned);
                }
            }
        }
    }

    /// Decides a pair. The counts stay right even if the node is dead, so that it can be left.
    fn decide(&mut self, id: PairId, status: Status) {
        let laid = status == Status::Laid;
        let instance = self.instance;
        let pair = instance.pairs[id as usize];
        self.status[id as usize] = status;
        self.trail.push(id);
        for cell in [pair.first, pair.second] {
            self.paired[cell as usize] |= laid;
            self.choices[cell as usize] -= 1;
            self.look_at_cell(cell);
        }
        for &at in &instance.of_pair[id as usize] {
            self.open[at as usize] -= 1;
            self.blocked[at as usize] += u32::from(laid);
            self.look_at_placement(at);
        }
    }

    fn look_at_placement(&mut self, at: u32) {
        if self.blocked[at as usize] == 0 {
            match self.open[at as usize] {
                0 => self.dead = true,
                1 => self.forced.push(Forced::Placement(at)),
                _ => {}
            }
        }
    }

    fn look_at_cell(&mut self, cell: u32) {
        if self.goal == Goal::Complete && !self.paired[cell as usize] {
            match self.choices[cell as usize] {
                0 => self.dead = true,
                1 => self.forced.push(Forced::Cell(cell)),
                _ => {}
            }
        }
    }

    fn propagate(&mut self) {
        let instance = self.instance;
        while let Some(forced) = self.forced.pop() {
            if self.dead {
                self.forced.clear();
                return;
            }
            let pairs = match forced {
                Forced::Placement(at) if self.blocked[at as usize] == 0 => {
                    &instance.placements[at as usize]
                }
                Forced::Cell(cell) if !self.paired[cell as usize] => {
                    &instance.of_cell[cell as usize]
                }
                _ => continue,
            };
            let open = |id: &&PairId| self.status[**id as usize] == Status::Open;
            if let Some(&id) = pairs.iter().find(open) {
                self.lay(id);
            }
        }
    }
}
