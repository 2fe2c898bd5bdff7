//! Reports the progress of all units and obeys the commands in the reply. Leases depend on this:
//! every unit held is named, whatever its stage, and only the coordinator can delay a heartbeat.

use std::time::{Duration, Instant};

use hasami_proto::v1::{HeartbeatRequest, HeartbeatResponse};
use hasami_unit::{Lease, OtherWorkers};

use crate::call::{timed, within};
use crate::compute::Compute;
use crate::error::WorkerError;
use crate::lease_queue::LeaseQueue;
use crate::retry::Retry;
use crate::session::{Registration, Session};

/// Minimum interval, however many commands there are: a unit that was just granted must not be
/// missing from several heartbeats in a row because its grant is still in transit.
const SPACING: Duration = Duration::from_millis(25);

/// Reports progress for as long as it is polled.
///
/// # Errors
/// If retrying cannot help.
pub async fn run(
    queue: &LeaseQueue,
    session: &Session,
    compute: &dyn Compute,
) -> Result<(), WorkerError> {
    let mut retry = Retry::new("progress cannot be reported");
    let mut missed = false;
    loop {
        let registration = session.current();
        let sent = Instant::now();
        let reply = tokio::select! {
            reply = call(queue, session, &registration) => reply,
            () = session.renewed(&registration) => continue,
        };
        match reply {
            Ok(reply) => {
                missed = false;
                retry.worked();
                let pause = if says_nothing(&reply) { registration.heartbeat } else { SPACING };
                if reply.unknown_worker {
                    session.register(&registration).await?;
                }
                obey(queue, compute, reply);
                tokio::time::sleep(pause.saturating_sub(sent.elapsed())).await;
            }
            // One heartbeat may get lost; only the second failure in a row matters.
            Err(trouble) if trouble.passes() && !missed => missed = true,
            Err(trouble) => retry.after(&trouble, session, &registration).await?,
        }
    }
}

async fn call(
    queue: &LeaseQueue,
    session: &Session,
    registration: &Registration,
) -> Result<HeartbeatResponse, hasami_proto::Trouble> {
    let wait = registration.heartbeat;
    let limit = registration.heartbeat * 2 + wait;
    let progress = queue.read(|held| held.progress());
    let request = HeartbeatRequest {
        worker: registration.worker,
        session: registration.secret,
        progress: progress.into_iter().map(Into::into).collect(),
        wait_ms: wait.as_millis() as u32,
    };
    within(limit, session.work().heartbeat(timed(request, limit))).await
}

fn says_nothing(reply: &HeartbeatResponse) -> bool {
    reply.cancelled.is_empty()
        && reply.recalled.is_empty()
        && reply.unbegun.is_empty()
        && reply.look.is_empty()
        && reply.others.is_empty()
}

fn obey(queue: &LeaseQueue, compute: &dyn Compute, reply: HeartbeatResponse) {
    queue.cancel(reply.cancelled.into_iter().map(Lease::from));
    queue.recall(reply.recalled.into_iter().map(Lease::from));
    queue.give_up(reply.unbegun.into_iter().map(Lease::from));
    for lease in reply.look.into_iter().map(Lease::from) {
        compute.look(lease);
        queue.tell_news(lease);
    }
    for others in reply.others {
        // Advice only: ignore what cannot be read.
        if let Ok((lease, others)) = <(Lease, OtherWorkers)>::try_from(others) {
            queue.tell_others(lease, others);
        }
    }
}
