//! Items that wait for others: an item may start when all items of lower stages have ended. In a
//! sweep without stages all items may start.

use std::cmp::Reverse;

use hasami_sweep::Sweep;

use super::ids::ItemNo;
use super::order::Weight;

/// Which items may start, and the progress of the stages.
pub(super) struct Stages {
    /// Items by stage, then by weight, then by number; empty without stages and weights.
    order: Vec<ItemNo>,
    /// The index of each item's stage in the list.
    of: Vec<u32>,
    list: Vec<Stage>,
    /// The first stage with unfinished items; past the end if there is none.
    now: usize,
}

struct Stage {
    number: i64,
    /// The end of its items in the order.
    end: usize,
    items: usize,
    ended: usize,
}

/// The progress of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageView {
    /// Its number in the sweep.
    pub number: i64,
    /// Its position among the stages, from 1.
    pub place: usize,
    /// Number of stages.
    pub of: usize,
    /// Number of its items.
    pub items: usize,
    /// Number of its items that have ended.
    pub ended: usize,
}

impl Stages {
    /// The stages of a sweep, before any item has ended.
    pub fn new(sweep: &Sweep) -> Self {
        let mut stages = Self { order: Vec::new(), of: Vec::new(), list: Vec::new(), now: 0 };
        if sweep.ordered_by().is_none() {
            return stages;
        }
        let numbers: Vec<i64> =
            (0..sweep.len()).map(|item| sweep.stage(item).unwrap_or_default()).collect();
        stages.order = (0..sweep.len() as u32).map(ItemNo).collect();
        stages.order.sort_by_key(|item| (numbers[item.0 as usize], *item));
        stages.of = vec![0; sweep.len()];
        for (at, item) in stages.order.iter().enumerate() {
            let number = numbers[item.0 as usize];
            if stages.list.last().is_none_or(|stage| stage.number != number) {
                stages.list.push(Stage { number, end: at, items: 0, ended: 0 });
            }
            stages.of[item.0 as usize] = stages.list.len() as u32 - 1;
            let stage = stages.list.last_mut().expect("the stage of this item");
            stage.end += 1;
            stage.items += 1;
        }
        stages
    }

    /// Whether the order of the items says nothing of their cost.
    pub fn is_plain(&self) -> bool {
        self.order.is_empty()
    }

    /// Sorts the items of each stage by weight, the heaviest first; without stages all items.
    pub fn sort(&mut self, items: usize, weight: impl Fn(ItemNo) -> Weight) {
        if self.order.is_empty() {
            self.order = (0..items as u32).map(ItemNo).collect();
        }
        let stage = |item: &ItemNo| self.of.get(item.0 as usize).copied().unwrap_or(0);
        self.order.sort_by_key(|item| (stage(item), Reverse(weight(*item)), *item));
    }

    /// Sorts the items of the current stage by weight, the heaviest first.
    pub fn sort_current(&mut self, weight: impl Fn(ItemNo) -> Weight) {
        let Some(stage) = self.list.get(self.now) else { return };
        let items = &mut self.order[stage.end - stage.items..stage.end];
        items.sort_by_key(|item| (Reverse(weight(*item)), *item));
    }

    /// An item of the stage before the current one.
    pub fn one_before(&self) -> Option<ItemNo> {
        let before = self.list.get(self.now.checked_sub(1)?)?;
        self.order.get(before.end - 1).copied()
    }

    /// The number of the current stage; past the last when all have ended.
    pub fn now(&self) -> usize {
        self.now
    }

    /// The item at an index of the order.
    pub fn item(&self, place: u32) -> ItemNo {
        self.order.get(place as usize).copied().unwrap_or(ItemNo(place))
    }

    /// The end of the items in the order that may start, out of `items`.
    pub fn may_begin(&self, items: usize) -> u32 {
        let end = if self.list.is_empty() {
            items
        } else {
            self.list.get(self.now).map_or(items, |stage| stage.end)
        };
        end as u32
    }

    /// Records that an item has ended.
    pub fn ended(&mut self, item: ItemNo) {
        let Some(&stage) = self.of.get(item.0 as usize) else { return };
        self.list[stage as usize].ended += 1;
        while self.list.get(self.now).is_some_and(|stage| stage.ended == stage.items) {
            self.now += 1;
        }
    }

    /// The items that wait for this one.
    pub fn after(&self, item: ItemNo) -> &[ItemNo] {
        let stage = self.of.get(item.0 as usize).and_then(|&stage| self.list.get(stage as usize));
        stage.map_or(&[], |stage| &self.order[stage.end..])
    }

    /// The current stage, or the last one when all are done; `None` without stages.
    pub fn current(&self) -> Option<StageView> {
        self.view(self.now.min(self.list.len().checked_sub(1)?))
    }

    /// The stage of an item.
    pub fn of(&self, item: ItemNo) -> Option<StageView> {
        self.view(*self.of.get(item.0 as usize)? as usize)
    }

    fn view(&self, at: usize) -> Option<StageView> {
        let stage = self.list.get(at)?;
        let &Stage { number, items, ended, .. } = stage;
        Some(StageView { number, place: at + 1, of: self.list.len(), items, ended })
    }
}
