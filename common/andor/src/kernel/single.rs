//! `pds` and `dfpn`: one depth-first search on one core.

use super::{Job, Outcome, finished, out_of_budget};
use crate::problem::Problem;
use crate::search::{Control, Options, Step, Walker};
use crate::table::Table;

/// Nodes between two checks of the control.
pub(super) const QUANTUM: u64 = 4096;

/// One depth-first search.
pub struct Single<'a, P: Problem> {
    walker: Walker<'a, P>,
    /// Nodes already reported to the control.
    reported: u64,
}

impl<'a, P: Problem> Single<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        table: &'a Table<P::Reason>,
        options: Options,
        job: Job<P::State>,
    ) -> Self {
        let mut walker = Walker::new(problem, table, options);
        walker.begin(job.state, job.target);
        Self { walker, reported: 0 }
    }

    pub(super) fn park(&mut self) {
        self.walker.park();
    }

    pub(super) fn run(&mut self, control: &Control) -> Outcome {
        let stopped = loop {
            let until = self.reported + control.left().min(QUANTUM);
            let step = self.walker.run(|counts| counts.nodes >= until);
            let nodes = self.walker.counts().nodes;
            let more = control.spend(nodes - self.reported);
            self.reported = nodes;
            if control.take_news() {
                self.walker.catch_up();
            }
            if let Some((keys, depth)) = control.take_others() {
                self.walker.avoid(&keys, depth);
            }
            if control.is_path_wanted() {
                control.report_path(self.walker.path_nodes());
            }
            control.report_root(self.walker.root_now());
            if step == Step::Done || self.walker.answer().is_some() {
                break finished(self.walker.root_numbers());
            }
            if !more {
                break out_of_budget(control);
            }
        };
        Outcome {
            stopped,
            numbers: self.walker.root_numbers(),
            best: self.walker.answer().and_then(|answer| answer.best),
            counts: self.walker.counts(),
        }
    }
}
