//! Takes work: one call at a time, which waits at the coordinator while there is none. It carries
//! no outcomes, so that none of them is ever stuck behind a call that waits.

use std::time::Duration;

use hasami_proto::v1::ExchangeRequest;

use crate::call::{timed, within};
use crate::desk::Desk;
use crate::error::WorkerError;
use crate::hand_in::Rescue;
use crate::session::Session;

/// How long the coordinator may let a call wait for work.
const WAIT: Duration = Duration::from_secs(8);
/// And for how long it may be silent beyond that.
const GRACE: Duration = Duration::from_secs(10);

/// Takes work for as long as it is polled.
///
/// # Errors
/// When trying again cannot help.
pub async fn run(desk: &Desk, session: &Session) -> Result<(), WorkerError> {
    let mut rescue = Rescue::new("work cannot be taken");
    loop {
        let want = desk.want();
        if want == 0 {
            desk.room.notified().await;
            continue;
        }
        let registration = session.current();
        let request = ExchangeRequest {
            worker: registration.worker,
            session: registration.secret,
            outcomes: Vec::new(),
            want,
            wait_ms: WAIT.as_millis() as u32,
        };
        let limit = WAIT + GRACE;
        let mut client = session.work();
        let reply = tokio::select! {
            reply = within(limit, client.exchange(timed(request, limit))) => reply,
            // Whatever was granted before the registration has gone back by it.
            () = session.renewed(&registration) => continue,
        };
        match reply {
            Ok(reply) => {
                rescue.worked();
                desk.add(reply.assignments);
            }
            Err(trouble) => rescue.from(&trouble, session, &registration).await?,
        }
    }
}
