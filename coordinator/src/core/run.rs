//! A run and its items, compact enough for a sweep of a million items: a few bytes for an item that
//! waits or has ended, and a plan for an active one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hasami_andor::Verdict;
use hasami_spec::Question;
use hasami_sweep::{Measures, Sweep};
use hasami_unit::{EnumerateTask, ItemState, Part, RunState, Task};

use super::ids::{Attempt, ItemNo, Millis, RunId, UnitNo, WorkerId};
use super::record::{ItemRecord, RunRecord, UnitRecord};
use super::stages::{StageView, Stages};
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
    /// Why it failed, if it did.
    pub note: String,
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
    /// No item before this index of the order is waiting.
    pub(super) cursor: u32,
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
}

/// How an item is computed.
pub(super) enum Plan {
    /// One unit answers it.
    Whole,
    /// A split search. `stage` is the current question if there are several.
    Search { partition: Box<dyn Partition>, stage: u32, asked: Question, settled: Option<Verdict> },
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
    /// The worker that reported the failure of the last attempt: others come first.
    pub failed_at: Option<WorkerId>,
    /// When it was handed out or resumed.
    pub since: Millis,
    /// Consecutive heartbeats of the holder that did not name it.
    pub unnamed: u32,
    pub progress: u64,
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
            failed_at: None,
            since: Millis(0),
            unnamed: 0,
            progress: 0,
            done: None,
        }
    }

    /// Units of a split search are created anew after a restart: the store has their records, and
    /// the item's own record has their attempts and cost.
    pub fn is_durable(&self) -> bool {
        matches!(self.task, Task::Answer | Task::Enumerate(_))
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
        }
    }

    pub fn restore(record: UnitRecord) -> Self {
        let UnitRecord { attempt, holder, crashes, prefix, done } = record;
        let part = |prefix| Task::Enumerate(EnumerateTask::part(prefix));
        Self { attempt, crashes, holder, done, ..Self::new(prefix.map_or(Task::Answer, part)) }
    }
}

impl Active {
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
        let waiting = Slot { state: ItemState::Waiting, reused: false, attempts: 0 };
        let mut counts = Counts::default();
        *counts.count(ItemState::Waiting) = sweep.len() as u64;
        Self {
            id,
            slots: vec![waiting; sweep.len()],
            stages: Stages::new(&sweep),
            sweep,
            state: RunState::Running,
            submitted_ms,
            finished_ms: 0,
            force,
            note: String::new(),
            active: BTreeMap::new(),
            ready: BTreeSet::new(),
            spent: BTreeMap::new(),
            cursor: 0,
            counts,
            nodes: 0,
            store_hits: 0,
        }
    }

    pub(super) fn record(&self) -> RunRecord {
        RunRecord {
            run: self.id,
            sweep: self.sweep.text().to_string(),
            state: self.state,
            submitted_ms: self.submitted_ms,
            finished_ms: self.finished_ms,
            force: self.force,
            note: self.note.clone(),
        }
    }

    pub(super) fn slot(&mut self, item: ItemNo) -> &mut Slot {
        &mut self.slots[item.0 as usize]
    }

    pub(super) fn set_state(&mut self, item: ItemNo, state: ItemState) {
        let before = std::mem::replace(&mut self.slot(item).state, state);
        *self.counts.count(before) -= 1;
        *self.counts.count(state) += 1;
        if state.has_ended() && !before.has_ended() {
            self.stages.ended(item);
        }
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
