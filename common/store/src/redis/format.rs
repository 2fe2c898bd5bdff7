//! The format version of a store on servers, under its own key.

use redis::Value;

use super::client::{Client, Trouble};
use super::round::Request;
use crate::marker::FORMAT;

const KEY: &str = "hasami:format";

/// The format on the servers; writes ours if there is none.
pub(crate) fn find_or_write(client: &mut Client) -> Result<String, Trouble> {
    let (mut write, mut find) = (redis::cmd("SET"), redis::cmd("GET"));
    write.arg(KEY).arg(FORMAT).arg("NX");
    find.arg(KEY);
    let answers = client.exchange(&[Request::new(KEY.as_bytes(), vec![write, find])])?;
    match answers.into_iter().next().as_deref() {
        Some([_, Value::BulkString(found)]) => Ok(String::from_utf8_lossy(found).into_owned()),
        // Not written; the first answer has the reason.
        Some([refused, Value::Nil]) => Err(Trouble::unexpected("SET", Some(refused))),
        other => Err(Trouble::unexpected("GET", other.and_then(<[_]>::last))),
    }
}
