//! Hands in outcomes and repeats until a receipt arrives: an acknowledged outcome is durable, any
//! other may not have arrived.

use std::time::Duration;

use hasami_proto::v1::{self, HandInRequest, HandInResponse, outcome};
use hasami_proto::{MAX_MESSAGE, Trouble};
use hasami_unit::Rejection;
use prost::Message;
use tonic::Code;
use tracing::warn;

use crate::call::{timed, within};
use crate::compute::Compute;
use crate::error::WorkerError;
use crate::held::Ticket;
use crate::lease::lease_event;
use crate::lease_queue::LeaseQueue;
use crate::retry::Retry;
use crate::session::Session;

/// How long the coordinator may take to write outcomes to its disk.
const LIMIT: Duration = Duration::from_secs(15);
/// At most this many outcomes in a call,
const MOST: usize = 1024;
/// and at most this many bytes: half of the message limit.
const BYTES: usize = MAX_MESSAGE / 2;

/// Hands in outcomes for as long as it is polled.
///
/// # Errors
/// If retrying cannot help.
pub async fn run(
    queue: &LeaseQueue,
    session: &Session,
    compute: &dyn Compute,
) -> Result<(), WorkerError> {
    let mut retry = Retry::new("outcomes cannot be handed in");
    let mut most = MOST;
    loop {
        let outcomes = batch(queue, most);
        if outcomes.is_empty() {
            queue.outcomes.notified().await;
            continue;
        }
        compute.publish().await;
        let registration = session.current();
        let request = HandInRequest {
            worker: registration.worker,
            session: registration.secret,
            outcomes: outcomes.iter().map(|(_, message)| message.clone()).collect(),
        };
        let mut client = session.work();
        match within(LIMIT, client.hand_in(timed(request, LIMIT))).await {
            Ok(response) => {
                retry.worked();
                most = (most * 2).min(MOST);
                acknowledge(queue, response, &outcomes);
            }
            // The coordinator rejects the whole batch if one outcome is invalid: retry them one by
            // one.
            Err(Trouble::Other { code: Code::InvalidArgument, .. }) if outcomes.len() > 1 => {
                most = 1;
            }
            Err(Trouble::Other { code: Code::InvalidArgument, message }) => {
                outcomes.iter().for_each(|outcome| refused(queue, outcome, &message));
            }
            Err(trouble) => retry.after(&trouble, session, &registration).await?,
        }
    }
}

/// Outcomes that fit into one call.
fn batch(queue: &LeaseQueue, most: usize) -> Vec<(Ticket, v1::Outcome)> {
    let mut messages = Vec::new();
    let mut bytes = 0;
    for (ticket, outcome) in queue.read(|held| held.outcomes(most)) {
        let message = v1::Outcome::from((ticket.lease, outcome));
        let size = message.encoded_len();
        if size > BYTES {
            queue.fail(ticket, format!("it has {size} bytes; at most {BYTES} can be sent"));
            continue;
        }
        bytes += size;
        if bytes > BYTES {
            break;
        }
        messages.push((ticket, message));
    }
    messages
}

/// Replaces an outcome that the coordinator cannot read by a failure. If it cannot read that
/// either, it notices by itself that the unit is not held here.
fn refused(queue: &LeaseQueue, (ticket, outcome): &(Ticket, v1::Outcome), message: &str) {
    match outcome.kind {
        Some(outcome::Kind::Failure(_)) => queue.cancel([ticket.lease]),
        _ => queue.fail(*ticket, format!("the coordinator refused it: {message}")),
    }
}

fn acknowledge(queue: &LeaseQueue, response: HandInResponse, outcomes: &[(Ticket, v1::Outcome)]) {
    for receipt in response.receipts {
        let status = receipt.status();
        let of = |(_, outcome): &&(Ticket, v1::Outcome)| outcome.lease == receipt.lease;
        let Some(outcome) = outcomes.iter().find(of) else {
            warn!("a receipt for an outcome that was not handed in is ignored");
            continue;
        };
        if status == v1::ReceiptStatus::Malformed {
            refused(queue, outcome, &receipt.message);
            continue;
        }
        let ticket = outcome.0;
        let lease = ticket.lease;
        match <Result<(), Rejection>>::try_from(status) {
            Ok(Ok(())) => lease_event!(debug, lease, "outcome acknowledged"),
            Ok(Err(why)) => lease_event!(info, lease, "outcome not used: {why}"),
            // A later version may know more reasons; either way the outcome has arrived.
            Err(error) => lease_event!(info, lease, "outcome not used: {error}"),
        }
        queue.acknowledge(ticket);
    }
}
