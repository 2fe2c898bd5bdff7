//! The units that are out, and the nodes that were spent on them. Shared by all partitioners.

use std::collections::BTreeMap;

use super::UnitNo;

/// A unit that is out.
struct Out<W> {
    /// What it is about; `None` once nobody wants its outcome.
    work: Option<W>,
    /// Nodes already counted.
    counted: u64,
}

/// Which units are out, with what partitioners know of each.
pub(super) struct Ledger<W> {
    next: u32,
    units: BTreeMap<UnitNo, Out<W>>,
    nodes: u64,
}

impl<W> Ledger<W> {
    pub fn new() -> Self {
        Self { next: 0, units: BTreeMap::new(), nodes: 0 }
    }

    /// A unit goes out.
    pub fn hand_out(&mut self, work: W) -> UnitNo {
        let unit = UnitNo(self.next);
        self.next += 1;
        self.units.insert(unit, Out { work: Some(work), counted: 0 });
        unit
    }

    /// Counts the nodes of a unit, told as a total.
    pub fn count(&mut self, unit: UnitNo, nodes: u64) {
        if let Some(out) = self.units.get_mut(&unit) {
            self.nodes += nodes.saturating_sub(out.counted);
            out.counted = out.counted.max(nodes);
        }
    }

    /// A unit comes back, or is gone: what it was about, if it was still wanted.
    pub fn take(&mut self, unit: UnitNo) -> Option<W> {
        self.units.remove(&unit)?.work
    }

    /// Nobody wants the outcome any more; its nodes still count when it reports.
    pub fn cancel(&mut self, unit: UnitNo) -> Option<W> {
        self.units.get_mut(&unit)?.work.take()
    }

    /// What a unit is about, if it is out and wanted.
    pub fn get(&self, unit: UnitNo) -> Option<&W> {
        self.units.get(&unit)?.work.as_ref()
    }

    /// The units that are out and wanted.
    pub fn wanted(&self) -> impl Iterator<Item = (UnitNo, &W)> {
        self.units.iter().filter_map(|(&unit, out)| Some((unit, out.work.as_ref()?)))
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
