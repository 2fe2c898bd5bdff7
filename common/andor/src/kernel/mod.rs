//! The kernels: five ways to settle a state, over one [`Problem`] and one [`Table`].
//!
//! Each kernel takes a node budget, can be cancelled, reports progress through [`Control`], and
//! continues where it stopped when it runs again.

pub mod multipath;
pub mod pn;
pub mod single;
pub mod slave;
pub mod threads;

use crate::numbers::Numbers;
use crate::problem::Problem;
use crate::search::{Control, Counts, Method, Options};
use crate::table::Table;
use multipath::{Multipath, Schedule};
use pn::BestFirst;
use single::Single;
use slave::Slave;
use threads::Threads;

/// A kernel with its own parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// Best-first search of an explicit tree (Allis 1994).
    Pn,
    /// Depth-first, both thresholds from 1 upward (Nagai 1998).
    Pds,
    /// Depth-first, thresholds from the root (Nagai & Imai 2002).
    Dfpn,
    /// A leader and pseudo-threads on one core (Takano et al.).
    Multipath(Schedule),
    /// Many cores on one table.
    Threads(usize),
}

impl Kernel {
    /// The names of all kernels.
    pub const NAMES: [&str; 5] = ["pn", "pds", "dfpn", "multipath", "threads"];

    /// The name of this kernel.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pn => "pn",
            Self::Pds => "pds",
            Self::Dfpn => "dfpn",
            Self::Multipath(_) => "multipath",
            Self::Threads(_) => "threads",
        }
    }

    /// The depth-first method that this kernel uses.
    #[must_use]
    pub fn method(self) -> Method {
        match self {
            Self::Pds | Self::Multipath(_) => Method::Pds,
            Self::Pn | Self::Dfpn | Self::Threads(_) => Method::Dfpn,
        }
    }
}

/// The question: settle `state`, or stop when a number reaches `target`.
#[derive(Clone, Debug)]
pub struct Job<S> {
    /// The state to search.
    pub state: S,
    /// Thresholds for the numbers of that state.
    pub target: Numbers,
}

impl<S> Job<S> {
    /// Thresholds that only a verdict reaches.
    pub const UNBOUNDED: Numbers = Numbers::UNBOUNDED;

    /// A job that ends only with a verdict.
    pub fn settle(state: S) -> Self {
        Self { state, target: Self::UNBOUNDED }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// There is a verdict.
    Settled,
    /// A number has reached its target.
    Target,
    /// The budget is used up; extend it and run again.
    Budget,
    /// Cancelled; resume and run again.
    Cancelled,
}

/// State of a search that has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why it stopped.
    pub stopped: Stopped,
    /// Numbers of the state asked about.
    pub numbers: Numbers,
    /// Index of the best move, if known.
    pub best: Option<u16>,
    /// Work of all runs so far.
    pub counts: Counts,
}

/// One kernel running one job.
pub enum Search<'a, P: Problem> {
    /// `pn`.
    BestFirst(BestFirst<'a, P>),
    /// `pds` and `dfpn`.
    Single(Single<'a, P>),
    /// `multipath`.
    Multipath(Multipath<'a, P>),
    /// `threads`.
    Threads(Threads<'a, P>),
    /// Slave of a search that another worker leads.
    Slave(Box<Slave<'a, P>>),
}

impl<'a, P: Problem> Search<'a, P> {
    /// Prepares a search; [`Search::run`] starts it. `options.method` applies only to `multipath`,
    /// which works with either method; the other kernels fix their own.
    #[must_use]
    pub fn new(
        kernel: Kernel,
        problem: &'a P,
        table: &'a Table<P::Reason>,
        mut options: Options,
        job: Job<P::State>,
    ) -> Self {
        if !matches!(kernel, Kernel::Multipath(_)) {
            options.method = kernel.method();
        }
        match kernel {
            Kernel::Pn => Self::BestFirst(BestFirst::new(problem, table, options, job)),
            Kernel::Pds | Kernel::Dfpn => Self::Single(Single::new(problem, table, options, job)),
            Kernel::Multipath(schedule) => {
                Self::Multipath(Multipath::new(problem, table, options, schedule, job))
            }
            Kernel::Threads(count) => {
                Self::Threads(Threads::new(problem, table, options, count, job))
            }
        }
    }

    /// Prepares a slave, which settles `state` starting from its least promising child.
    #[must_use]
    pub fn slave(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        options: Options,
        state: P::State,
    ) -> Self {
        Self::Slave(Box::new(Slave::new(problem, table, options, state)))
    }

    /// Writes what the search holds outside the table into the table, so that another search can
    /// continue from there. This search can continue too.
    pub fn park(&mut self) {
        match self {
            Self::BestFirst(search) => search.park(),
            Self::Single(search) => search.park(),
            Self::Multipath(search) => search.park(),
            Self::Threads(search) => search.park(),
            Self::Slave(search) => search.park(),
        }
    }

    /// Searches until there is a reason to stop.
    pub fn run(&mut self, control: &Control) -> Outcome {
        match self {
            Self::BestFirst(search) => search.run(control),
            Self::Single(search) => search.run(control),
            Self::Multipath(search) => search.run(control),
            Self::Threads(search) => search.run(control),
            Self::Slave(search) => search.run(control),
        }
    }
}

/// Why a search without a verdict stops now.
fn out_of_budget(control: &Control) -> Stopped {
    if control.is_cancelled() { Stopped::Cancelled } else { Stopped::Budget }
}

/// Why a search with these final numbers stopped.
fn finished(numbers: Numbers) -> Stopped {
    if numbers.settled() { Stopped::Settled } else { Stopped::Target }
}
