//! What one worker publishes at once: checked, and in both forms that it is needed in. The store
//! wants records; others get the bytes as they came, for a record has one spelling only.

use hasami_andor::{Key, ProblemId};
use hasami_proto::pack::{self, MAX_RECORDS, unpack_problem};
use hasami_proto::v1::Records;
use hasami_store::Record;
use tonic::Status;

/// The id of a worker, as the coordinator gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin(pub u64);

/// Records of one problem as others get them, all of them possible.
#[derive(Debug)]
pub(super) struct Published {
    pub problem: ProblemId,
    pub origin: Origin,
    pub count: usize,
    pub packed: Vec<u8>,
}

/// The same, to be written.
#[derive(Debug)]
pub(super) struct Batch {
    pub published: Published,
    pub records: Vec<(Key, Record)>,
}

impl Published {
    /// Checks what a worker has sent, to be published and not written.
    pub fn read(problem: ProblemId, origin: Origin, sent: Records) -> Result<Self, Status> {
        let count = sent.count as usize;
        each(problem, &sent, |_, _| ())?;
        Ok(Self { problem, origin, count, packed: sent.packed })
    }
}

impl Batch {
    /// Checks what a worker has sent.
    pub fn read(problem: ProblemId, origin: Origin, sent: Records) -> Result<Self, Status> {
        let mut records = Vec::new();
        each(problem, &sent, |key, record| records.push((key, record)))?;
        let published = Published { problem, origin, count: records.len(), packed: sent.packed };
        Ok(Self { published, records })
    }
}

/// Shows every record that was sent, if all of them are possible.
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

/// The problem that a request is about.
pub(super) fn problem(bytes: &[u8]) -> Result<ProblemId, Status> {
    unpack_problem(bytes).map_err(|error| Status::invalid_argument(error.to_string()))
}
