//! Takes units: one call at a time, which waits at the coordinator while there is no work.

use std::time::Duration;

use hasami_proto::v1::{self, TakeRequest};
use hasami_unit::{Assignment, Failure, FailureKind, Lease};
use tracing::warn;

use crate::call::{timed, within};
use crate::error::WorkerError;
use crate::lease_queue::LeaseQueue;
use crate::retry::Retry;
use crate::session::Session;

/// How long a call may wait for work at the coordinator.
const WAIT: Duration = Duration::from_secs(8);
/// How much longer the reply may take.
const GRACE: Duration = Duration::from_secs(10);

/// Takes work for as long as it is polled.
///
/// # Errors
/// If retrying cannot help.
pub async fn run(queue: &LeaseQueue, session: &Session) -> Result<(), WorkerError> {
    let mut retry = Retry::new("work cannot be taken");
    loop {
        let want = queue.want();
        if want == 0 {
            queue.room.notified().await;
            continue;
        }
        let registration = session.current();
        let request = TakeRequest {
            worker: registration.worker,
            session: registration.secret,
            want,
            wait_ms: WAIT.as_millis() as u32,
        };
        let limit = WAIT + GRACE;
        let mut client = session.work();
        let reply = tokio::select! {
            reply = within(limit, client.take(timed(request, limit))) => reply,
            // Everything granted before the registration went back with it.
            () = session.renewed(&registration) => continue,
        };
        match reply {
            Ok(reply) => {
                retry.worked();
                reply.assignments.into_iter().for_each(|message| add(queue, message));
            }
            Err(trouble) => retry.after(&trouble, session, &registration).await?,
        }
    }
}

/// Fails a unit that this version cannot read: another worker may be newer.
fn add(queue: &LeaseQueue, message: v1::Assignment) {
    let lease = message.lease.map(Lease::from);
    match (Assignment::try_from(message), lease) {
        (Ok(assignment), _) => queue.add(assignment),
        (Err(error), Some(lease)) => {
            let message = format!("this worker cannot read the unit: {error}");
            queue.add_unreadable(lease, Failure::new(FailureKind::UnknownTask, message));
        }
        (Err(_), None) => warn!("a unit without a lease was handed out; it is ignored"),
    }
}
