//! How one search is split over many workers: the [`Partition`] trait and the partitioners.
//!
//! Pure: no clock, no I/O. The coordinator knows no rules, so a verdict always comes from a worker;
//! a partitioner only decides who searches what. Problems whose states repeat must not be split.

mod aohpas;
mod dovetail;
mod frontier;
#[cfg(test)]
mod hostile;
mod ledger;
mod task;
mod view;

use hasami_andor::{Numbers, SearchProgress, SearchReport};
use hasami_spec::Partitioner;

pub use frontier::Virtual;
pub use hasami_unit::{OtherWorkers, UnitNo};
pub use task::{Directive, Settings, Task};
pub use view::{PartView, PathView, View};

/// One search, split.
pub trait Partition: Send {
    /// Work for one more idle worker; `None` if another worker could not help now.
    fn next(&mut self) -> Option<Task>;

    /// A worker's progress report.
    fn progress(&mut self, unit: UnitNo, progress: &SearchProgress) -> Vec<Directive>;

    /// A unit ended with a report. Reports of lost or already reported units are ignored.
    fn finished(&mut self, unit: UnitNo, report: &SearchReport) -> Vec<Directive>;

    /// A unit's lease ended without a report: its work can be leased again.
    fn lost(&mut self, unit: UnitNo);

    /// The unit to notify of the others' positions, if these changed since the last call.
    fn moved(&mut self) -> Option<UnitNo> {
        None
    }

    /// States that other workers are searching.
    fn others(&self) -> OtherWorkers {
        OtherWorkers::default()
    }

    /// The best numbers known for the root.
    fn root(&self) -> Numbers;

    /// Nodes reported so far.
    fn nodes(&self) -> u64;

    /// Who searches what, for people.
    fn view(&self) -> View;
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
