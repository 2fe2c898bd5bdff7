//! Follows a run to its end, across restarts of the coordinator.

use std::time::Duration;

use hasami_proto::v1::event::Kind;
use hasami_proto::v1::{Event, ItemInfo, RunInfo, ShowRequest, WatchRequest, WatchResponse};
use hasami_proto::{Backoff, Trouble};
use tonic::{Status, Streaming};

use super::client::{Client, explain};
use super::run_view::over;
use crate::failure::Failure;
use crate::screen;

/// Counts older than this are requested again.
const STALE: Duration = Duration::from_secs(2);

/// An update.
pub enum News<'a> {
    /// The run, with its counts and speed.
    Run(&'a RunInfo),
    /// An item that has changed.
    Item(&'a ItemInfo),
    /// This many changes were missed.
    Missed(u64),
}

/// Reports the changes of a run until it is over; returns its last state. Waits for a coordinator
/// that goes away.
pub async fn follow(
    client: &mut Client,
    run: u64,
    mut tell: impl FnMut(News<'_>) -> Result<(), Failure>,
) -> Result<RunInfo, Failure> {
    let mut backoff = Backoff::new(u64::from(std::process::id()));
    loop {
        match follow_once(client, run, &mut tell, &mut backoff).await {
            Ok(Ok(last)) => return Ok(last),
            Ok(Err(failure)) => return Err(failure),
            Err(status) => {
                let trouble = Trouble::from(&status);
                if !trouble.passes() {
                    return Err(explain(client.url(), &trouble));
                }
                if backoff.tries() == 0 {
                    screen::say(&format!(
                        "the coordinator is away ({trouble}); waiting for it to come back"
                    ));
                }
                let pause = backoff.next();
                tokio::time::sleep(match trouble {
                    Trouble::Busy { after, .. } => after.max(pause),
                    _ => pause,
                })
                .await;
            }
        }
    }
}

/// Follows while the connection lasts. The outer error is one of the connection.
async fn follow_once(
    client: &mut Client,
    run: u64,
    tell: &mut impl FnMut(News<'_>) -> Result<(), Failure>,
    backoff: &mut Backoff,
) -> Result<Result<RunInfo, Failure>, Status> {
    let mut events = client.runs.watch(WatchRequest { run }).await?.into_inner();
    if backoff.tries() > 0 {
        screen::say("the coordinator is back");
        backoff.reset();
    }
    loop {
        let kind = match next(&mut events).await? {
            Some(event) => {
                if event.missed > 0
                    && let Err(failure) = tell(News::Missed(event.missed))
                {
                    return Ok(Err(failure));
                }
                event.kind
            }
            None => {
                let shown = client.runs.show(ShowRequest { run }).await?.into_inner();
                shown.run.map(Kind::Run)
            }
        };
        let told = match &kind {
            Some(Kind::Run(info)) if info.run == run => tell(News::Run(info)),
            Some(Kind::Item(item)) if item.run == run => tell(News::Item(item)),
            _ => Ok(()),
        };
        if let Err(failure) = told {
            return Ok(Err(failure));
        }
        if let Some(Kind::Run(info)) = kind.filter(|kind| ends(kind, run)) {
            return Ok(Ok(info));
        }
    }
}

fn ends(kind: &Kind, number: u64) -> bool {
    matches!(kind, Kind::Run(info) if info.run == number && over(info))
}

/// The next event; `None` if none arrived for a while.
async fn next(events: &mut Streaming<WatchResponse>) -> Result<Option<Event>, Status> {
    match tokio::time::timeout(STALE, events.message()).await {
        Ok(Ok(Some(response))) => Ok(Some(response.event.unwrap_or_default())),
        // The coordinator has closed the stream: it is stopping.
        Ok(Ok(None)) => Err(Status::unavailable("the stream has ended")),
        Ok(Err(status)) => Err(status),
        Err(_) => Ok(None),
    }
}
