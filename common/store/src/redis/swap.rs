//! Publishing: the client merges, and a server replaces an entry only if it is still the one that
//! was merged. The loser of such a race merges again with the current entry.

use hasami_andor::{Key, ProblemId};
use redis::{Script, ServerErrorKind, Value};

use super::client::{Client, Trouble};
use super::position;
use super::round::Request;
use hasami_record::{Fault, Merged, merge};

/// Sets the key to the first argument if it holds the second, or if it is empty and there is no
/// second. Returns 1, or the current value.
const SCRIPT: &str = "\
local now = redis.call('GET', KEYS[1])
if now == (ARGV[2] or false) then
    redis.call('SET', KEYS[1], ARGV[1])
    return 1
end
return now";

struct Swap<'a> {
    key: Key,
    ours: &'a [u8],
    /// The server's value, as far as known. Guessing that there is none costs no more than asking.
    there: Option<Vec<u8>>,
}

impl Swap<'_> {
    fn merged(&self) -> (Vec<u8>, Option<(Key, Fault)>) {
        let merged = merge(self.there.as_deref().into_iter().chain([self.ours]));
        let merged = merged.expect("an operand");
        match merged {
            Merged::Record(_) => (merged.to_vec(), None),
            Merged::Fault(fault) => (merged.to_vec(), Some((self.key, fault))),
        }
    }
}

/// Merges the entries, which have distinct keys, into those on the servers. Returns the faults that
/// are there now.
pub(crate) fn publish(
    client: &mut Client,
    problem: ProblemId,
    entries: &[(Key, Vec<u8>)],
) -> Result<Vec<(Key, Fault)>, Trouble> {
    let mut faults = Vec::new();
    let script = Script::new(SCRIPT);
    // Servers lose scripts when they restart; then the full script is sent.
    let mut in_full = false;
    let mut swaps: Vec<_> =
        entries.iter().map(|(key, ours)| Swap { key: *key, ours, there: None }).collect();
    while !swaps.is_empty() {
        let mut tried = Vec::with_capacity(swaps.len());
        let mut requests = Vec::with_capacity(swaps.len());
        for swap in swaps {
            let (new, fault) = swap.merged();
            if swap.there.as_ref() == Some(&new) {
                faults.extend(fault);
                continue;
            }
            let position = position(problem, swap.key);
            let mut command = redis::cmd(if in_full { "EVAL" } else { "EVALSHA" });
            command.arg(if in_full { SCRIPT } else { script.get_hash() });
            command.arg(1).arg(&position).arg(new).arg(swap.there.as_deref());
            requests.push(Request::new(&position, vec![command]));
            tried.push((swap, fault));
        }
        swaps = Vec::new();
        let answers = client.exchange(&requests)?;
        for ((swap, fault), answer) in tried.into_iter().zip(answers) {
            match answer.into_iter().next() {
                Some(Value::Int(1)) => faults.extend(fault),
                Some(Value::BulkString(now)) => swaps.push(Swap { there: Some(now), ..swap }),
                Some(Value::Nil) => swaps.push(Swap { there: None, ..swap }),
                Some(Value::ServerError(error))
                    if error.kind() == Some(ServerErrorKind::NoScript) =>
                {
                    in_full = true;
                    swaps.push(swap);
                }
                other => return Err(Trouble::unexpected("EVAL", other.as_ref())),
            }
        }
    }
    Ok(faults)
}
