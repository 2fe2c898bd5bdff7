//! The calls to the shared store and the encoding of records in them.

use std::sync::Arc;
use std::time::Duration;

use hasami_andor::{Key, ProblemId};
use hasami_proto::Trouble;
use hasami_proto::pack::{self, Packer, pack_keys, pack_problem, unpack};
use hasami_proto::v1::{
    Caller, GetNotesRequest, LoadRequest, LookupRequest, PutNotesRequest, Records, SyncRequest,
    SyncResponse,
};
use hasami_record::Record;
use hasami_unit::Lease;
use tonic::Code;
use tracing::warn;

use crate::call::{timed, within};
use crate::session::Session;

/// How long an exchange or a lookup may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How long the store may be silent during a load.
const SILENCE: Duration = Duration::from_secs(5);
/// Most records in one call, either way.
pub const BATCH: usize = 8192;
/// Leases named in one call: one of them is enough.
const MOST_LEASES: usize = 64;
/// Most records loaded: a few hundred MiB in transit.
const MOST: usize = 1 << 22;

/// The shared store. Clones are cheap.
#[derive(Clone)]
pub struct Store(Arc<Session>);

/// The result of an exchange.
pub struct News {
    pub records: Records,
    /// The position to pass to the next call.
    pub sequence: u64,
    /// More is waiting.
    pub more: bool,
    /// Records that cost less should not be sent.
    pub min_work: u32,
    /// Number of other workers that receive the records.
    pub others: u32,
}

impl Store {
    pub fn new(session: Arc<Session>) -> Self {
        Self(session)
    }

    /// Who calls, for these units.
    fn caller(&self, leases: &[Lease]) -> Option<Caller> {
        let current = self.0.current();
        let leases = leases.iter().take(MOST_LEASES).map(|&lease| lease.into()).collect();
        Some(Caller { worker: current.worker, session: current.secret, leases })
    }

    /// Sends records of these units, some to be stored and some only for running searches, and
    /// returns those after sequence `after`, at most `limit` of them.
    pub async fn sync(
        &self,
        problem: ProblemId,
        leases: &[Lease],
        records: &[(Key, Record)],
        passing: Records,
        after: u64,
        limit: usize,
    ) -> Result<News, Trouble> {
        let request = SyncRequest {
            problem: pack_problem(problem),
            caller: self.caller(leases),
            records: Some(pack(records)),
            passing: Some(passing),
            after,
            limit: limit as u32,
        };
        let SyncResponse { records, sequence, more, min_work, others } =
            within(LIMIT, self.0.positions().sync(timed(request, LIMIT))).await?;
        Ok(News { records: records.unwrap_or_default(), sequence, more, min_work, others })
    }

    /// Records of some states.
    pub async fn lookup(
        &self,
        problem: ProblemId,
        lease: Lease,
        keys: &[Key],
    ) -> Result<Vec<(Key, Record)>, Trouble> {
        let caller = self.caller(&[lease]);
        let (problem, keys) = (pack_problem(problem), pack_keys(keys));
        let request = LookupRequest { problem, keys, caller };
        let found = within(LIMIT, self.0.positions().lookup(timed(request, LIMIT))).await?;
        unpacked(&found.records.unwrap_or_default())
    }

    /// The notes under some keys; missing ones are left out.
    pub async fn notes(
        &self,
        family: ProblemId,
        keys: &[Key],
    ) -> Result<Vec<(Key, Vec<u8>)>, Trouble> {
        let (problem, keys) = (pack_problem(family), pack_keys(keys));
        let request = GetNotesRequest { problem, keys, caller: self.caller(&[]) };
        let found = within(LIMIT, self.0.positions().get_notes(timed(request, LIMIT))).await?;
        let found = found.notes.unwrap_or_default();
        let found = unpack(&found).map_err(|error| wrong(error.to_string()))?;
        Ok(found.into_iter().map(|(key, note)| (key, note.to_vec())).collect())
    }

    /// Stores notes for others.
    pub async fn keep_notes(
        &self,
        family: ProblemId,
        notes: &[(Key, Vec<u8>)],
    ) -> Result<(), Trouble> {
        let mut packer = Packer::new();
        for (key, note) in notes {
            let _ = packer.push(*key, note);
        }
        let (problem, notes) = (pack_problem(family), Some(packer.take()));
        let request = PutNotesRequest { problem, notes, caller: self.caller(&[]) };
        within(LIMIT, self.0.positions().put_notes(timed(request, LIMIT))).await?;
        Ok(())
    }

    /// All records of a problem; only the expensive ones if there are too many.
    pub async fn load(
        &self,
        problem: ProblemId,
        lease: Lease,
    ) -> Result<Vec<(Key, Record)>, Trouble> {
        let mut min_work = 0;
        loop {
            if let Some(records) = self.load_from(problem, lease, min_work).await? {
                return Ok(records);
            }
            min_work = (min_work * 8).max(1024);
            warn!(%problem, min_work, "too many positions to load: the cheap ones are left out");
        }
    }

    /// `None` if there are too many records.
    async fn load_from(
        &self,
        problem: ProblemId,
        lease: Lease,
        min_work: u64,
    ) -> Result<Option<Vec<(Key, Record)>>, Trouble> {
        let (problem, caller) = (pack_problem(problem), self.caller(&[lease]));
        let request = LoadRequest { problem, min_work, caller };
        let mut stream = within(SILENCE, self.0.positions().load(request)).await?;
        let mut all = Vec::new();
        loop {
            let next = async { stream.message().await.map(tonic::Response::new) };
            let Some(piece) = within(SILENCE, next).await? else { return Ok(Some(all)) };
            all.extend(unpacked(&piece.records.unwrap_or_default())?);
            if all.len() > MOST {
                return Ok(None);
            }
        }
    }
}

fn pack(records: &[(Key, Record)]) -> Records {
    let (mut packer, mut bytes) = (Packer::new(), Vec::new());
    records.iter().for_each(|(key, record)| push(&mut packer, &mut bytes, *key, record));
    packer.take()
}

/// Packs one record; `bytes` is a scratch buffer. Skips a record with impossible numbers or a
/// reason that is too long: no other worker needs it.
pub fn push(packer: &mut Packer, bytes: &mut Vec<u8>, key: Key, record: &Record) {
    bytes.clear();
    if record.encode(bytes).is_ok() {
        let _ = packer.push(key, bytes);
    }
}

fn wrong(message: String) -> Trouble {
    Trouble::Other { code: Code::DataLoss, message }
}

fn unpacked(records: &Records) -> Result<Vec<(Key, Record)>, Trouble> {
    each(records).collect()
}

/// Iterates over the records of a message.
pub fn each(records: &Records) -> impl Iterator<Item = Result<(Key, Record), Trouble>> {
    pack::each(records).map(|packed| {
        let (key, bytes) = packed.map_err(|error| wrong(error.to_string()))?;
        let read = Record::decode(bytes);
        Ok((key, read.map_err(|error| wrong(format!("the record of state {key}: {error}")))?))
    })
}
