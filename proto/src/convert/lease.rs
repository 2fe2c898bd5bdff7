//! Leases, and the packed keys of states.

use hasami_andor::Key;
use hasami_unit::{Attempt, ItemNo, Lease, OtherWorkers, RunId, UnitNo};

use super::ConvertError;
use crate::pack::{pack_keys, unpack_keys};
use crate::v1;

impl From<Lease> for v1::Lease {
    fn from(lease: Lease) -> Self {
        let Lease { run, item, unit, attempt } = lease;
        Self { run: run.0, item: item.0, unit: unit.0, attempt: attempt.0 }
    }
}

impl From<v1::Lease> for Lease {
    fn from(message: v1::Lease) -> Self {
        let v1::Lease { run, item, unit, attempt } = message;
        Self { run: RunId(run), item: ItemNo(item), unit: UnitNo(unit), attempt: Attempt(attempt) }
    }
}

/// The lease of a message that must have one.
pub(super) fn lease(message: Option<v1::Lease>) -> Result<Lease, ConvertError> {
    message.map(Lease::from).ok_or_else(|| ConvertError::new("lease", "none", "a lease"))
}

pub(super) fn key(bytes: &[u8]) -> Result<Key, ConvertError> {
    let bytes: [u8; 16] = bytes
        .try_into()
        .map_err(|_| ConvertError::new("key", format_args!("{} bytes", bytes.len()), "16 bytes"))?;
    Ok(Key(u128::from_le_bytes(bytes)))
}

impl From<(Lease, OtherWorkers)> for v1::OtherWorkers {
    fn from((lease, others): (Lease, OtherWorkers)) -> Self {
        let OtherWorkers { keys, depth } = others;
        Self { lease: Some(lease.into()), keys: pack_keys(&keys), depth }
    }
}

impl TryFrom<v1::OtherWorkers> for (Lease, OtherWorkers) {
    type Error = ConvertError;

    fn try_from(message: v1::OtherWorkers) -> Result<Self, ConvertError> {
        let lease = lease(message.lease)?;
        let keys = unpack_keys(&message.keys)
            .map_err(|error| ConvertError::new("others.keys", error, "16 bytes for each key"))?;
        Ok((lease, OtherWorkers { keys, depth: message.depth }))
    }
}
