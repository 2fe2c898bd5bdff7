//! `hasami deploy slurm scale`: as many tasks as there is work for, within limits. What is too much
//! and still waits is cancelled; workers that run end by themselves when they find nothing to do.

use std::time::Duration;

use clap::Parser;
use hasami_proto::v1::{RunInfo, RunState};
use serde_json::json;

use super::BatchArgs;
use super::place::Place;
use super::queue::{self, Queued};
use crate::amounts::duration;
use crate::cluster::block_on;
use crate::cluster::client::Client;
use crate::failure::Failure;
use crate::output;
use crate::stop;
use crate::tree::Verb;

/// Add workers while work waits, and let them go when there is none
#[derive(Clone, Debug, Parser)]
#[command(
    name = "scale",
    after_help = "\
A search that is split over workers counts as one item: give it workers with --least.

Examples:
  hasami deploy slurm scale --most 50 --every 1min
  hasami deploy slurm scale --least 8 --most 8"
)]
pub struct Scale {
    #[command(flatten)]
    batch: BatchArgs,
    /// Tasks even if nothing waits
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u32).range(0..=4000))]
    least: u32,
    /// Tasks at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4000))]
    most: u32,
    /// Items that are worth one more worker
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..))]
    per_worker: u32,
    /// Look again every so often, until stopped [default: once]
    #[arg(long, visible_alias = "scale-every", value_name = "TIME", value_parser = duration)]
    every: Option<Duration>,
}

/// What to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Step {
    wanted: u32,
    submit: u32,
    cancel: Vec<String>,
}

/// Items that wait or are computed.
fn work(runs: &[RunInfo]) -> u64 {
    let running = runs.iter().filter(|run| run.state() == RunState::Running);
    let counts = running.filter_map(|run| run.counts);
    counts.map(|counts| counts.waiting.saturating_add(counts.running)).sum()
}

/// Compares what is queued with what is worth it.
fn decide(work: u64, tasks: &[Queued], least: u32, most: u32, per_worker: u32) -> Step {
    let worth = work.div_ceil(u64::from(per_worker));
    let wanted = u32::try_from(worth).unwrap_or(u32::MAX).clamp(least.min(most), most);
    let there = u32::try_from(tasks.len()).unwrap_or(u32::MAX);
    let surplus = there.saturating_sub(wanted) as usize;
    // The last ones in the queue go first.
    let waiting = tasks.iter().rev().filter(|task| task.waits());
    let cancel = waiting.take(surplus).map(|task| task.id.clone()).collect();
    Step { wanted, submit: wanted.saturating_sub(there), cancel }
}

impl Verb for Scale {
    fn run(self) -> Result<(), Failure> {
        if self.least > self.most {
            return Err(Failure::Usage(format!(
                "--least {}: expected at most --most {}",
                self.least, self.most
            )));
        }
        block_on(act(&self))
    }
}

async fn act(options: &Scale) -> Result<(), Failure> {
    let place = Place::find(&options.batch.directory)?;
    if !place.script().exists() {
        return Err(Failure::Usage(format!(
            "{} is missing: `hasami deploy slurm start` writes it",
            place.script().display()
        )));
    }
    let mut client = options.batch.access.client()?;
    let mut asked = stop::channel("tasks in the queue stay there")?;
    loop {
        let looked = step(options, &place, &mut client).await;
        let Some(every) = options.every else { return looked };
        // For hours on end: the coordinator or Slurm may be away for a while.
        if let Err(failure) = looked {
            tracing::warn!("{}", failure.message().unwrap_or("no answer"));
        }
        tokio::select! {
            () = stop::asked(&mut asked) => return Ok(()),
            () = tokio::time::sleep(every) => {}
        }
    }
}

async fn step(options: &Scale, place: &Place, client: &mut Client) -> Result<(), Failure> {
    let work = work(&client.list().await?);
    let tasks = queue::list(&options.batch.job())?;
    let step = decide(work, &tasks, options.least, options.most, options.per_worker);
    queue::cancel(&step.cancel)?;
    if step.submit > 0 {
        queue::submit(&place.script(), step.submit)?;
    }
    let cancelled = step.cancel.len();
    let human = format!(
        "{work} items, {} tasks, {} wanted: {} submitted, {cancelled} cancelled",
        tasks.len(),
        step.wanted,
        step.submit
    );
    let json = json!({
        "items": work, "tasks": tasks.len(), "wanted": step.wanted, "submitted": step.submit,
        "cancelled": step.cancel,
    });
    output::print(options.batch.answer.output, &human, &json, &step.wanted.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(states: &[&str]) -> Vec<Queued> {
        let task = |(at, state): (usize, &&str)| Queued {
            id: format!("1_{at}"),
            state: state.to_string(),
        };
        states.iter().enumerate().map(task).collect()
    }

    #[test]
    fn tasks_follow_the_work_within_limits() {
        let step = decide(100, &[], 0, 10, 4);
        assert_eq!((step.wanted, step.submit), (10, 10));
        let step = decide(9, &tasks(&["RUNNING"]), 0, 10, 4);
        assert_eq!((step.wanted, step.submit, step.cancel.len()), (3, 2, 0));
        // Nothing is submitted for work that has its workers already.
        assert_eq!(decide(9, &tasks(&["RUNNING", "PENDING", "PENDING"]), 0, 10, 4).submit, 0);
        let step = decide(0, &tasks(&["PENDING", "RUNNING", "PENDING"]), 1, 10, 4);
        assert_eq!((step.wanted, step.cancel), (1, vec!["1_2".to_string(), "1_0".to_string()]));
        // Running workers end by themselves.
        assert!(decide(0, &tasks(&["RUNNING", "RUNNING"]), 0, 10, 4).cancel.is_empty());
        assert_eq!(decide(u64::MAX, &[], 0, 7, 1).submit, 7);
    }

    #[test]
    fn only_what_can_be_computed_now_counts() {
        let run = |state: RunState, waiting| RunInfo {
            state: state.into(),
            counts: Some(hasami_proto::v1::Counts { waiting, running: 1, ..Default::default() }),
            ..RunInfo::default()
        };
        let runs =
            [run(RunState::Running, 5), run(RunState::Paused, 50), run(RunState::Finished, 7)];
        assert_eq!(work(&runs), 6);
    }
}
