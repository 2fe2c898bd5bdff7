//! What readers see of a run beyond its counts. They copy it and sort it elsewhere.

use hasami_spec::Question;
use hasami_unit::ItemState;

use super::ids::{ItemNo, Millis, UnitNo, WorkerId};
use super::order::Weight;
use super::run::{Plan, Run, Slot};
use crate::partition::Partition;

/// What is known of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brief {
    /// Its state.
    pub state: ItemState,
    /// Whether its answer was known before.
    pub reused: bool,
    /// What it cost, or is expected to cost.
    pub weight: Weight,
    /// Attempts of all its units.
    pub attempts: u32,
}

impl Run {
    /// What is known of every item, in order: for readers, who sort and filter it elsewhere.
    #[must_use]
    pub fn briefs(&self) -> Vec<Brief> {
        let brief = |slot: &Slot| Brief {
            state: slot.state,
            reused: slot.reused,
            weight: slot.weight,
            attempts: slot.attempts,
        };
        self.slots.iter().map(brief).collect()
    }

    /// The split searches that are under way, with what each asks at present.
    pub fn split_searches(&self) -> impl Iterator<Item = (ItemNo, &Question, &dyn Partition)> {
        self.active.iter().filter_map(|(&item, active)| match &active.plan {
            Plan::Search { partition, asked, .. } => Some((item, asked, &**partition)),
            Plan::Whole | Plan::Parts => None,
        })
    }

    /// The holder of a unit, its nodes, and when it was handed out.
    #[must_use]
    pub fn unit(&self, item: ItemNo, unit: UnitNo) -> Option<(Option<WorkerId>, u64, Millis)> {
        let unit = self.active.get(&item)?.units.get(&unit)?;
        Some((unit.holder, unit.progress, unit.since))
    }
}
