//! Limits on the life of a worker that its owner sets.

use std::time::{Duration, Instant};

use crate::lease_queue::LeaseQueue;

/// Handing everything back takes at most this long.
const MOST_RESERVE: Duration = Duration::from_secs(10);
/// How often an idle worker looks how long it has been idle.
const LOOK: Duration = Duration::from_millis(200);

/// Waits until the worker should begin to hand back its units to be gone after `limit`: a tenth of
/// it, at most ten seconds, is kept for that. Forever without a limit.
pub async fn time_is_up(started: Instant, limit: Option<Duration>) {
    match limit {
        Some(limit) => {
            let end = started + limit.saturating_sub((limit / 10).min(MOST_RESERVE));
            tokio::time::sleep_until(end.into()).await;
        }
        None => std::future::pending().await,
    }
}

/// Waits until the worker has held no unit for `limit`. Forever without a limit.
pub async fn idle_for(queue: &LeaseQueue, limit: Option<Duration>) {
    let Some(limit) = limit else { return std::future::pending().await };
    let mut busy = Instant::now();
    while busy.elapsed() < limit {
        tokio::time::sleep(LOOK.min(limit)).await;
        if queue.read(|held| held.len()) > 0 {
            busy = Instant::now();
        }
    }
}
