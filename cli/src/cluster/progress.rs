//! The progress of a run for a waiting user: a bar on a terminal, regular log lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use hasami_proto::v1::{ItemInfo, ItemState, RunInfo};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{item_view, run_view};
use crate::output::{Output, grouped};
use crate::screen;

const LOG_EVERY: Duration = Duration::from_secs(5);

/// Shows the progress of a run until it is dropped.
pub struct Progress {
    bar: Option<ProgressBar>,
    logged: Option<Instant>,
}

impl Progress {
    /// Shows nothing yet. Quiet commands never show anything.
    pub fn new(output: Output) -> Self {
        let wanted = output != Output::Quiet && std::io::stderr().is_terminal();
        let bar = wanted.then(|| {
            let template = "{bar:20} {msg}  {elapsed}";
            let style = ProgressStyle::with_template(template).expect("a template that parses");
            let bar =
                ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
            bar.set_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        screen::share_with(bar.as_ref());
        Self { bar, logged: None }
    }

    /// Updates the state of the run.
    pub fn run(&mut self, run: &RunInfo) {
        if let Some(bar) = &self.bar {
            bar.set_length(run.items);
            bar.set_position(run_view::done(run));
            let outcome = run_view::outcome(run);
            let items = grouped(run.items);
            bar.set_message(format!("{outcome} of {items}; {}", run_view::speed(run)));
            return;
        }
        if self.logged.is_some_and(|logged| logged.elapsed() < LOG_EVERY) {
            return;
        }
        self.logged = Some(Instant::now());
        let counts = run_view::counts(run);
        tracing::info!(
            run = run.run,
            name = run.name,
            settled = counts.settled,
            open = counts.open,
            failed = counts.failed,
            items = run.items,
            nodes = run.nodes,
            nodes_per_second = run.nodes_per_second as u64,
            // Missing values are left out.
            proof = (run.proof > 0).then_some(run.proof),
            disproof = (run.disproof > 0).then_some(run.disproof),
            workers = run.workers,
            stage = run.stage.as_ref().map(|stage| stage.number),
            eta_seconds = (run.eta >= 0.0).then_some(run.eta as u64),
            "{}",
            run.state().word()
        );
    }

    /// Handles a changed item: failures are reported at once.
    pub fn item(&self, item: &ItemInfo) {
        if item.state() == ItemState::Failed {
            tracing::warn!(
                run = item.run,
                item = item.item,
                question = item_view::asked(item),
                "failed: {}",
                item_view::result(item)
            );
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            screen::share_with(None);
            bar.finish_and_clear();
        }
    }
}
