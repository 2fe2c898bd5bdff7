//! A run as text and JSON.

use hasami_proto::v1::{Counts, RunInfo, RunState};
use serde_json::{Value, json};

use super::grid::{Grid, facts};
use crate::failure::Failure;
use crate::output::grouped;
use crate::words::{counted, duration, now_ms, percent, short, utc};

/// Whether its state is final.
pub fn over(run: &RunInfo) -> bool {
    matches!(run.state(), RunState::Finished | RunState::Cancelled | RunState::Unreadable)
}

/// The counts of its items.
pub fn counts(run: &RunInfo) -> Counts {
    run.counts.unwrap_or_default()
}

/// Items that have an answer or have failed. Cancelled items do not count.
pub fn done(run: &RunInfo) -> u64 {
    let counts = counts(run);
    counts.settled + counts.open + counts.failed
}

/// The note beside incomplete results.
pub fn unfinished(run: &RunInfo) -> Option<String> {
    let (left, state) = (run.items.saturating_sub(done(run)), run.state().word());
    (left > 0).then(|| {
        let (left, items) = (grouped(left), counted(run.items, "item"));
        format!("unfinished: run {} is {state}; {left} of {items} have no result", run.run)
    })
}

/// Its duration, or its running time so far.
pub fn seconds(run: &RunInfo) -> f64 {
    let end = if run.finished_ms > 0 { run.finished_ms } else { now_ms() };
    end.saturating_sub(run.submitted_ms) as f64 / 1000.0
}

/// The estimated remaining time, if known.
fn eta(run: &RunInfo) -> Option<f64> {
    (!over(run) && run.eta >= 0.0 && run.eta.is_finite()).then_some(run.eta)
}

/// `38 settled, 6 open, 1 failed, 12 known before`: counts of 0 are left out.
pub fn outcome(run: &RunInfo) -> String {
    let counts = counts(run);
    let mut words = vec![format!("{} settled", grouped(counts.settled))];
    for (number, word) in [
        (counts.open, "open"),
        (counts.failed, "failed"),
        (counts.cancelled, "cancelled"),
        // Nothing runs without a worker: these items have started and wait.
        (counts.running, if run.workers == 0 { "begun" } else { "running" }),
        (counts.waiting, "waiting"),
        (counts.reused, "known before"),
    ] {
        if number > 0 {
            words.push(format!("{} {word}", grouped(number)));
        }
    }
    words.join(", ")
}

/// `stage 12 (13 of 110, 3 of 8 items)`: if the sweep has stages and the run is not over.
fn stage(run: &RunInfo) -> Option<String> {
    let stage = run.stage.as_ref().filter(|_| !over(run))?;
    Some(format!(
        "stage {} ({} of {}, {} of {} items)",
        stage.number, stage.place, stage.of, stage.ended, stage.items
    ))
}

/// `1.23G nodes, 4.5M/s, numbers 12/7, 3 workers, 2 min 04 s left`: the progress in one line.
pub fn speed(run: &RunInfo) -> String {
    let mut words: Vec<String> = stage(run).into_iter().collect();
    words.push(format!("{} nodes", short(run.nodes as f64)));
    if !over(run) {
        words.push(format!("{}/s", short(run.nodes_per_second)));
        if run.proof > 0 || run.disproof > 0 {
            words.push(format!("numbers {}/{}", run.proof, run.disproof));
        }
        words.push(counted(run.workers.into(), "worker"));
        if let Some(eta) = eta(run) {
            words.push(format!("{} left", duration(eta)));
        }
    }
    words.join(", ")
}

/// Everything, over several lines.
pub fn details(run: &RunInfo) -> String {
    let mut lines = vec![
        (
            "items",
            format!(
                "{} of {} settled ({}), {} have ended",
                grouped(counts(run).settled),
                grouped(run.items),
                percent(counts(run).settled, run.items),
                grouped(done(run))
            ),
        ),
        ("", outcome(run)),
        ("submitted", utc(run.submitted_ms)),
    ];
    if run.finished_ms > 0 {
        lines.push(("finished", utc(run.finished_ms)));
    }
    lines.push(("time", duration(seconds(run))));
    lines.push(("search", speed(run)));
    if run.store_hits > 0 {
        lines.push(("store", format!("{} records of others used", grouped(run.store_hits))));
    }
    if run.priority != 0 {
        lines.push(("priority", run.priority.to_string()));
    }
    if !run.note.is_empty() {
        lines.push(("note", run.note.clone()));
    }
    format!("run {}: {}, {}\n{}", run.run, run.name, run.state().word(), facts(&lines))
}

/// A line for each run.
pub fn table(runs: &[RunInfo]) -> String {
    let mut grid = Grid::new(&[
        ">RUN",
        "NAME",
        "STATE",
        ">SETTLED",
        ">OPEN",
        ">FAILED",
        ">LEFT",
        ">ITEMS",
        ">NODES",
        ">TIME",
        "TIME LEFT",
        "SUBMITTED",
    ]);
    for run in runs {
        let counts = counts(run);
        grid.row([
            run.run.to_string(),
            run.name.clone(),
            run.state().word().to_string(),
            grouped(counts.settled),
            grouped(counts.open),
            grouped(counts.failed),
            // What will still be computed: nothing of a run that is over.
            grouped(counts.waiting + counts.running),
            grouped(run.items),
            short(run.nodes as f64),
            duration(seconds(run)),
            eta(run).map_or_else(String::new, duration),
            utc(run.submitted_ms),
        ]);
    }
    grid.text()
}

/// The run as JSON.
pub fn json(run: &RunInfo) -> Value {
    let counts = counts(run);
    json!({
        "run": run.run, "name": run.name, "state": run.state().word(), "items": run.items,
        "done": done(run),
        "counts": {
            "waiting": counts.waiting, "running": counts.running, "settled": counts.settled,
            "open": counts.open, "failed": counts.failed, "cancelled": counts.cancelled,
            "reused": counts.reused,
        },
        "submitted": utc(run.submitted_ms),
        "finished": (run.finished_ms > 0).then(|| utc(run.finished_ms)),
        "seconds": seconds(run), "nodes": run.nodes, "nodes_per_second": run.nodes_per_second,
        "workers": run.workers, "eta_seconds": eta(run), "priority": run.priority,
        "proof": run.proof, "disproof": run.disproof, "store_hits": run.store_hits,
        "note": run.note,
        "stage": run.stage.as_ref().map(|stage| json!({
            "number": stage.number, "place": stage.place, "of": stage.of,
            "items": stage.items, "done": stage.ended,
        })),
    })
}

/// The result of a command that has waited for a run.
pub fn verdict(run: &RunInfo) -> Result<(), Failure> {
    let counts = counts(run);
    if counts.failed > 0 {
        return Err(Failure::Failed(format!(
            "{} of run {} failed; `hasami runs show {} --items` lists them, `hasami runs explain {} ITEM` says why",
            counted(counts.failed, "item"),
            run.run,
            run.run,
            run.run
        )));
    }
    if counts.settled == run.items { Ok(()) } else { Err(Failure::Unsettled) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_proto::v1::StageInfo;

    fn run(settled: u64, open: u64, failed: u64) -> RunInfo {
        let counts = Counts { settled, open, failed, ..Counts::default() };
        let mut run = RunInfo { run: 3, items: 10, eta: -1.0, ..RunInfo::default() };
        (run.counts, run.state) = (Some(counts), RunState::Finished.into());
        run
    }

    #[test]
    fn the_exit_code_tells_the_result() {
        assert!(verdict(&run(10, 0, 0)).is_ok());
        assert!(matches!(verdict(&run(9, 1, 0)), Err(Failure::Unsettled)));
        assert!(matches!(verdict(&run(8, 1, 1)), Err(Failure::Failed(_))));
        assert!(matches!(verdict(&run(3, 0, 0)), Err(Failure::Unsettled)), "a run cut short");
    }

    #[test]
    fn what_was_cancelled_is_not_done_and_nothing_runs_without_workers() {
        let mut stopped = run(6, 1, 0);
        let counts = Counts { settled: 6, open: 1, cancelled: 3, ..Counts::default() };
        (stopped.counts, stopped.state) = (Some(counts), RunState::Cancelled.into());
        assert_eq!(done(&stopped), 7);
        assert!(
            details(&stopped).contains("6 of 10 settled (60 %), 7 have ended"),
            "{}",
            details(&stopped)
        );
        let left = "unfinished: run 3 is cancelled; 3 of 10 items have no result";
        assert_eq!(unfinished(&stopped).as_deref(), Some(left));
        assert_eq!(unfinished(&run(9, 1, 0)), None);
        let counts = Counts { settled: 6, running: 4, ..Counts::default() };
        (stopped.counts, stopped.state) = (Some(counts), RunState::Paused.into());
        assert_eq!(outcome(&stopped), "6 settled, 4 begun");
        stopped.workers = 1;
        assert_eq!(outcome(&stopped), "6 settled, 4 running");
    }

    #[test]
    fn the_stage_is_told_while_it_matters() {
        let mut staged = run(4, 0, 0);
        let stage = StageInfo { number: 12, place: 3, of: 110, items: 8, ended: 2 };
        staged.stage = Some(stage);
        assert_eq!(speed(&staged), "0 nodes", "a run that is over has no stage");
        staged.state = RunState::Running.into();
        assert!(speed(&staged).starts_with("stage 12 (3 of 110, 2 of 8 items), 0 nodes"));
        assert_eq!(json(&staged)["stage"]["number"], 12);
    }

    #[test]
    fn only_what_there_is_is_told() {
        assert_eq!(outcome(&run(9, 0, 1)), "9 settled, 1 failed");
        assert_eq!(speed(&run(10, 0, 0)), "0 nodes");
        let mut running = run(4, 0, 0);
        running.state = RunState::Running.into();
        (running.eta, running.workers, running.nodes_per_second) = (90.0, 1, 1500.0);
        assert_eq!(speed(&running), "0 nodes, 1.5k/s, 1 worker, 1 min 30 s left");
        assert_eq!(json(&running)["eta_seconds"], 90.0);
        assert_eq!(json(&run(10, 0, 0))["eta_seconds"], Value::Null);
    }
}
