//! Wall-clock limits that a sweep sets: for the search of an item, and for the run.

use hasami_spec::Kind;
use hasami_sweep::{Answer, Measures, Verdict};
use hasami_unit::RunState;

use super::ids::{ItemNo, Millis, RunId};
use super::run::Plan;
use super::{Core, Run};

impl Core {
    /// Ends what has taken too long. A whole question ends by itself, at its worker; a search over
    /// many workers has only the coordinator to watch the clock.
    pub(super) fn enforce_limits(&mut self, now: Millis, wall_ms: u64) {
        let late = |run: &&Run| {
            let limit = run.sweep.time_limit().filter(|_| !run.is_over());
            limit.is_some_and(|limit| run.submitted_ms + limit.as_millis() as u64 <= wall_ms)
        };
        for id in self.runs.values().filter(late).map(|run| run.id).collect::<Vec<_>>() {
            let limit = self.runs[&id].sweep.time_limit().unwrap_or_default();
            let note = format!("its time limit of {limit:?} is over");
            // It is not over, so it can be cancelled.
            let _ = self.cancel(id, &note, wall_ms);
        }
        let limited = |run: &&Run| {
            run.state == RunState::Running
                && run.sweep.kind() == Kind::Search
                && run.sweep.search().time_limit_ms.is_some()
        };
        for id in self.runs.values().filter(limited).map(|run| run.id).collect::<Vec<_>>() {
            self.end_late_searches(id, now, wall_ms);
        }
    }

    fn end_late_searches(&mut self, id: RunId, now: Millis, wall_ms: u64) {
        let run = &self.runs[&id];
        let Some(limit) = run.sweep.search().time_limit() else { return };
        let late = run.active.iter().filter_map(|(&item, active)| match &active.plan {
            Plan::Search { asked, settled: None, .. }
                if active.begun.plus(limit.as_millis() as u64) <= now =>
            {
                let progress = active.units.values().map(|unit| unit.progress);
                let nodes = progress.fold(active.cost.nodes, u64::saturating_add);
                let claim = format!("open: {} is not settled within {limit:?}", asked.spelled());
                Some((item, claim, Measures { nodes, ..active.cost }))
            }
            _ => None,
        });
        let late: Vec<(ItemNo, String, Measures)> = late.collect();
        for (item, claim, measures) in late {
            let (fields, certificates) = (Vec::new(), Vec::new());
            let (verdict, check) = (Verdict::Open, None);
            let answer = Answer { verdict, claim, fields, certificates, measures, check };
            self.settle_item(id, item, answer);
            self.finish_run_if_over(id, wall_ms);
        }
    }
}
