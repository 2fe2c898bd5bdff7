//! Tells how all units are doing, and obeys what comes back. A lease lives on this: it names every
//! unit held, whatever its stage, and never waits for anything but the coordinator.

use std::time::{Duration, Instant};

use hasami_proto::pack::unpack_keys;
use hasami_proto::v1::{HeartbeatReply, HeartbeatRequest, Others};

use crate::call::{timed, within};
use crate::compute::Compute;
use crate::desk::Desk;
use crate::error::WorkerError;
use crate::hand_in::Rescue;
use crate::lease::Lease;
use crate::session::{Registration, Session};

/// Not more often than this, however many commands there are: a unit that was granted a moment ago
/// must not be missing from several heartbeats in a row because its grant is still on the way.
const SPACING: Duration = Duration::from_millis(25);

/// Tells of progress for as long as it is polled.
///
/// # Errors
/// When trying again cannot help.
pub async fn run(desk: &Desk, session: &Session, compute: &dyn Compute) -> Result<(), WorkerError> {
    let mut rescue = Rescue::new("progress cannot be told");
    let mut missed = false;
    loop {
        let registration = session.current();
        let sent = Instant::now();
        let reply = tokio::select! {
            reply = call(desk, session, &registration) => reply,
            () = session.renewed(&registration) => continue,
        };
        match reply {
            Ok(reply) => {
                missed = false;
                rescue.worked();
                let pause = if says_nothing(&reply) { registration.heartbeat } else { SPACING };
                if reply.unknown {
                    session.register(&registration).await?;
                }
                obey(desk, compute, reply);
                tokio::time::sleep(pause.saturating_sub(sent.elapsed())).await;
            }
            // One may get lost; only the second one in a row is worth a thought.
            Err(trouble) if trouble.passes() && !missed => missed = true,
            Err(trouble) => rescue.from(&trouble, session, &registration).await?,
        }
    }
}

async fn call(
    desk: &Desk,
    session: &Session,
    registration: &Registration,
) -> Result<HeartbeatReply, hasami_proto::Trouble> {
    let wait = registration.heartbeat;
    let limit = registration.heartbeat * 2 + wait;
    let request = HeartbeatRequest {
        worker: registration.worker,
        session: registration.secret,
        progress: desk.read(|held| held.progress()),
        wait_ms: wait.as_millis() as u32,
    };
    within(limit, session.work().heartbeat(timed(request, limit))).await
}

fn says_nothing(reply: &HeartbeatReply) -> bool {
    reply.cancelled.is_empty()
        && reply.recalled.is_empty()
        && reply.look.is_empty()
        && reply.others.is_empty()
}

fn obey(desk: &Desk, compute: &dyn Compute, reply: HeartbeatReply) {
    desk.cancel(reply.cancelled.into_iter().map(Lease::from));
    desk.recall(reply.recalled.into_iter().map(Lease::from));
    for lease in reply.look.into_iter().map(Lease::from) {
        compute.look(lease);
        desk.tell_news(lease);
    }
    for Others { lease, keys, depth } in reply.others {
        // Advice: what cannot be read is left.
        if let (Some(lease), Ok(keys)) = (lease, unpack_keys(&keys)) {
            desk.tell_others(lease.into(), keys, depth as usize);
        }
    }
}
