//! The records of one publish call, checked and in both forms: the store takes records, other
//! workers get the bytes as received, since a record has only one encoding.

use hasami_andor::{Key, ProblemId};
use hasami_proto::pack::{self, MAX_RECORDS, unpack_problem};
use hasami_proto::v1::Records;
use hasami_store::Record;
use tonic::Status;

/// The worker id that the coordinator assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin(pub u64);

/// Packed records of one problem for other workers, all of them valid.
#[derive(Debug)]
pub(super) struct Published {
    pub problem: ProblemId,
    pub origin: Origin,
    pub count: usize,
    pub packed: Vec<u8>,
}

/// The same with the unpacked records, for the store.
#[derive(Debug)]
pub(super) struct Batch {
    pub published: Published,
    pub records: Vec<(Key, Record)>,
}

impl Published {
    /// Checks records that are published but not written.
    pub fn read(problem: ProblemId, origin: Origin, sent: Records) -> Result<Self, Status> {
        let count = sent.count as usize;
        each(problem, &sent, |_, _| ())?;
        Ok(Self { problem, origin, count, packed: sent.packed })
    }
}

impl Batch {
    /// Checks records that are published and written.
    pub fn read(problem: ProblemId, origin: Origin, sent: Records) -> Result<Self, Status> {
        let mut records = Vec::new();
        each(problem, &sent, |key, record| records.push((key, record)))?;
        let published = Published { problem, origin, count: records.len(), packed: sent.packed };
        Ok(Self { published, records })
    }
}

/// Passes every record to the callback, or fails if one is invalid.
fn each(
    problem: ProblemId,
    sent: &Records,
    mut show: impl FnMut(Key, Record),
) -> Result<(), Status> {
    if sent.count as usize > MAX_RECORDS {
        return Err(Status::invalid_argument(format!(
            "{} records at once, at most {MAX_RECORDS} are taken",
            sent.count
        )));
    }
    for packed in pack::each(sent) {
        let (key, bytes) = packed.map_err(|error| Status::invalid_argument(error.to_string()))?;
        let record = Record::decode(bytes).map_err(|error| {
            Status::invalid_argument(format!(
                "the record for state {key} of problem {problem}: {error}"
            ))
        })?;
        show(key, record);
    }
    Ok(())
}

/// The problem of a request.
pub(super) fn problem(bytes: &[u8]) -> Result<ProblemId, Status> {
    unpack_problem(bytes).map_err(|error| Status::invalid_argument(error.to_string()))
}
