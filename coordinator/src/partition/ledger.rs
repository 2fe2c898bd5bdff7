//! Outstanding units and the nodes spent on them. Shared by all partitioners.

use std::collections::BTreeMap;

use super::UnitNo;

/// An outstanding unit.
struct Out<W> {
    /// Its part of the search; `None` once its outcome is no longer needed.
    work: Option<W>,
    /// Nodes already counted.
    counted: u64,
}

/// The outstanding units, with the partitioner's data for each.
pub(super) struct Ledger<W> {
    next: u32,
    units: BTreeMap<UnitNo, Out<W>>,
    nodes: u64,
}

impl<W> Ledger<W> {
    pub fn new() -> Self {
        Self { next: UnitNo::WHOLE.0 + 1, units: BTreeMap::new(), nodes: 0 }
    }

    /// Registers a new unit.
    pub fn hand_out(&mut self, work: W) -> UnitNo {
        let unit = UnitNo(self.next);
        self.next += 1;
        self.units.insert(unit, Out { work: Some(work), counted: 0 });
        unit
    }

    /// Counts the nodes of a unit, reported as a total.
    pub fn count(&mut self, unit: UnitNo, nodes: u64) {
        if let Some(out) = self.units.get_mut(&unit) {
            self.nodes = self.nodes.saturating_add(nodes.saturating_sub(out.counted));
            out.counted = out.counted.max(nodes);
        }
    }

    /// Removes a unit that reported or was lost; returns its part if still wanted.
    pub fn take(&mut self, unit: UnitNo) -> Option<W> {
        self.units.remove(&unit)?.work
    }

    /// Marks the outcome as no longer needed; its nodes still count when it reports.
    pub fn cancel(&mut self, unit: UnitNo) -> Option<W> {
        self.units.get_mut(&unit)?.work.take()
    }

    /// The part of a unit that is outstanding and wanted.
    pub fn get(&self, unit: UnitNo) -> Option<&W> {
        self.units.get(&unit)?.work.as_ref()
    }

    /// The units that are outstanding and wanted.
    pub fn wanted(&self) -> impl Iterator<Item = (UnitNo, &W)> {
        self.units.iter().filter_map(|(&unit, out)| Some((unit, out.work.as_ref()?)))
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
