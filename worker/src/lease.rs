//! The name of one hand-out of one unit, as a key that can be compared and printed.

use std::fmt;

use hasami_proto::v1;

/// One hand-out of one unit of work. Attempts of a unit only rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease {
    /// The run.
    pub run: u64,
    /// The item of the run.
    pub item: u32,
    /// The unit of the item.
    pub unit: u32,
    /// The attempt at the unit.
    pub attempt: u32,
}

impl From<v1::Lease> for Lease {
    fn from(lease: v1::Lease) -> Self {
        let v1::Lease { run, item, unit, attempt } = lease;
        Self { run, item, unit, attempt }
    }
}

impl From<Lease> for v1::Lease {
    fn from(lease: Lease) -> Self {
        let Lease { run, item, unit, attempt } = lease;
        Self { run, item, unit, attempt }
    }
}

/// As in names of files: no sign that means something to a shell.
impl fmt::Display for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}-{}", self.run, self.item, self.unit, self.attempt)
    }
}
