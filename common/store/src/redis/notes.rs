//! Notes on servers: plain keys beside those of the records. The last writer wins, because readers
//! check notes.

use hasami_andor::{Key, ProblemId};
use redis::Value;

use super::client::{Client, Trouble};
use super::get_all;
use super::round::Request;
use crate::layout;

/// The key of a note on the servers; braces as in the keys of records.
fn place(family: ProblemId, key: Key) -> Vec<u8> {
    [b"hasami:{}n:".as_slice(), &layout::position(family, key)].concat()
}

/// The notes under these keys, in their order.
pub(super) fn find(
    client: &mut Client,
    family: ProblemId,
    keys: &[Key],
) -> Result<Vec<Option<Vec<u8>>>, Trouble> {
    get_all(client, keys.iter().map(|&key| place(family, key)))
}

/// Stores notes; replaces those under the same keys.
pub(super) fn keep(
    client: &mut Client,
    family: ProblemId,
    notes: &[(Key, Vec<u8>)],
) -> Result<(), Trouble> {
    let requests: Vec<_> = notes
        .iter()
        .map(|(key, note)| {
            let place = place(family, *key);
            let mut command = redis::cmd("SET");
            command.arg(&place).arg(note);
            Request::new(&place, vec![command])
        })
        .collect();
    for answer in client.exchange(&requests)? {
        match answer.into_iter().next() {
            Some(Value::Okay) => {}
            other => return Err(Trouble::unexpected("SET", other.as_ref())),
        }
    }
    Ok(())
}
