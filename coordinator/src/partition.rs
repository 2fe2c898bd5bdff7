//! How one search is split over many workers: the [`Partition`] trait and the partitioners.
//!
//! Pure: no clock, no I/O. The coordinator knows no rules, so a verdict always comes from a worker;
//! a partitioner only decides who searches what. Problems whose states repeat must not be split.

mod aohpas;
mod dovetail;
mod frontier;
mod ledger;
mod task;

use hasami_andor::{Numbers, SearchProgress, SearchReport};
use hasami_spec::Partitioner;

pub use frontier::Virtual;
pub use hasami_unit::{OtherWorkers, UnitNo};
pub use task::{Directive, Settings, Task};

/// One search, split.
pub trait Partition: Send {
    /// Work for one more idle worker; `None` if another worker could not help now.
    fn next(&mut self) -> Option<Task>;

    /// What a worker says while it works.
    fn progress(&mut self, unit: UnitNo, progress: &SearchProgress) -> Vec<Directive>;

    /// A unit ended with a report. Units that were lost or have reported already are ignored.
    fn finished(&mut self, unit: UnitNo, report: &SearchReport) -> Vec<Directive>;

    /// A unit's lease is gone without a report: its work can be given again.
    fn lost(&mut self, unit: UnitNo);

    /// The unit that should hear where the others are, if they have moved since this was last asked.
    fn moved(&mut self) -> Option<UnitNo> {
        None
    }

    /// Where the others are.
    fn others(&self) -> OtherWorkers {
        OtherWorkers::default()
    }

    /// The best numbers known for the root.
    fn root(&self) -> Numbers;

    /// Nodes reported so far.
    fn nodes(&self) -> u64;
}

/// The partitioner of this kind, for one search that has not begun.
#[must_use]
pub fn partition(kind: Partitioner, settings: Settings) -> Box<dyn Partition> {
    match kind {
        Partitioner::Aohpas { and_helpers } => {
            Box::new(aohpas::Aohpas::new(&settings, and_helpers))
        }
        Partitioner::Frontier => Box::new(frontier::Frontier::new(settings)),
        Partitioner::Dovetail => Box::new(dovetail::Dovetail::new(&settings)),
    }
}
