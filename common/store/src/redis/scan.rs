//! Every record of a problem, server by server. A record that moves between servers meanwhile may
//! be missed or found twice. Both are harmless, because a scan only warms a table.

use hasami_andor::{Key, ProblemId};
use redis::Value;

use super::client::{Client, Trouble};
use super::durable;
use super::position;
use super::round::Request;

/// Keys that a server examines in one step.
const STEP: usize = 2000;

/// The keys of a problem found in one step, and the cursor of the next.
pub(crate) struct Found {
    pub keys: Vec<Key>,
    pub cursor: Option<Vec<u8>>,
}

/// One key on each server.
pub(crate) fn servers(client: &mut Client) -> Result<Vec<String>, Trouble> {
    Ok(durable::keys(client.slots()?))
}

/// One step on the server of the key `server`.
pub(crate) fn step(
    client: &mut Client,
    server: &str,
    problem: ProblemId,
    cursor: &[u8],
) -> Result<Found, Trouble> {
    let mut command = redis::cmd("SCAN");
    command.arg(cursor).arg("MATCH").arg(pattern(problem)).arg("COUNT").arg(STEP);
    let answers = client.exchange(&[Request::new(server.as_bytes(), vec![command])])?;
    let answer = answers.into_iter().flatten().next();
    let unexpected = |answer: &Value| Trouble::unexpected("SCAN", Some(answer));
    match answer {
        Some(Value::Array(parts)) => match parts.as_slice() {
            [Value::BulkString(cursor), Value::Array(names)] => {
                let keys = names.iter().filter_map(|name| match name {
                    Value::BulkString(bytes) => key(bytes),
                    _ => None,
                });
                let more = cursor.as_slice() != b"0";
                Ok(Found { keys: keys.collect(), cursor: more.then(|| cursor.clone()) })
            }
            _ => Err(unexpected(&Value::Array(parts.clone()))),
        },
        other => Err(Trouble::unexpected("SCAN", other.as_ref())),
    }
}

/// The state in the key of a record.
fn key(name: &[u8]) -> Option<Key> {
    let shape = position(ProblemId(0), Key(0));
    let bytes = name.get(shape.len() - 16..).filter(|_| name.len() == shape.len())?;
    Some(Key(u128::from_be_bytes(bytes.try_into().ok()?)))
}

/// Glob pattern for the keys of a problem's records, with special characters escaped.
fn pattern(problem: ProblemId) -> Vec<u8> {
    let name = position(problem, Key(0));
    let mut pattern = Vec::with_capacity(name.len() * 2);
    for &byte in &name[..name.len() - 16] {
        if b"*?[]\\^-".contains(&byte) {
            pattern.push(b'\\');
        }
        pattern.push(byte);
    }
    pattern.push(b'*');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_in_a_name_is_read_back() {
        let (problem, state) = (ProblemId(7), Key(0x0123_4567_89ab_cdef_0011_2233_4455_6677));
        assert_eq!(key(&position(problem, state)), Some(state));
        assert_eq!(key(b"hasami:{}p:short"), None);
    }

    #[test]
    fn signs_in_a_problem_are_no_wildcards() {
        let stars = ProblemId(u128::from_be_bytes([b'*'; 16]));
        let escaped = pattern(stars);
        assert_eq!(escaped.iter().filter(|&&byte| byte == b'\\').count(), 16);
        assert!(escaped.ends_with(b"*"));
    }
}
