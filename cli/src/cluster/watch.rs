//! `hasami watch`: a dashboard of a coordinator on a terminal, over ssh too. Where there is no
//! terminal it prints a line for each run that has changed.

mod keys;
mod plain;
mod screen;
mod view;

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Parser;
use hasami_proto::v1::event::Kind;
use hasami_proto::v1::{RunInfo, WatchRequest, WorkerInfo, WorkersRequest};

use super::client::{AccessArgs, Client, patient};
use super::runs::watch::item_line;
use crate::amounts;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::output::{Output, OutputArgs};
use crate::tree::Verb;
use view::View;

/// Watch everything on a terminal: runs, one run, workers, events
#[derive(Clone, Debug, Parser)]
#[command(
    name = "watch",
    after_help = "\
Example:
  hasami watch
  hasami watch --every 5s | tee progress.txt

Keys: 1 runs, 2 one run, 3 workers, 4 events; up and down choose a run, Enter opens it; q quits.
Where standard output is no terminal, it prints a line for each run that has changed, and ends when
no run is left to wait for."
)]
pub struct Watch {
    /// Between two looks
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = amounts::duration)]
    pub every: Duration,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Watch {
    fn level() -> &'static str {
        "error"
    }

    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

async fn act(options: &Watch) -> Result<(), Failure> {
    let client = options.access.client()?;
    let every = options.every.max(Duration::from_millis(100));
    if options.answer.output == Output::Human && std::io::stdout().is_terminal() {
        dashboard(client, every).await
    } else {
        plain::lines(client, every, options.answer.output).await
    }
}

/// What the coordinator says at one moment.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// All runs, the oldest first.
    pub runs: Vec<RunInfo>,
    /// All workers.
    pub workers: Vec<WorkerInfo>,
    /// Why it says nothing, if it does not.
    pub trouble: Option<String>,
}

async fn look(client: &mut Client) -> Result<Known, Failure> {
    let runs = client.list().await?;
    let workers = match patient(async || client.runs.workers(WorkersRequest {}).await).await {
        Ok(reply) => reply.into_inner().workers,
        Err(status) => return Err(client.failure(&status)),
    };
    Ok(Known { runs, workers, trouble: None })
}

/// Looks again and again beside the screen, so that keys are answered at once.
async fn dashboard(mut client: Client, every: Duration) -> Result<(), Failure> {
    // The first look says early what is wrong.
    let known = look(&mut client).await?;
    let view = Arc::new(Mutex::new(View::new(client.url(), known)));
    let shared = Arc::clone(&view);
    let shown = tokio::task::spawn_blocking(move || screen::show(&shared));
    tokio::select! {
        ended = shown => ended.map_err(|error| Failure::Failed(error.to_string()))?,
        () = look_again(client.clone(), &view, every) => Ok(()),
        () = listen(client, &view) => Ok(()),
    }
}

fn locked(view: &Mutex<View>) -> std::sync::MutexGuard<'_, View> {
    view.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn look_again(mut client: Client, view: &Mutex<View>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        match look(&mut client).await {
            Ok(known) => locked(view).learn(known),
            Err(failure) => {
                let why = failure.message().unwrap_or_default();
                let why = why.lines().next().unwrap_or("no answer").to_string();
                locked(view).lose(why);
            }
        }
    }
}

/// Follows the run that is chosen.
async fn listen(client: Client, view: &Mutex<View>) {
    const PAUSE: Duration = Duration::from_millis(300);
    loop {
        let chosen = locked(view).chosen();
        let Some(run) = chosen else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let changed = async {
            while locked(view).chosen() == Some(run) {
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::select! {
            // It has ended, or the coordinator is gone: the other look says so.
            () = follow(client.clone(), run, view) => tokio::time::sleep(PAUSE).await,
            () = changed => {}
        }
    }
}

/// Adds the events of a run while its connection lasts.
async fn follow(mut client: Client, run: u64, view: &Mutex<View>) {
    let Ok(reply) = client.runs.watch(WatchRequest { run }).await else { return };
    let mut events = reply.into_inner();
    while let Ok(Some(next)) = events.message().await {
        let Some(event) = next.event else { continue };
        let mut view = locked(view);
        if event.missed > 0 {
            view.event(run, format!("{} events were missed", event.missed));
        }
        if let Some(Kind::Item(item)) = &event.kind {
            view.event(run, item_line(item));
        }
    }
}
