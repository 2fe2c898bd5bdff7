//! Requests to the servers of a store. Each goes to the server of its key, all of a batch at once,
//! and is retried until a deadline if a server was unreachable or a key had moved. The cluster
//! connection of the `redis` crate is not used: in a pipeline it waits for every answer of a silent
//! server in turn, and does not follow a key that has moved.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use redis::{TlsCertificates, Value};

use super::address::Address;
use super::link::{Deadline, Links};
use super::round::{Request, Round, Waiting, passing};
use super::slots::Slots;

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Why requests failed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// No server answered in time.
    Lost(String),
    /// A server answered, and a retry would not change it.
    Refused(String),
}

impl Trouble {
    /// An answer that is invalid, or a refusal.
    pub(crate) fn unexpected(command: &str, answer: Option<&Value>) -> Self {
        Self::Refused(match answer {
            Some(Value::ServerError(error)) => format!("{command}: {error}"),
            other => format!("{command} was answered by {other:?}"),
        })
    }
}

/// Links to all servers, for one caller at a time. Drop it after an error.
pub(crate) struct Client {
    limit: Duration,
    cluster: bool,
    /// `None` until they are fetched.
    slots: Option<Slots>,
    links: Links,
}

impl Client {
    pub(crate) fn new(
        address: &Arc<Address>,
        certificates: Option<Arc<TlsCertificates>>,
        limit: Duration,
    ) -> Self {
        let slots = (!address.cluster).then(|| Slots::single(address.seeds[0].clone()));
        let links = Links::new(Arc::clone(address), certificates);
        Self { limit, cluster: address.cluster, slots, links }
    }

    /// The answers to the commands of each request. A refusal is an answer too, unless it is about
    /// the location of keys.
    pub(crate) fn exchange(&mut self, requests: &[Request]) -> Result<Vec<Vec<Value>>, Trouble> {
        let mut patience = Patience::new(self.limit);
        let mut answers = vec![Vec::new(); requests.len()];
        let mut waiting = Waiting::all(requests);
        while !waiting.is_empty() {
            let slots = match &mut self.slots {
                Some(slots) => slots,
                None => match learn(&mut self.links, &patience.deadline)? {
                    Ok(slots) => self.slots.insert(slots),
                    Err(lost) => {
                        patience.pause(&lost)?;
                        continue;
                    }
                },
            };
            let mut round = Round::default();
            round.send(requests, waiting, slots, &mut self.links, &patience.deadline)?;
            round.receive(requests, &mut answers, slots, &mut self.links, &patience.deadline)?;
            waiting = round.again;
            if !waiting.is_empty() {
                patience.pause(round.lost.as_deref().unwrap_or("keys keep moving"))?;
                if round.lost.is_some() && self.cluster {
                    self.slots = None;
                }
            }
        }
        Ok(answers)
    }

    /// The current owners of all slots, fetched again.
    pub(crate) fn slots(&mut self) -> Result<&Slots, Trouble> {
        let mut patience = Patience::new(self.limit);
        while self.cluster {
            match learn(&mut self.links, &patience.deadline)? {
                Ok(slots) => return Ok(self.slots.insert(slots)),
                Err(lost) => patience.pause(&lost)?,
            }
        }
        Ok(self.slots.as_ref().expect("the slots of a single server"))
    }
}

/// Exponential backoff until a deadline.
struct Patience {
    limit: Duration,
    deadline: Deadline,
    pause: Duration,
}

impl Patience {
    fn new(limit: Duration) -> Self {
        // No pause at first: a connection that was idle for long is often broken.
        Self { limit, deadline: Deadline::after(limit), pause: Duration::ZERO }
    }

    fn pause(&mut self, why: &str) -> Result<(), Trouble> {
        thread::sleep(self.pause.min(self.deadline.left()));
        if self.deadline.left().is_zero() {
            return Err(Trouble::Lost(format!("{why} (tried for {:?})", self.limit)));
        }
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        Ok(())
    }
}

/// Fetches the slots, or returns why no server answered.
fn learn(links: &mut Links, deadline: &Deadline) -> Result<Result<Slots, String>, Trouble> {
    let mut command = redis::cmd("CLUSTER");
    let question = command.arg("SLOTS").get_packed_command();
    let mut lost = String::new();
    for node in links.servers() {
        let answer = links.get(&node, deadline).and_then(|link| {
            link.send(&question, deadline)?;
            link.receive(deadline)
        });
        lost = match answer {
            Ok(Value::ServerError(error)) if passing(&error) => format!("{node}: {error}"),
            Ok(Value::ServerError(error)) => {
                let single = links.address().single(&node);
                return Err(Trouble::Refused(format!(
                    "{node}: {error} (a server that is no cluster is {single})"
                )));
            }
            Ok(answer) => match Slots::parse(&answer, &node) {
                Some(slots) => return Ok(Ok(slots)),
                None => format!("{node}: its list of slots cannot be read"),
            },
            Err(error) => links.lose(&node, &error)?,
        };
    }
    Ok(Err(lost))
}
