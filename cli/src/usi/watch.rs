//! Watches a search: reports on it, ends it in time, and sends its answer.

use std::time::{Duration, Instant};

use hasami_answer::caught;

use super::out::Out;
use super::report;
use super::run::{Run, State};

/// How long the searching thread may take to notice that it was stopped. What it finds meanwhile
/// counts; but some of its work, like writing a large certificate, cannot be interrupted.
const GRACE: Duration = Duration::from_millis(30);

/// Between two looks at the clock if nothing is due.
const LONG: Duration = Duration::from_secs(3600);

/// Watches until the answer has been sent. `pause` is the time between reports.
pub fn watch(run: &Run, pause: Option<Duration>) {
    // Whatever happens to the reports, a GUI waits for the answer.
    let observed = caught(|| {
        observe(run, pause);
        Ok(())
    });
    if let Err(error) = observed {
        tracing::error!("{error}");
    }
    run.control.cancel();
    let mut state = run.state();
    let end = Instant::now() + GRACE;
    while !state.ended {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        state = run.wait(state, left);
    }
    Out.line(&report::answer(run.purpose, &state.found));
    state.answered = true;
    drop(state);
    run.change(|_| {});
}

/// Reports until it is time to answer.
fn observe(run: &Run, pause: Option<Duration>) {
    let mut report_at = pause.and_then(|pause| run.started.checked_add(pause));
    let mut state = run.state();
    while !is_due(&state) {
        let now = Instant::now();
        if let (Some(at), Some(pause)) = (report_at, pause)
            && at <= now
        {
            if !state.ended {
                Out.line(&report::progress(run, &mut state));
                if let Some(numbers) = report::numbers(run, &state) {
                    Out.tell(&numbers);
                }
            }
            report_at = now.checked_add(pause);
        }
        let next = [report_at, state.deadline].into_iter().flatten().min();
        let time = next.map_or(LONG, |at| at.saturating_duration_since(Instant::now()));
        state = run.wait(state, time.min(LONG));
    }
}

/// Whether it is time to answer.
fn is_due(state: &State) -> bool {
    let late = state.deadline.is_some_and(|deadline| deadline <= Instant::now());
    state.stop || late || (state.ended && !state.hold)
}
