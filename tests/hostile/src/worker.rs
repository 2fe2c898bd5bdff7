//! A worker that lies.

use std::time::Duration;

use hasami_proto::v1::position_service_client::PositionServiceClient;
use hasami_proto::v1::work_service_client::WorkServiceClient;
use hasami_proto::v1::{self, ReceiptStatus};
use hasami_proto::{Access, Authorized, OLDEST_PROTOCOL, PROTOCOL, Who, connect};
use tokio::time::timeout;

use crate::dice::Dice;
use crate::truth::Truth;
use crate::{PATIENCE, Tally, Trouble, forged};

/// Leases and uploads that are remembered.
const MOST: usize = 32;

pub(crate) struct Liar {
    dice: Dice,
    work: WorkServiceClient<Authorized>,
    positions: PositionServiceClient<Authorized>,
    truth: Truth,
    /// Ids and sessions that were given.
    selves: Vec<(u64, u64)>,
    leases: Vec<v1::Lease>,
    questions: Vec<v1::Question>,
}

impl Liar {
    pub(crate) fn new(access: &Access, dice: Dice) -> Result<Self, Trouble> {
        let wrong = |error: String| Trouble::Access(error);
        let connection = connect(access, Who::Worker).map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            dice,
            work: connection.work(),
            positions: connection.positions(),
            truth: Truth::new().map_err(|error| wrong(error.to_string()))?,
            selves: Vec::new(),
            leases: Vec::new(),
            questions: Vec::new(),
        })
    }

    /// Sends one message.
    pub(crate) async fn act(&mut self, tally: &mut Tally) {
        match self.dice.below(24) {
            0..3 => self.register(tally).await,
            3..8 => self.take(tally).await,
            8..14 => self.hand_in(tally).await,
            14..16 => self.heartbeat(tally).await,
            16..19 => self.put_certificate(tally).await,
            19 => self.leave(tally).await,
            20..22 => self.sync(tally).await,
            22 => self.look_up(tally).await,
            _ => self.notes(tally).await,
        }
    }

    /// Somebody that this one is, was, or never was.
    fn someone(&mut self) -> (u64, u64) {
        let own = self.dice.of(&self.selves).copied();
        match (own, self.dice.below(6)) {
            (Some((worker, _)), 0) => (worker, self.dice.number()),
            (Some(own), 1..) => own,
            _ => (self.dice.below(8), self.dice.number()),
        }
    }

    async fn register(&mut self, tally: &mut Tally) {
        let dice = &mut self.dice;
        let again = dice.one_in(3);
        let protocol = v1::ProtocolRange { oldest: OLDEST_PROTOCOL, newest: PROTOCOL };
        let odd = v1::ProtocolRange { oldest: dice.small(), newest: dice.small() };
        let mut request = v1::RegisterRequest {
            protocol: Some(if dice.one_in(10) { odd } else { protocol }),
            version: dice.text(),
            name: dice.text(),
            host: dice.text(),
            pid: dice.small(),
            threads: dice.small(),
            memory_mib: dice.number(),
            labels: (0..dice.many()).map(|_| forged::param(dice)).collect(),
            held: (0..dice.many()).map(|_| forged::lease(dice, &self.leases)).collect(),
            ..Default::default()
        };
        if again {
            (request.worker, request.session) = self.someone();
        }
        let called = timeout(PATIENCE, self.work.register(request)).await;
        if let Some(response) = tally.call(called) {
            let response = response.into_inner();
            keep(&mut self.selves, (response.worker, response.session));
        }
    }

    async fn take(&mut self, tally: &mut Tally) {
        let (worker, session) = self.someone();
        let want = if self.dice.one_in(10) { self.dice.small() } else { 1 };
        let request = v1::TakeRequest { worker, session, want, wait_ms: self.dice.below(3) as u32 };
        let called = timeout(PATIENCE, self.work.take(request)).await;
        if let Some(response) = tally.call(called) {
            for assignment in response.into_inner().assignments {
                if let (Some(lease), Some(question)) = (assignment.lease, assignment.question) {
                    keep(&mut self.leases, lease);
                    keep(&mut self.questions, question);
                }
            }
        }
    }

    async fn hand_in(&mut self, tally: &mut Tally) {
        let (worker, session) = self.someone();
        let place = self.dice.below(self.leases.len() as u64) as usize;
        // What it was really asked, so that the lie is about the right thing.
        let given: Vec<v1::Lease> = match self.leases.get(place) {
            Some(lease) if !self.dice.one_in(3) => vec![*lease],
            _ => self.leases.clone(),
        };
        let truth = self.questions.get(place).cloned();
        let truth = truth.and_then(|question| self.truth.of(&question));
        let others = self.truth.of_another();
        let count = if self.dice.one_in(20) { self.dice.many() } else { 1 };
        let outcomes = (0..count)
            .map(|_| forged::outcome(&mut self.dice, &given, truth.as_ref(), &others))
            .collect();
        let request = v1::HandInRequest { worker, session, outcomes };
        let called = timeout(PATIENCE, self.work.hand_in(request)).await;
        if let Some(response) = tally.call(called) {
            let receipts = response.into_inner().receipts;
            let used = |receipt: &&v1::Receipt| receipt.status() == ReceiptStatus::Accepted;
            tally.counted += receipts.iter().filter(used).count() as u64;
        }
    }

    async fn heartbeat(&mut self, tally: &mut Tally) {
        let (worker, session) = self.someone();
        let dice = &mut self.dice;
        let progress = (0..dice.many()).map(|_| forged::progress(dice, &self.leases)).collect();
        let wait_ms = if dice.one_in(50) { dice.small() } else { 0 };
        let request = v1::HeartbeatRequest { worker, session, progress, wait_ms };
        tally.call(timeout(PATIENCE, self.work.heartbeat(request)).await);
    }

    /// Uploads: true bytes under another name, damaged ones, none at all, and some that never end.
    async fn put_certificate(&mut self, tally: &mut Tally) {
        let (worker, session) = self.someone();
        let truth = self.dice.of(&self.questions).cloned();
        let truth = truth.and_then(|question| self.truth.of(&question));
        let dice = &mut self.dice;
        let real = truth.and_then(|truth| {
            let name = truth.answer.certificates.first()?.name.clone();
            Some((name, truth.certificates.first()?.clone()))
        });
        let (name, bytes) = match real.filter(|_| !dice.one_in(3)) {
            Some((name, bytes)) => (name, forged::damaged(dice, bytes)),
            None => (dice.text(), dice.up_to_power(14)),
        };
        let name = if dice.one_in(4) { dice.text() } else { name };
        let lease = (!dice.one_in(6)).then(|| forged::lease(dice, &self.leases));
        let first = v1::PutCertificateRequest { lease, name, data: Vec::new(), worker, session };
        let mut pieces = vec![first];
        for piece in bytes.chunks(1 + bytes.len() / 3) {
            pieces.push(v1::PutCertificateRequest { data: piece.to_vec(), ..Default::default() });
        }
        match dice.below(8) {
            0 => pieces.clear(),
            1 => drop(pieces.remove(0)),
            2 => {
                let other = 1 % pieces.len().max(1);
                pieces.swap(0, other);
            }
            _ => {}
        }
        if dice.one_in(10) {
            // The end never comes; the connection is closed after a while.
            use tokio_stream::StreamExt as _;
            let endless = tokio_stream::iter(pieces).chain(tokio_stream::pending());
            let patience = Duration::from_millis(20 + dice.below(200));
            tally.call(timeout(patience, self.work.put_certificate(endless)).await);
            return;
        }
        let pieces = tokio_stream::iter(pieces);
        tally.call(timeout(PATIENCE, self.work.put_certificate(pieces)).await);
    }

    async fn leave(&mut self, tally: &mut Tally) {
        let (worker, session) = self.someone();
        let request = v1::LeaveRequest { worker, session };
        tally.call(timeout(PATIENCE, self.work.leave(request)).await);
    }

    /// Who it says it is, and for which leases.
    fn caller(&mut self) -> Option<v1::Caller> {
        let (worker, session) = self.someone();
        let leases = (0..self.dice.below(4)).filter_map(|_| {
            let count = self.leases.len().max(1);
            self.leases.get(self.dice.below(count as u64) as usize).copied()
        });
        let caller = v1::Caller { worker, session, leases: leases.collect() };
        (!self.dice.one_in(9)).then_some(caller)
    }

    async fn sync(&mut self, tally: &mut Tally) {
        let caller = self.caller();
        let dice = &mut self.dice;
        let request = v1::SyncRequest {
            problem: forged::problem(dice),
            caller,
            records: (!dice.one_in(6)).then(|| forged::records(dice)),
            after: dice.number(),
            limit: dice.small(),
            passing: dice.one_in(3).then(|| forged::records(dice)),
        };
        tally.call(timeout(PATIENCE, self.positions.sync(request)).await);
    }

    /// Looks up nonsense, and opens a stream that it does not read.
    async fn look_up(&mut self, tally: &mut Tally) {
        let caller = self.caller();
        let dice = &mut self.dice;
        if dice.one_in(3) {
            let (problem, min_work) = (forged::problem(dice), dice.number());
            let request = v1::LoadRequest { problem, min_work, caller };
            let called = timeout(PATIENCE, self.positions.load(request)).await;
            tally.call(called.map(|stream| stream.map(drop)));
            return;
        }
        let keys = dice.up_to_power(12);
        let request = v1::LookupRequest { problem: forged::problem(dice), keys, caller };
        tally.call(timeout(PATIENCE, self.positions.lookup(request)).await);
    }

    async fn notes(&mut self, tally: &mut Tally) {
        let caller = self.caller();
        let dice = &mut self.dice;
        let problem = forged::problem(dice);
        if dice.one_in(2) {
            let keys = dice.up_to_power(12);
            let request = v1::GetNotesRequest { problem, keys, caller };
            tally.call(timeout(PATIENCE, self.positions.get_notes(request)).await);
        } else {
            let notes = Some(forged::records(dice));
            let request = v1::PutNotesRequest { problem, notes, caller };
            tally.call(timeout(PATIENCE, self.positions.put_notes(request)).await);
        }
    }
}

/// Remembers something, and forgets the oldest.
fn keep<T>(list: &mut Vec<T>, new: T) {
    if list.len() >= MOST {
        list.remove(0);
    }
    list.push(new);
}
