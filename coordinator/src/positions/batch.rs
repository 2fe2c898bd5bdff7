//! What one worker publishes at once: checked, and in both forms that it is needed in. The store
//! wants records; others get the bytes as they came, for a record has one spelling only.

use hasami_andor::{Key, ProblemId};
use hasami_proto::pack::{MAX_RECORDS, unpack, unpack_problem};
use hasami_proto::v1::Records;
use hasami_store::Record;
use tonic::Status;

/// The id of a worker, as the coordinator gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin(pub u64);

/// Records of one problem, all of them possible.
#[derive(Debug)]
pub(super) struct Batch {
    pub problem: ProblemId,
    pub origin: Origin,
    pub records: Vec<(Key, Record)>,
    pub packed: Vec<u8>,
}

impl Batch {
    /// Checks what a worker has sent.
    pub fn read(problem: ProblemId, origin: Origin, sent: Records) -> Result<Self, Status> {
        let all = unpack(&sent).map_err(|error| Status::invalid_argument(error.to_string()))?;
        if all.len() > MAX_RECORDS {
            return Err(Status::invalid_argument(format!(
                "{} records at once, at most {MAX_RECORDS} are taken",
                all.len()
            )));
        }
        let mut records = Vec::with_capacity(all.len());
        for (key, bytes) in all {
            let record = Record::decode(bytes).map_err(|error| {
                Status::invalid_argument(format!(
                    "the record for state {key} of problem {problem}: {error}"
                ))
            })?;
            records.push((key, record));
        }
        Ok(Self { problem, origin, records, packed: sent.packed })
    }
}

/// The problem that a request is about.
pub(super) fn problem(bytes: &[u8]) -> Result<ProblemId, Status> {
    unpack_problem(bytes).map_err(|error| Status::invalid_argument(error.to_string()))
}
