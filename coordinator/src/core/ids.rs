//! Names of the things that the core keeps.

use std::fmt;

pub use crate::partition::UnitNo;

/// A run: one submitted sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u64);

/// A place in the list of a run's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemNo(pub u32);

/// How often a unit has been handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attempt(pub u32);

/// A worker process, for as long as it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerId(pub u64);

/// Milliseconds of a clock that never goes back. The core has no clock: it is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u64);

impl Millis {
    /// So much later.
    #[must_use]
    pub fn plus(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}

/// One hand-out of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    /// The run.
    pub run: RunId,
    /// The item in it.
    pub item: ItemNo,
    /// The unit of the item.
    pub unit: UnitNo,
    /// Which hand-out.
    pub attempt: Attempt,
}

impl fmt::Display for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, item, unit, attempt } = self;
        write!(f, "{}/{}/{}#{}", run.0, item.0, unit.0, attempt.0)
    }
}
