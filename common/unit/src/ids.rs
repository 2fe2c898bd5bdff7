//! Numbers of runs, items, units and attempts.

use std::fmt;

/// A run: one submitted sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u64);

/// A place in the list of a run's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemNo(pub u32);

/// A unit of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitNo(pub u32);

impl UnitNo {
    /// The unit of a whole item. Partitioners number theirs from the next on.
    pub const WHOLE: Self = Self(0);
    /// The unit that makes the certificate of a split search: above all numbers of partitioners.
    pub const CERTIFY: Self = Self(u32::MAX);
}

/// How often a unit has been handed out. Attempts of a unit only rise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attempt(pub u32);

/// One hand-out of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    /// The run.
    pub run: RunId,
    /// The item of the run.
    pub item: ItemNo,
    /// The unit of the item.
    pub unit: UnitNo,
    /// The attempt at the unit.
    pub attempt: Attempt,
}

impl fmt::Display for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, item, unit, attempt } = self;
        write!(f, "{}/{}/{}#{}", run.0, item.0, unit.0, attempt.0)
    }
}

impl Lease {
    /// Part of a file name, without characters that mean something to a shell.
    #[must_use]
    pub fn file_name(&self) -> String {
        let Self { run, item, unit, attempt } = self;
        format!("{}-{}-{}-{}", run.0, item.0, unit.0, attempt.0)
    }
}
