//! One round of requests. All are sent before any answer is read, so that the servers work in
//! parallel. Requests that must be sent again are left for the next round.

use std::collections::BTreeMap;

use redis::{Cmd, RedisError, RedisResult, ServerError, ServerErrorKind, Value};

use super::address::Node;
use super::client::Trouble;
use super::link::{Deadline, Link, Links};
use super::slots::{Slots, slot};

/// Commands about one key, sent together. All may be sent again: repeating must be harmless.
pub(crate) struct Request {
    slot: u16,
    commands: Vec<Cmd>,
}

impl Request {
    pub(crate) fn new(key: &[u8], commands: Vec<Cmd>) -> Self {
        Self { slot: slot(key), commands }
    }
}

/// A request without an answer.
pub(crate) struct Waiting {
    index: usize,
    /// The server to ask although it does not own the slot yet.
    ask: Option<Node>,
}

impl Waiting {
    pub(crate) fn all(requests: &[Request]) -> Vec<Self> {
        (0..requests.len()).map(|index| Self { index, ask: None }).collect()
    }
}

#[derive(Default)]
pub(crate) struct Round {
    sent: Vec<(Node, Vec<Waiting>)>,
    /// Requests to send again.
    pub(crate) again: Vec<Waiting>,
    /// The last failure, if it was more than a moved key.
    pub(crate) lost: Option<String>,
}

impl Round {
    pub(crate) fn send(
        &mut self,
        requests: &[Request],
        waiting: Vec<Waiting>,
        slots: &Slots,
        links: &mut Links,
        deadline: &Deadline,
    ) -> Result<(), Trouble> {
        let mut parts: BTreeMap<Node, (Vec<Waiting>, Vec<u8>)> = BTreeMap::new();
        for one in waiting {
            let request = &requests[one.index];
            let Some(node) = one.ask.as_ref().or(slots.owner(request.slot)) else {
                self.lost = Some(format!("no server has slot {}", request.slot));
                self.again.push(one);
                continue;
            };
            let (part, packed) = parts.entry(node.clone()).or_default();
            for command in &request.commands {
                if one.ask.is_some() {
                    redis::cmd("ASKING").write_packed_command(packed);
                }
                command.write_packed_command(packed);
            }
            part.push(one);
        }
        for (node, (part, packed)) in parts {
            match links.get(&node, deadline).and_then(|link| link.send(&packed, deadline)) {
                Ok(()) => self.sent.push((node, part)),
                Err(error) => {
                    self.lost = Some(links.lose(&node, &error)?);
                    self.again.extend(part);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn receive(
        &mut self,
        requests: &[Request],
        answers: &mut [Vec<Value>],
        slots: &mut Slots,
        links: &mut Links,
        deadline: &Deadline,
    ) -> Result<(), Trouble> {
        for (node, part) in std::mem::take(&mut self.sent) {
            let mut part = part.into_iter();
            while let Some(one) = part.next() {
                let request = &requests[one.index];
                let got = links.get(&node, deadline).and_then(|link| {
                    read(link, request.commands.len(), one.ask.is_some(), deadline)
                });
                match got {
                    Ok(values) => match values.iter().find_map(elsewhere) {
                        None => answers[one.index] = values,
                        Some(error) => self.follow(one.index, error, &node, slots),
                    },
                    Err(error) => {
                        self.lost = Some(links.lose(&node, &error)?);
                        self.again.push(Waiting { ask: None, ..one });
                        self.again.extend(part.by_ref());
                    }
                }
            }
        }
        Ok(())
    }

    /// Sends a request again, to the server that has its key now.
    fn follow(&mut self, index: usize, error: &ServerError, from: &Node, slots: &mut Slots) {
        let redirected = RedisError::from(error.clone());
        let target = redirected.redirect_node().and_then(|(node, slot)| {
            // A server that does not know its own name omits it: it is the one that answered.
            let host = if node.starts_with(':') { &from.host } else { "" };
            Some((Node::parse(&format!("{host}{node}"))?, slot))
        });
        let mut ask = None;
        match (error.kind(), target) {
            (Some(ServerErrorKind::Ask), Some((node, _))) => ask = Some(node),
            (Some(ServerErrorKind::Moved), Some((node, slot))) => slots.moved(slot, node),
            _ => self.lost = Some(format!("{from}: {error}")),
        }
        self.again.push(Waiting { index, ask });
    }
}

fn read(
    link: &mut Link,
    commands: usize,
    asked: bool,
    deadline: &Deadline,
) -> RedisResult<Vec<Value>> {
    (0..commands)
        .map(|_| {
            if asked {
                link.receive(deadline)?;
            }
            link.receive(deadline)
        })
        .collect()
}

/// The error in an answer, if it is about the location of keys and not about the command.
fn elsewhere(answer: &Value) -> Option<&ServerError> {
    match answer {
        Value::ServerError(error) if passing(error) => Some(error),
        _ => None,
    }
}

/// Whether an error is temporary, here or on another server: a key has moved, a server is starting
/// or failing over.
pub(crate) fn passing(error: &ServerError) -> bool {
    use ServerErrorKind::{Ask, BusyLoading, ClusterDown, MasterDown, Moved, ReadOnly, TryAgain};
    let passing = [Ask, BusyLoading, ClusterDown, MasterDown, Moved, ReadOnly, TryAgain];
    error.kind().is_some_and(|kind| passing.contains(&kind))
}
