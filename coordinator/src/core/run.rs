//! A run and its items, compact enough for a sweep of a million items: a few bytes for an item that
//! waits or has ended, and a plan for an active one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hasami_andor::{ProblemId, Verdict};
use hasami_spec::Question;
use hasami_sweep::{Measures, Sweep};
use hasami_unit::{EnumerateTask, ItemState, Part, RunState, Task};

use super::claim::{Claim, Sender};
use super::fair::Account;
use super::ids::{Attempt, ItemNo, Lease, Millis, RunId, UnitNo, WorkerId};
use super::order::{Ends, Weight};
use super::record::{ItemRecord, RunRecord, UnitRecord};
use super::stages::{StageView, Stages};
use super::together::Joining;
use crate::partition::Partition;

/// One submitted sweep.
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// The sweep.
    pub sweep: Arc<Sweep>,
    /// Its state.
    pub state: RunState,
    /// Milliseconds since 1970.
    pub submitted_ms: u64,
    /// Milliseconds since 1970; 0 until it has ended.
    pub finished_ms: u64,
    /// Compute items again whose answers are known.
    pub force: bool,
    /// Why it was cancelled, waits, or cannot be read.
    pub note: String,
    /// The problem with a contradiction that it waits for.
    pub fault: Option<ProblemId>,
    /// One for each item.
    pub(super) slots: Vec<Slot>,
    /// Active items.
    pub(super) active: BTreeMap<ItemNo, Active>,
    /// Units of active items that no worker holds.
    pub(super) ready: BTreeSet<(ItemNo, UnitNo)>,
    /// Cost of searches that were started before a restart and not since.
    pub(super) spent: BTreeMap<ItemNo, Measures>,
    /// Which items wait for others.
    pub(super) stages: Stages,
    /// Which places of the order have not begun.
    pub(super) ends: Ends,
    /// What it has had of the workers.
    pub(super) account: Account,
    pub(super) counts: Counts,
    /// Nodes of accepted outcomes.
    pub(super) nodes: u64,
    pub(super) store_hits: u64,
}

/// Number of items by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By [`ItemState`].
    by_state: [u64; ItemState::ALL.len()],
    /// Ended items whose answer was known before.
    pub reused: u64,
}

impl Counts {
    /// How many items are in a state.
    #[must_use]
    pub fn of(&self, state: ItemState) -> u64 {
        self.by_state[state as usize]
    }

    /// How many items have ended.
    #[must_use]
    pub fn terminal(&self) -> u64 {
        ItemState::ALL
            .into_iter()
            .filter(|state| state.has_ended())
            .map(|state| self.of(state))
            .sum()
    }

    fn count(&mut self, state: ItemState) -> &mut u64 {
        &mut self.by_state[state as usize]
    }
}

/// The state of every item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub state: ItemState,
    pub reused: bool,
    /// What it cost, or is expected to cost.
    pub weight: Weight,
    /// Attempts of all its units.
    pub attempts: u32,
}

/// An active item.
pub(super) struct Active {
    pub question: Question,
    pub plan: Plan,
    pub units: BTreeMap<UnitNo, Unit>,
    /// Totals of its finished units.
    pub cost: Measures,
    /// When its first unit was handed out, or the coordinator was restarted.
    pub begun: Millis,
    /// Who reported a verdict of a split search that did not hold: they are believed no more.
    pub doubted: BTreeSet<Sender>,
    /// Its worker is asked to share it with idle ones.
    pub joining: Option<Joining>,
}

/// How an item is computed.
pub(super) enum Plan {
    /// One unit answers it.
    Whole,
    /// A split search. `stage` is the current question if there are several.
    Search {
        partition: Box<dyn Partition>,
        stage: u32,
        asked: Question,
        settled: Option<Verdict>,
        /// Who reported the verdict.
        claimant: Option<Sender>,
    },
    /// An enumeration; finished units stay until all have finished.
    Parts,
}

/// A unit.
pub(super) struct Unit {
    pub task: Task,
    pub attempt: Attempt,
    pub crashes: u32,
    pub holder: Option<WorkerId>,
    /// The worker that was lost with the last attempt: the loss is not counted if it returns.
    pub blamed: Option<WorkerId>,
    /// The worker that the last attempt was given to. Nobody else may hand in its outcome.
    pub granted: Option<WorkerId>,
    /// Who has failed with it, was lost with it, or gave a wrong answer: others come first, and it
    /// fails for good only if a second one agrees or there is none.
    pub failed_by: BTreeSet<Sender>,
    /// Those of them who say that no attempt can help. A worker that was lost says nothing.
    pub denied_by: BTreeSet<Sender>,
    /// An answer that waits to be verified.
    pub claim: Option<Claim>,
    /// When it was handed out or resumed.
    pub since: Millis,
    /// Consecutive heartbeats of the holder that did not name it.
    pub unnamed: u32,
    pub progress: u64,
    /// When it last made progress, or was handed out.
    pub moved: Millis,
    /// How often it was taken from a worker for want of progress.
    pub stalls: u32,
    pub done: Option<Part>,
}

impl Unit {
    pub fn new(task: Task) -> Self {
        Self {
            task,
            attempt: Attempt(0),
            crashes: 0,
            holder: None,
            blamed: None,
            granted: None,
            failed_by: BTreeSet::new(),
            denied_by: BTreeSet::new(),
            claim: None,
            since: Millis(0),
            unnamed: 0,
            progress: 0,
            moved: Millis(0),
            stalls: 0,
            done: None,
        }
    }

    /// Units of a split search are created anew after a restart: the store has their records, and
    /// the item's own record has their attempts and cost. A claim was acknowledged, so it stays.
    pub fn is_durable(&self) -> bool {
        matches!(self.task, Task::Answer | Task::Enumerate(_)) || self.claim.is_some()
    }

    pub fn record(&self) -> UnitRecord {
        UnitRecord {
            attempt: self.attempt,
            holder: self.holder,
            crashes: self.crashes,
            prefix: match &self.task {
                Task::Enumerate(part) => Some(part.prefix.clone()),
                Task::Answer | Task::Search(_) | Task::Certify(_) => None,
            },
            done: self.done.clone(),
            granted: self.granted,
            claim: self.claim.clone(),
        }
    }

    pub fn restore(record: UnitRecord) -> Self {
        let UnitRecord { attempt, holder, crashes, prefix, done, granted, claim } = record;
        let part = |prefix| Task::Enumerate(EnumerateTask::part(prefix));
        let task = prefix.map_or(Task::Answer, part);
        Self { attempt, crashes, holder, done, granted, claim, ..Self::new(task) }
    }
}

impl Active {
    /// The question that a unit is about: that of the item, or the one that a split search is at.
    pub fn question_for(&self, task: &Task) -> &Question {
        match (&self.plan, task) {
            (Plan::Search { asked, .. }, Task::Search(_) | Task::Certify(_)) => asked,
            _ => &self.question,
        }
    }

    /// The partitioner of a search. Search units exist in split items only.
    pub fn partition_mut(&mut self) -> &mut dyn Partition {
        match &mut self.plan {
            Plan::Search { partition, .. } => &mut **partition,
            Plan::Whole | Plan::Parts => unreachable!("a search unit of an item that is not split"),
        }
    }
}

impl Run {
    pub(super) fn new(id: RunId, sweep: Arc<Sweep>, submitted_ms: u64, force: bool) -> Self {
        let waiting =
            Slot { state: ItemState::Waiting, reused: false, weight: Weight::UNKNOWN, attempts: 0 };
        let mut counts = Counts::default();
        *counts.count(ItemState::Waiting) = sweep.len() as u64;
        Self {
            id,
            slots: vec![waiting; sweep.len()],
            stages: Stages::new(&sweep),
            ends: Ends::new(sweep.len()),
            account: Account::default(),
            sweep,
            state: RunState::Running,
            submitted_ms,
            finished_ms: 0,
            force,
            note: String::new(),
            fault: None,
            active: BTreeMap::new(),
            ready: BTreeSet::new(),
            spent: BTreeMap::new(),
            counts,
            nodes: 0,
            store_hits: 0,
        }
    }

    pub(super) fn record(&self) -> RunRecord {
        RunRecord {
            run: self.id,
            sweep: self.sweep.text().to_string(),
            stored: Some(self.sweep.stored()),
            state: self.state,
            submitted_ms: self.submitted_ms,
            finished_ms: self.finished_ms,
            force: self.force,
            note: self.note.clone(),
            fault: self.fault,
        }
    }

    /// Cancels every item that has not ended.
    pub(super) fn cancel_rest(&mut self) {
        for item in (0..self.slots.len() as u32).map(ItemNo) {
            if !self.slots[item.0 as usize].state.has_ended() {
                self.set_state(item, ItemState::Cancelled);
            }
        }
        self.spent.clear();
    }

    pub(super) fn slot(&mut self, item: ItemNo) -> &mut Slot {
        &mut self.slots[item.0 as usize]
    }

    pub(super) fn set_state(&mut self, item: ItemNo, state: ItemState) {
        let before = std::mem::replace(&mut self.slot(item).state, state);
        *self.counts.count(before) -= 1;
        *self.counts.count(state) += 1;
        if state.has_ended() && !before.has_ended() {
            self.weigh_ended(item);
            let stage = self.stages.now();
            self.stages.ended(item);
            if self.stages.now() != stage {
                self.sort_stage();
            }
        }
    }

    /// Keeps the cost of an item that has ended: others may cost as much.
    fn weigh_ended(&mut self, item: ItemNo) {
        // An item that was not started has cost nothing.
        let Some(active) = self.active.get(&item) else { return };
        let weight = Weight::of(active.cost);
        self.slot(item).weight = weight;
        if self.stages.is_plain() {
            self.ends.ended(item.0, weight);
        }
    }

    /// A stage begins: its items are expected to cost what those with the same parameters have cost
    /// in the stage before.
    fn sort_stage(&mut self) {
        let Some(before) = self.stages.one_before() else { return };
        let (slots, sweep) = (&self.slots, &self.sweep);
        self.stages.sort_current(|item| {
            let same = sweep.in_stage_of(item.0 as usize, before.0 as usize);
            slots[item.0 as usize].weight.max(slots[same].weight)
        });
    }

    /// Takes what is known of the cost of waiting items. An item of which nothing is known counts as
    /// the mean of the others.
    pub(super) fn weigh(&mut self, weights: &[(ItemNo, Weight)]) {
        for &(item, weight) in weights {
            if let Some(slot) = self.slots.get_mut(item.0 as usize) {
                slot.weight = weight;
            }
        }
        let mean = Weight::mean(weights.iter().map(|(_, weight)| *weight));
        if mean == Weight::UNKNOWN {
            return;
        }
        let slots = &self.slots;
        self.stages.sort(slots.len(), |item| match slots[item.0 as usize].weight {
            Weight::UNKNOWN => mean,
            known => known,
        });
        self.sort_stage();
        // Items may have begun already, and any place may wait now.
        self.ends = Ends::new(self.slots.len());
    }

    /// The next item that may begin; it counts as begun.
    pub(super) fn next_item(&mut self, now: Millis) -> Option<ItemNo> {
        let (stages, slots) = (&self.stages, &self.slots);
        let waits = |place| slots[stages.item(place).0 as usize].state == ItemState::Waiting;
        let end = stages.may_begin(slots.len());
        let place = self.ends.next(end, stages.is_plain(), now, waits)?;
        Some(stages.item(place))
    }

    /// How many items may begin now.
    pub(super) fn may_begin(&self) -> usize {
        let end = self.stages.may_begin(self.slots.len());
        self.ends.left(end).min(self.counts.of(ItemState::Waiting) as usize)
    }

    pub(super) fn item_record(&self, item: ItemNo) -> ItemRecord {
        let slot = self.slots[item.0 as usize];
        let cost = self.active.get(&item).map(|active| active.cost).unwrap_or_default();
        ItemRecord {
            state: slot.state,
            reused: slot.reused,
            answer: None,
            failure: String::new(),
            attempts: slot.attempts,
            cost,
        }
    }

    /// Which items have ended, in order.
    #[must_use]
    pub fn ended(&self) -> Vec<bool> {
        self.slots.iter().map(|slot| slot.state.has_ended()).collect()
    }

    /// Whether every item has ended.
    pub(super) fn all_ended(&self) -> bool {
        self.counts.terminal() == self.slots.len() as u64
    }

    /// An active item.
    pub(super) fn active_mut(&mut self, item: ItemNo) -> &mut Active {
        self.active.get_mut(&item).expect("an item that is being worked on")
    }

    /// Adds the cost of an accepted outcome.
    pub(super) fn spend(&mut self, cost: Measures) {
        self.nodes = self.nodes.saturating_add(cost.nodes);
        self.store_hits = self.store_hits.saturating_add(cost.store_hits);
        self.account.spend(cost.seconds);
    }

    /// Number of items by state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Nodes so far, including units in progress.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        let running = self.active.values().flat_map(|active| active.units.values());
        self.nodes + running.filter(|unit| unit.holder.is_some()).map(|u| u.progress).sum::<u64>()
    }

    /// Useful records from the shared store.
    #[must_use]
    pub fn store_hits(&self) -> u64 {
        self.store_hits
    }

    /// Numbers at the root of the running search, if any.
    #[must_use]
    pub fn root(&self) -> Option<hasami_andor::Numbers> {
        self.active.values().find_map(|active| match &active.plan {
            Plan::Search { partition, .. } => Some(partition.root()),
            _ => None,
        })
    }

    /// State, attempts and whether the answer was known before.
    #[must_use]
    pub fn item(&self, item: ItemNo) -> Option<(ItemState, u32, bool)> {
        self.slots.get(item.0 as usize).map(|slot| (slot.state, slot.attempts, slot.reused))
    }

    /// The current stage, if the sweep has stages.
    #[must_use]
    pub fn stage(&self) -> Option<StageView> {
        self.stages.current()
    }

    /// The stage of an item, if the sweep has stages.
    #[must_use]
    pub fn stage_of(&self, item: ItemNo) -> Option<StageView> {
        self.stages.of(item)
    }

    /// Whether an answer of the item waits to be verified.
    #[must_use]
    pub fn is_verifying(&self, item: ItemNo) -> bool {
        let units = self.active.get(&item).into_iter().flat_map(|active| active.units.values());
        units.into_iter().any(|unit| unit.claim.is_some())
    }

    /// A unit of an item that a worker holds: its kind, when it was handed out, and its nodes.
    #[must_use]
    pub fn held(&self, lease: Lease) -> Option<(&'static str, Millis, u64)> {
        let unit = self.active.get(&lease.item)?.units.get(&lease.unit)?;
        let kind = match &unit.task {
            Task::Answer => "answer",
            Task::Search(_) => "search",
            Task::Certify(_) => "certify",
            Task::Enumerate(_) => "enumerate",
        };
        Some((kind, unit.since, unit.progress))
    }

    /// The workers that compute an item.
    pub fn holders(&self, item: ItemNo) -> impl Iterator<Item = (UnitNo, Attempt, WorkerId)> {
        let units = self.active.get(&item).into_iter().flat_map(|active| active.units.iter());
        units.filter_map(|(&no, unit)| unit.holder.map(|worker| (no, unit.attempt, worker)))
    }

    /// Whether any work is left.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state.has_ended()
    }
}
