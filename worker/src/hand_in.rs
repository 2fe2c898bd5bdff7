//! Hands in outcomes, again and again until a receipt has come: an outcome that was acknowledged
//! is durable, and one that was not may not have arrived.

use std::time::{Duration, Instant};

use hasami_proto::v1::{ExchangeReply, ExchangeRequest, Outcome, outcome};
use hasami_proto::{Backoff, MAX_MESSAGE, Trouble};
use prost::Message;
use tonic::Code;
use tracing::{debug, warn};

use crate::call::{timed, within};
use crate::compute::Compute;
use crate::desk::Desk;
use crate::error::WorkerError;
use crate::lease::{Lease, lease_event};
use crate::outage::{Outage, Say};
use crate::session::{Registration, Session};

/// How long the coordinator may take to write outcomes to its disk.
const LIMIT: Duration = Duration::from_secs(15);
/// At most so many outcomes in a call,
const MOST: usize = 1024;
/// and so many bytes: half of what a message may have.
const BYTES: usize = MAX_MESSAGE / 2;

/// Hands in for as long as it is polled.
///
/// # Errors
/// When trying again cannot help.
pub async fn run(desk: &Desk, session: &Session, compute: &dyn Compute) -> Result<(), WorkerError> {
    let mut rescue = Rescue::new("outcomes cannot be handed in");
    let mut most = MOST;
    loop {
        let outcomes = batch(desk, most);
        if outcomes.is_empty() {
            desk.outcomes.notified().await;
            continue;
        }
        compute.publish().await;
        let registration = session.current();
        let request = ExchangeRequest {
            worker: registration.worker,
            session: registration.secret,
            outcomes: outcomes.clone(),
            want: 0,
            wait_ms: 0,
        };
        let mut client = session.work();
        match within(LIMIT, client.exchange(timed(request, LIMIT))).await {
            Ok(reply) => {
                rescue.worked();
                most = (most * 2).min(MOST);
                acknowledge(desk, &outcomes, reply);
            }
            // One of them is none, to the coordinator; the others must not suffer for it.
            Err(Trouble::Other { code: Code::InvalidArgument, .. }) if outcomes.len() > 1 => {
                most = 1;
            }
            Err(Trouble::Other { code: Code::InvalidArgument, message }) => {
                refused(desk, &outcomes, message);
            }
            Err(trouble) => rescue.from(&trouble, session, &registration).await?,
        }
    }
}

/// Outcomes that fit into a call.
fn batch(desk: &Desk, most: usize) -> Vec<Outcome> {
    let mut outcomes = desk.read(|held| held.outcomes(most));
    let mut bytes = 0;
    let mut fits = 0;
    for outcome in &outcomes {
        let size = outcome.encoded_len();
        if size > BYTES
            && let Some(lease) = outcome.lease
        {
            desk.fail(lease.into(), format!("it has {size} bytes; at most {BYTES} can be sent"));
            return batch(desk, most);
        }
        bytes += size;
        if bytes > BYTES {
            break;
        }
        fits += 1;
    }
    outcomes.truncate(fits);
    outcomes
}

/// What the coordinator cannot read is a failure; if it cannot read that either, it will find out
/// by itself that the unit is not held here.
fn refused(desk: &Desk, outcomes: &[Outcome], message: String) {
    if let [Outcome { lease: Some(lease), kind }] = outcomes {
        match kind {
            Some(outcome::Kind::Failure(_)) => desk.cancel([Lease::from(*lease)]),
            _ => desk.fail((*lease).into(), format!("the coordinator refused it: {message}")),
        }
    }
}

fn acknowledge(desk: &Desk, outcomes: &[Outcome], reply: ExchangeReply) {
    for receipt in reply.receipts {
        let Some(lease) = receipt.lease else { continue };
        let of = outcomes.iter().find(|outcome| outcome.lease == receipt.lease);
        let Some(kind) = of.and_then(|outcome| outcome.kind.as_ref()) else { continue };
        let lease = Lease::from(lease);
        match receipt.accepted {
            true => lease_event!(debug, lease, "outcome acknowledged"),
            false => lease_event!(info, lease, "outcome not used: {}", receipt.reason),
        }
        desk.acknowledge(lease, matches!(kind, outcome::Kind::HandedBack(_)));
    }
}

/// What to do about calls that fail: registers again where that may help, and is in no hurry.
pub struct Rescue {
    what: &'static str,
    backoff: Backoff,
    outage: Outage,
}

impl Rescue {
    /// `what` does not work, when it does not.
    #[must_use]
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            backoff: Backoff::new(u64::from(std::process::id())),
            outage: Outage::default(),
        }
    }

    /// A call has worked.
    pub fn worked(&mut self) {
        self.backoff.reset();
        if let Some(after) = self.outage.over(Instant::now()) {
            debug!(?after, "works again");
        }
    }

    /// A call has failed; returns when it is worth trying again.
    ///
    /// # Errors
    /// When it will never be.
    pub async fn from(
        &mut self,
        trouble: &Trouble,
        session: &Session,
        registration: &Registration,
    ) -> Result<(), WorkerError> {
        match trouble {
            Trouble::Refused { .. } => session.refused(trouble).map_or(Ok(()), Err),
            // The session tells of a coordinator that is away. Registering also brings back at once
            // what a lost reply has granted.
            Trouble::Unreachable(_)
            | Trouble::Other { code: Code::NotFound | Code::FailedPrecondition, .. } => {
                debug!("{}: {trouble}", self.what);
                if self.backoff.tries() > 0 {
                    tokio::time::sleep(self.backoff.next()).await;
                } else {
                    // The first time at once.
                    self.backoff.next();
                }
                session.register(registration).await
            }
            Trouble::Other { code, message } => {
                match self.outage.failed(Instant::now()) {
                    Say::Begun => warn!(?code, "{}: {message}", self.what),
                    Say::Lasting(since) => warn!(?code, ?since, "{} still: {message}", self.what),
                    Say::Nothing => {}
                }
                tokio::time::sleep(self.backoff.next()).await;
                Ok(())
            }
        }
    }
}
