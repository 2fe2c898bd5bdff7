//! Encoding of the records: the only user of `hasami.journal.v1`.

use hasami_proto::journal::v1 as disk;
use hasami_proto::pack::{pack_problem, unpack_problem};
use hasami_proto::{ConvertError, v1};
use hasami_spec::ContentKey;
use hasami_sweep::{Answer, Measures};
use hasami_unit::{Attempt, Part, RunId};
use prost::Message;

use super::sweep;
use crate::core::{
    Claim, HistoryRecord, ItemRecord, RunRecord, Sender, UnitRecord, WorkerId, WorkerRecord,
};

/// A record of the journal.
pub(super) trait Record: Sized {
    fn to_bytes(&self) -> Vec<u8>;

    /// Decodes a record, or returns the error.
    fn from_bytes(bytes: &[u8]) -> Result<Self, String>;
}

fn decode<M: Message + Default>(bytes: &[u8]) -> Result<M, String> {
    M::decode(bytes).map_err(|error| error.to_string())
}

impl Record for RunRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let message = disk::RunRecord {
            run: self.run.0,
            sweep: self.sweep.clone(),
            state: v1::RunState::from(self.state).into(),
            submitted_ms: self.submitted_ms,
            finished_ms: self.finished_ms,
            force: self.force,
            note: self.note.clone(),
            stored: self.stored.clone().map(sweep::write),
            fault: self.fault.map_or_else(Vec::new, pack_problem),
        };
        message.encode_to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let message: disk::RunRecord = decode(bytes)?;
        let state = message.state().try_into().map_err(|error| format!("{error}"))?;
        let fault = match message.fault.as_slice() {
            [] => None,
            problem => Some(unpack_problem(problem).map_err(|error| error.to_string())?),
        };
        let disk::RunRecord { run, sweep, submitted_ms, finished_ms, force, note, stored, .. } =
            message;
        let run = RunId(run);
        let stored = stored.map(sweep::read).transpose()?;
        Ok(Self { run, sweep, stored, state, submitted_ms, finished_ms, force, note, fault })
    }
}

impl Record for ItemRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let message = disk::ItemRecord {
            state: v1::ItemState::from(self.state).into(),
            reused: self.reused,
            answer: self.answer.map_or_else(Vec::new, |key| key.0.to_vec()),
            failure: self.failure.clone(),
            attempts: self.attempts,
            nodes: self.cost.nodes,
            seconds: self.cost.seconds,
            store_hits: self.cost.store_hits,
        };
        message.encode_to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let message: disk::ItemRecord = decode(bytes)?;
        let state = message.state().try_into().map_err(|error| format!("{error}"))?;
        let answer = match message.answer.as_slice() {
            [] => None,
            key => Some(ContentKey(key.try_into().map_err(|_| {
                format!("the key of its answer has {} bytes; expected 16", key.len())
            })?)),
        };
        let disk::ItemRecord { reused, failure, attempts, nodes, seconds, store_hits, .. } =
            message;
        let cost = Measures { nodes, seconds, store_hits };
        Ok(Self { state, reused, answer, failure, attempts, cost })
    }
}

impl Record for UnitRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let part = self.done.clone().unwrap_or_default();
        let message = disk::UnitRecord {
            attempt: self.attempt.0,
            worker: self.holder.map(|worker| worker.0),
            crashes: self.crashes,
            prefix: self.prefix.clone(),
            finished: self.done.is_some(),
            raw: part.raw,
            patterns: part.patterns,
            found: part.found,
            seconds: part.seconds,
            nodes: part.nodes,
            granted: self.granted.map(|worker| worker.0),
            claim: self.claim.clone().map(write_claim),
        };
        message.encode_to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let message: disk::UnitRecord = decode(bytes)?;
        let disk::UnitRecord { raw, patterns, found, seconds, nodes, .. } = message;
        let part = Part { raw, patterns, found, rest: Vec::new(), seconds, nodes };
        Ok(Self {
            attempt: Attempt(message.attempt),
            holder: message.worker.map(WorkerId),
            crashes: message.crashes,
            prefix: message.prefix,
            done: message.finished.then_some(part),
            granted: message.granted.map(WorkerId),
            claim: message.claim.map(read_claim).transpose()?,
        })
    }
}

fn write_claim(claim: Claim) -> disk::Claim {
    let Claim { answer, sender: Sender(sender), name, stranger, stage } = claim;
    disk::Claim { answer: Some(answer.into()), sender, name, stranger, stage }
}

fn read_claim(claim: disk::Claim) -> Result<Claim, String> {
    let disk::Claim { answer, sender, name, stranger, stage } = claim;
    let answer = answer.ok_or("a claim without an answer")?;
    let answer = answer.try_into().map_err(|error: ConvertError| error.to_string())?;
    Ok(Claim { answer, sender: Sender(sender), name, stranger, stage })
}

impl Record for WorkerRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let Self { worker, session, name } = self.clone();
        disk::WorkerRecord { worker: worker.0, session, name }.encode_to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let disk::WorkerRecord { worker, session, name } = decode(bytes)?;
        Ok(Self { worker: WorkerId(worker), session, name })
    }
}

impl Record for HistoryRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let Self { time_ms, text } = self.clone();
        disk::HistoryRecord { time_ms, text }.encode_to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let disk::HistoryRecord { time_ms, text } = decode(bytes)?;
        Ok(Self { time_ms, text })
    }
}

impl Record for Answer {
    fn to_bytes(&self) -> Vec<u8> {
        v1::Answer::from(self.clone()).encode_to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        decode::<v1::Answer>(bytes)?.try_into().map_err(|error| format!("{error}"))
    }
}
