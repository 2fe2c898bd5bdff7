//! Waits until servers have written to disk what they acknowledged, if they support it.

use std::time::Duration;

use redis::Value;

use super::client::{Client, Trouble};
use super::round::Request;
use super::slots::{Slots, slot};

/// Waits on every server for everything written before the call, by any client.
pub(crate) fn sync(client: &mut Client, patience: Duration) -> Result<(), Trouble> {
    let requests: Vec<_> = keys(client.slots()?)
        .iter()
        .map(|key| {
            // WAITAOF waits for its own connection's last write, and so for all before it.
            let (mut write, mut wait) = (redis::cmd("SET"), redis::cmd("WAITAOF"));
            write.arg(key).arg("");
            wait.arg(1).arg(0).arg(patience.as_millis().max(1) as u64);
            Request::new(key.as_bytes(), vec![write, wait])
        })
        .collect();
    for answer in client.exchange(&requests)? {
        match answer.as_slice() {
            [refused @ Value::ServerError(_), _] => {
                return Err(Trouble::unexpected("SET", Some(refused)));
            }
            [_, Value::Array(counts)] => match counts.as_slice() {
                [Value::Int(1..), ..] => {}
                _ => {
                    return Err(Trouble::Refused(format!(
                        "a server has not confirmed within {patience:?} that its records are on disk"
                    )));
                }
            },
            // The server is older than WAITAOF: there is nothing to wait for.
            [_, Value::ServerError(error)] if mentions(error, "unknown command") => {}
            [_, Value::ServerError(error)] if mentions(error, "appendonly is disabled") => {
                tracing::warn!("a server keeps no log (appendonly no): its end takes all records");
            }
            other => return Err(Trouble::unexpected("WAITAOF", other.last())),
        }
    }
    Ok(())
}

fn mentions(error: &redis::ServerError, words: &str) -> bool {
    error.details().is_some_and(|details| details.to_ascii_lowercase().contains(words))
}

/// One key on each server.
pub(crate) fn keys(slots: &Slots) -> Vec<String> {
    let mut missing = slots.owners();
    let mut keys = Vec::new();
    // Terminates, because the keys reach every slot.
    for n in 0_u32.. {
        if missing.is_empty() {
            break;
        }
        let key = format!("hasami:{{}}sync:{n}");
        let owner = slots.owner(slot(key.as_bytes()));
        if let Some(place) = missing.iter().position(|node| Some(*node) == owner) {
            missing.swap_remove(place);
            keys.push(key);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redis::address::Node;

    #[test]
    fn every_server_has_a_key_though_it_has_one_slot() {
        let node = |port| Node { host: "a".to_owned(), port };
        let mut slots = Slots::single(node(1));
        (0..300).for_each(|n| slots.moved(n * 54, node(2 + n)));
        let mut owners: Vec<_> =
            keys(&slots).iter().map(|key| slots.owner(slot(key.as_bytes())).unwrap()).collect();
        owners.sort();
        assert!(owners.into_iter().eq(&(1..=301).map(node).collect::<Vec<_>>()));
    }
}
