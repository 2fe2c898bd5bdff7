//! The calls of a worker to a real coordinator, one at a time: what the simulation takes a message and
//! a look into the store to cost.

use std::time::Instant;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_proto::pack::{Packer, pack_keys, pack_problem};
use hasami_proto::v1::{
    Caller, HandInRequest, HandedBack, HeartbeatRequest, LookupRequest, Outcome, ProtocolRange,
    Records, RegisterRequest, SubmitRequest, SyncRequest, TakeRequest, outcome,
};
use hasami_proto::{Access, Who, connect};
use hasami_store::Record;
use tonic::Status;

use crate::cluster::{coordinator, failed, program};
use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

const PROBLEM: ProblemId = ProblemId(1);
/// Records in an exchange with the store: what a fast search finds in some tens of milliseconds.
const RECORDS: u64 = 1000;
/// States asked about before a unit is searched.
const ASKED: u64 = 30;

/// Times of one kind of call, in seconds.
struct Times {
    what: &'static str,
    seconds: Vec<f64>,
}

impl Times {
    fn new(what: &'static str) -> Self {
        Self { what, seconds: Vec::new() }
    }

    async fn time<T>(
        &mut self,
        call: impl Future<Output = Result<T, Status>>,
    ) -> Result<T, Status> {
        let started = Instant::now();
        let answer = call.await?;
        self.seconds.push(started.elapsed().as_secs_f64());
        Ok(answer)
    }

    fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * share) as usize] * 1e6
    }
}

/// Times every kind of call; the ratio is the median in microseconds.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let times = if quick { 100 } else { 1000 };
    let program = program()?;
    let directory = tempfile::tempdir().map_err(failed)?;
    let (_process, access) = coordinator(&program, directory.path())?;
    let access = Access::read(&access).map_err(failed)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let told = runtime.block_on(calls(&access, times))?;
    for times in told {
        figures.push(Figure {
            what: format!("microseconds: {}", times.what),
            values: format!(
                "{} calls, nine of ten within {:.0}",
                grouped(times.seconds.len() as u64),
                times.quantile(0.9)
            ),
            ratio: times.quantile(0.5),
            goal: None,
        });
    }
    Ok(())
}

async fn calls(access: &Access, count: usize) -> Result<Vec<Times>, Failure> {
    let client = connect(access, Who::Client).map_err(failed)?;
    let worker = connect(access, Who::Worker).map_err(failed)?;
    let sweep = format!(
        "name = \"calls\"\nproblem = \"synthetic\"\nkind = \"map\"\n[parameters]\nseed = \"1..={count}\"\n"
    );
    let protocol = Some(ProtocolRange::OURS);
    let submit = SubmitRequest { sweep, force: false, protocol };
    client.runs().submit(submit).await.map_err(failed)?;
    let (mut work, mut store) = (worker.work(), worker.positions());
    let register = RegisterRequest { protocol, threads: 1, ..Default::default() };
    let known = work.register(register).await.map_err(failed)?.into_inner();
    let (worker, session) = (known.worker, known.session);

    let [mut take, mut report, mut beat] =
        ["a unit is taken", "its outcome is acknowledged", "a heartbeat"].map(Times::new);
    let [mut nothing, mut kept, mut passing, mut look] = [
        "an exchange with the store, nothing to tell",
        "an exchange with the store, 1,000 records to write",
        "an exchange with the store, 1,000 records to pass on",
        "30 states looked up",
    ]
    .map(Times::new);
    for round in 0..count as u64 {
        let wanted = TakeRequest { worker, session, want: 1, wait_ms: 0 };
        let given = take.time(work.take(wanted)).await.map_err(failed)?;
        let lease = given.into_inner().assignments.into_iter().next().and_then(|unit| unit.lease);
        let heartbeat = HeartbeatRequest { worker, session, ..Default::default() };
        beat.time(work.heartbeat(heartbeat)).await.map_err(failed)?;
        let leases = lease.into_iter().collect();
        let caller = Some(Caller { worker, session, leases });
        let sync = |records, passing| SyncRequest {
            problem: pack_problem(PROBLEM),
            caller: caller.clone(),
            records: Some(records),
            passing: Some(passing),
            after: 0,
            limit: RECORDS as u32,
        };
        let none = Records::default;
        nothing.time(store.sync(sync(none(), none()))).await.map_err(failed)?;
        kept.time(store.sync(sync(records(round), none()))).await.map_err(failed)?;
        passing.time(store.sync(sync(none(), records(round)))).await.map_err(failed)?;
        let keys: Vec<Key> =
            (0..ASKED).map(|n| Key::mixed(u128::from(round * RECORDS + n))).collect();
        let (problem, keys) = (pack_problem(PROBLEM), pack_keys(&keys));
        let lookup = LookupRequest { problem, keys, caller: caller.clone() };
        look.time(store.lookup(lookup)).await.map_err(failed)?;
        // An answer without a certificate would be refuted.
        let outcome = Outcome { lease, kind: Some(outcome::Kind::HandedBack(HandedBack {})) };
        let outcomes = vec![outcome];
        let handed_in = HandInRequest { worker, session, outcomes };
        report.time(work.hand_in(handed_in)).await.map_err(failed)?;
    }
    Ok(vec![take, report, beat, nothing, kept, passing, look])
}

fn records(round: u64) -> Records {
    let (mut packer, mut bytes) = (Packer::new(), Vec::new());
    for key in (0..RECORDS).map(|n| Key::mixed(u128::from(round * RECORDS + n))) {
        bytes.clear();
        if Record::new(Numbers::PROVEN, 100, 0).encode(&mut bytes).is_ok() {
            let _ = packer.push(key, &bytes);
        }
    }
    packer.take()
}
