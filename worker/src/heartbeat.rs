//! Reports the progress of all units and obeys the commands that come back. Leases live on this: every
//! unit held is named, whatever its stage, and nothing but the coordinator is waited for.

use std::time::{Duration, Instant};

use hasami_proto::v1::{HeartbeatRequest, HeartbeatResponse};
use hasami_unit::{Lease, OtherWorkers};

use crate::call::{timed, within};
use crate::compute::Compute;
use crate::error::WorkerError;
use crate::lease_queue::LeaseQueue;
use crate::retry::Retry;
use crate::session::{Registration, Session};

/// Not more often than this, however many commands there are: a unit that was granted a moment ago
/// must not be missing from several heartbeats in a row because its grant is still on the way.
const SPACING: Duration = Duration::from_millis(25);

/// Tells of progress for as long as it is polled.
///
/// # Errors
/// When trying again cannot help.
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
            // One may get lost; only the second one in a row is worth a thought.
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
        && reply.look.is_empty()
        && reply.others.is_empty()
}

fn obey(queue: &LeaseQueue, compute: &dyn Compute, reply: HeartbeatResponse) {
    queue.cancel(reply.cancelled.into_iter().map(Lease::from));
    queue.recall(reply.recalled.into_iter().map(Lease::from));
    for lease in reply.look.into_iter().map(Lease::from) {
        compute.look(lease);
        queue.tell_news(lease);
    }
    for others in reply.others {
        // Advice: what cannot be read is ignored.
        if let Ok((lease, others)) = <(Lease, OtherWorkers)>::try_from(others) {
            queue.tell_others(lease, others);
        }
    }
}
