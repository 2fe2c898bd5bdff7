//! Workers and the shared store over a real socket.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_coordinator::server::Security;
use hasami_proto::pack::{MAX_RECORDS, pack_keys, pack_problem, unpack};
use hasami_proto::v1::{LoadRequest, LookupRequest, Records, SyncRequest};
use hasami_store::{Record, Store, StoreError};
use tokio_stream::StreamExt;
use tonic::Code;

use crate::cluster::{Cluster, LIMIT, PROBLEM, caller, keys, open, pack, records, sync};

#[tokio::test]
async fn two_workers_hear_of_each_other_and_not_of_themselves() {
    let cluster = Cluster::start(Security::Tokens).await;
    let (mut one, mut two) = (cluster.worker(), cluster.worker());
    let first = sync(&mut one, 1, records(0..10), 0).await.unwrap();
    assert_eq!((first.records.unwrap().count, first.more), (0, false));
    assert!(first.min_work >= 1);
    let second = sync(&mut two, 2, records(10..15), 0).await.unwrap();
    assert_eq!(keys(&second.records.unwrap()), (0..10).collect::<Vec<_>>());
    let again = sync(&mut two, 2, records([]), second.sequence).await.unwrap();
    assert_eq!(again.records.unwrap().count, 0);
    let third = sync(&mut one, 1, records([]), first.sequence).await.unwrap();
    assert_eq!(keys(&third.records.unwrap()), (10..15).collect::<Vec<_>>());

    // Nothing is wanted: nothing is told, and nothing is passed over.
    let request =
        SyncRequest { problem: pack_problem(PROBLEM), caller: caller(3), ..Default::default() };
    let reply = one.sync(request).await.unwrap().into_inner();
    assert_eq!((reply.records.unwrap().count, reply.sequence), (0, 0));
    cluster.stop().await;
}

#[tokio::test]
async fn what_passes_is_told_to_others_and_not_written() {
    let cluster = Cluster::start(Security::Tokens).await;
    let (mut one, mut two) = (cluster.worker(), cluster.worker());
    let request = SyncRequest {
        problem: pack_problem(PROBLEM),
        caller: caller(1),
        records: Some(records([1, 2])),
        passing: Some(records([3, 4])),
        ..Default::default()
    };
    one.sync(request).await.unwrap();
    let heard = sync(&mut two, 2, records([]), 0).await.unwrap();
    assert_eq!((keys(&heard.records.unwrap()), heard.others), (vec![1, 2, 3, 4], 1));
    let found = cluster.positions.find(PROBLEM, (1..=4).map(Key).collect()).await.unwrap();
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false]);
    cluster.stop().await;
}

#[tokio::test]
async fn lookups_find_what_was_published_and_nothing_else() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    let open = Record::new(Numbers { proof: 3, disproof: 4 }, 99, 2);
    sync(&mut worker, 1, pack([(Key(5), open)]), 0).await.unwrap();
    let lookup = |keys: &[Key]| LookupRequest {
        problem: pack_problem(PROBLEM),
        keys: pack_keys(keys),
        caller: caller(1),
    };
    let found = worker.lookup(lookup(&[Key(4), Key(5)])).await.unwrap().into_inner();
    let found = found.records.unwrap();
    let found = unpack(&found).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, Record::decode(found[0].1)), (Key(5), Ok(open)));
    let other = LookupRequest { problem: pack_problem(ProblemId(8)), ..lookup(&[Key(5)]) };
    assert_eq!(worker.lookup(other).await.unwrap().into_inner().records.unwrap().count, 0);
    let found = cluster.positions.find(PROBLEM, vec![Key(5), Key(6)]).await.unwrap();
    assert_eq!(found, [Some(open), None]);
    cluster.stop().await;
}

#[tokio::test]
async fn a_load_brings_a_hundred_thousand_records_in_pieces() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    for first in (0..100_000).step_by(20_000) {
        sync(&mut worker, 1, records(first..first + 20_000), 0).await.unwrap();
    }
    for (min_work, expected) in [(0, 100_000), (99_000, 1_000), (100_000, 0)] {
        let request = LoadRequest { problem: pack_problem(PROBLEM), min_work, caller: caller(1) };
        let mut stream = worker.load(request).await.unwrap().into_inner();
        let (mut seen, mut pieces) = (Vec::new(), 0);
        while let Some(piece) = stream.next().await {
            let piece: Records = piece.unwrap().records.unwrap();
            assert!(piece.packed.len() < 300 << 10, "{}", piece.packed.len());
            seen.extend(keys(&piece));
            pieces += 1;
        }
        seen.sort_unstable();
        assert_eq!(seen, (min_work..min_work + expected).collect::<Vec<_>>());
        assert!(expected < 100_000 || pieces > 5, "{pieces}");
    }
    // One who goes away does not keep a place for ever.
    for _ in 0..20 {
        let request =
            LoadRequest { problem: pack_problem(PROBLEM), min_work: 0, caller: caller(1) };
        let mut stream = worker.load(request).await.unwrap().into_inner();
        stream.next().await.unwrap().unwrap();
    }
    cluster.stop().await;
}

#[tokio::test]
async fn hostile_requests_are_refused_and_leave_nothing() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    let good = records([1, 2]);
    let request = |problem: Vec<u8>, records| SyncRequest {
        problem,
        caller: caller(1),
        records: Some(records),
        after: 0,
        limit: 10,
        passing: None,
    };
    let passing = |passing| SyncRequest {
        passing: Some(passing),
        ..request(pack_problem(PROBLEM), records([]))
    };
    let cut = Records { packed: good.packed[..good.packed.len() - 1].to_vec(), count: 2 };
    let liar = Records { count: 3, ..good.clone() };
    let mut nonsense = good.clone();
    nonsense.packed[18] = 0xff;
    let many = records(0..MAX_RECORDS as u64 + 1);
    for (what, request) in [
        ("problem", request(vec![1; 15], good.clone())),
        ("cut", request(pack_problem(PROBLEM), cut)),
        ("liar", request(pack_problem(PROBLEM), liar)),
        ("nonsense", request(pack_problem(PROBLEM), nonsense.clone())),
        ("nonsense in passing", passing(nonsense)),
        ("many", request(pack_problem(PROBLEM), many)),
    ] {
        let status = worker.sync(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{what}: {status}");
    }
    let lookup =
        LookupRequest { problem: pack_problem(PROBLEM), keys: vec![0; 17], caller: caller(1) };
    assert_eq!(worker.lookup(lookup).await.unwrap_err().code(), Code::InvalidArgument);
    let found = cluster.positions.find(PROBLEM, vec![Key(1), Key(2)]).await.unwrap();
    assert_eq!(found, [None, None]);
    cluster.stop().await;
}

fn lookup(problem: ProblemId, key: Key) -> LookupRequest {
    LookupRequest { problem: pack_problem(problem), keys: pack_keys(&[key]), caller: caller(1) }
}

fn verdict(numbers: Numbers) -> (Key, Record) {
    (Key(1), Record::new(numbers, 5, 0))
}

#[tokio::test]
async fn a_contradiction_names_both_and_concerns_its_problem_until_it_is_cleared() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    let mut told = cluster.positions.watch_faults();
    sync(&mut worker, 3, pack([verdict(Numbers::PROVEN)]), 0).await.unwrap();
    let itself = sync(&mut worker, 3, pack([verdict(Numbers::DISPROVEN)]), 0).await.unwrap_err();
    assert_eq!(itself.code(), Code::InvalidArgument, "{itself}");
    sync(&mut worker, 1, records([9]), 0).await.unwrap();
    let status = sync(&mut worker, 4, pack([verdict(Numbers::DISPROVEN)]), 0).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    assert!(status.message().contains("both proven and disproven"), "{status}");
    told.changed().await.unwrap();
    assert_eq!(told.borrow_and_update().problems[&PROBLEM].senders, [3, 4]);
    let load =
        |problem| LoadRequest { problem: pack_problem(problem), min_work: 0, caller: caller(1) };
    for status in [
        sync(&mut worker, 1, records([9]), 0).await.unwrap_err(),
        worker.lookup(lookup(PROBLEM, Key(1))).await.unwrap_err(),
        worker.load(load(PROBLEM)).await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    }
    // Other problems are not concerned.
    worker.lookup(lookup(ProblemId(3), Key(1))).await.unwrap();
    worker.load(load(ProblemId(3))).await.unwrap();
    cluster.positions.flush().await.unwrap();
    cluster.positions.clear(PROBLEM).await.unwrap();
    let found = worker.lookup(lookup(PROBLEM, Key(1))).await.unwrap().into_inner();
    assert_eq!(found.records.unwrap().count, 0, "its records are gone");
    sync(&mut worker, 4, pack([verdict(Numbers::DISPROVEN)]), 0).await.unwrap();
    cluster.stop().await;
}

/// The senders of old records are not known, but the store knows the records.
#[tokio::test]
async fn a_contradiction_to_what_was_stored_long_ago_is_noticed_and_cleared() {
    let data = tempfile::tempdir().unwrap();
    open(data.path()).publish(PROBLEM, &[verdict(Numbers::PROVEN)]).unwrap();
    let store = open(data.path());
    let cluster = Cluster::over(data, store, Security::Tokens).await;
    let mut worker = cluster.worker();
    sync(&mut worker, 4, pack([verdict(Numbers::DISPROVEN)]), 0).await.unwrap();
    let status = worker.lookup(lookup(PROBLEM, Key(1))).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    let senders = cluster.positions.watch_faults().borrow().problems[&PROBLEM].senders.clone();
    assert_eq!(senders, [4]);
    cluster.positions.clear(PROBLEM).await.unwrap();
    worker.lookup(lookup(PROBLEM, Key(1))).await.unwrap();
    cluster.stop().await;
}

#[tokio::test]
async fn a_writer_that_panics_is_told_of() {
    let (cluster, trial) = on_trial().await;
    let (mut worker, mut told) = (cluster.worker(), cluster.positions.watch_faults());
    trial.panics.store(true, Ordering::SeqCst);
    let status = sync(&mut worker, 1, records([1]), 0).await.unwrap_err();
    assert_eq!(status.code(), Code::Internal, "{status}");
    told.changed().await.unwrap();
    assert!(cluster.positions.flush().await.is_err());
    cluster.stop().await;
}

/// Holds up whoever passes while it is shut.
#[derive(Default)]
struct Gate {
    shut: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn set(&self, shut: bool) {
        *self.shut.lock().unwrap() = shut;
        self.opened.notify_all();
    }

    fn pass(&self) {
        drop(self.opened.wait_while(self.shut.lock().unwrap(), |shut| *shut).unwrap());
    }
}

/// A store that counts, waits, and fails when told to.
struct Trial {
    inner: Arc<dyn Store>,
    full: AtomicBool,
    unsynced: AtomicBool,
    panics: AtomicBool,
    gate: Gate,
    writes: AtomicU64,
    syncs: AtomicU64,
}

impl Trial {
    fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        let [full, unsynced, panics] = [false; 3].map(AtomicBool::new);
        let (writes, syncs) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { inner, full, unsynced, panics, gate: Gate::default(), writes, syncs })
    }
}

/// Waits until something is being written.
async fn until_written(trial: &Trial) {
    let written = async {
        while trial.writes.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LIMIT, written).await.expect("a write");
}

fn refusal() -> StoreError {
    StoreError::Io { path: "/data".into(), detail: "No space left on device".into() }
}

impl Store for Trial {
    fn lookup(
        &self,
        problem: ProblemId,
        keys: &[Key],
        out: &mut Vec<Option<Record>>,
    ) -> Result<(), StoreError> {
        self.inner.lookup(problem, keys, out)
    }

    fn publish(&self, problem: ProblemId, records: &[(Key, Record)]) -> Result<(), StoreError> {
        assert!(!self.panics.load(Ordering::SeqCst), "told to panic");
        self.writes.fetch_add(1, Ordering::SeqCst);
        self.gate.pass();
        if self.full.load(Ordering::SeqCst) {
            return Err(refusal());
        }
        self.inner.publish(problem, records)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.syncs.fetch_add(1, Ordering::SeqCst);
        if self.unsynced.load(Ordering::SeqCst) {
            return Err(refusal());
        }
        self.inner.sync()
    }

    fn scan(
        &self,
        problem: ProblemId,
        min_work: u64,
        visit: &mut dyn FnMut(Key, Record),
    ) -> Result<(), StoreError> {
        self.inner.scan(problem, min_work, visit)
    }

    fn faults(&self) -> Vec<StoreError> {
        self.inner.faults()
    }

    fn forget(&self, problem: ProblemId) -> Result<(), StoreError> {
        self.inner.forget(problem)
    }

    fn notes(&self, family: ProblemId, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.inner.notes(family, keys)
    }

    fn keep_notes(&self, family: ProblemId, notes: &[(Key, Vec<u8>)]) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(refusal());
        }
        self.inner.keep_notes(family, notes)
    }
}

async fn on_trial() -> (Cluster, Arc<Trial>) {
    let data = tempfile::tempdir().unwrap();
    let trial = Trial::new(open(data.path()));
    let store = Arc::clone(&trial);
    (Cluster::over(data, store, Security::Tokens).await, trial)
}

#[tokio::test]
async fn a_full_disk_refuses_loses_nothing_and_passes() {
    let (cluster, trial) = on_trial().await;
    let (mut one, mut two) = (cluster.worker(), cluster.worker());
    sync(&mut one, 1, records([1]), 0).await.unwrap();
    trial.full.store(true, Ordering::SeqCst);
    let status = sync(&mut one, 1, records([2]), 0).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    // What was not taken is not told either.
    let news = sync(&mut two, 2, records([]), 0).await.unwrap();
    assert_eq!(keys(&news.records.unwrap()), [1]);
    trial.full.store(false, Ordering::SeqCst);
    sync(&mut one, 1, records([2]), 0).await.unwrap();
    let news = sync(&mut two, 2, records([]), news.sequence).await.unwrap();
    assert_eq!(keys(&news.records.unwrap()), [2]);
    cluster.positions.flush().await.unwrap();
    cluster.stop().await;
}

#[tokio::test]
async fn after_a_failed_sync_nothing_is_believed() {
    let (cluster, trial) = on_trial().await;
    let mut worker = cluster.worker();
    sync(&mut worker, 1, records([1]), 0).await.unwrap();
    cluster.positions.flush().await.unwrap();
    trial.unsynced.store(true, Ordering::SeqCst);
    assert_eq!(cluster.positions.flush().await, Err(refusal()));
    trial.unsynced.store(false, Ordering::SeqCst);
    assert_eq!(cluster.positions.flush().await, Err(refusal()));
    let status = sync(&mut worker, 1, records([2]), 0).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    assert_eq!(trial.syncs.load(Ordering::SeqCst), 2);
    cluster.stop().await;
}

#[tokio::test]
async fn requests_that_wait_are_written_together() {
    let (cluster, trial) = on_trial().await;
    trial.gate.set(true);
    let calls: Vec<_> = (0..40)
        .map(|worker| {
            let mut client = cluster.worker();
            tokio::spawn(async move { sync(&mut client, worker, records([worker]), 0).await })
        })
        .collect();
    // One is being written, and all others have come meanwhile.
    let all = async {
        while cluster.callers.0.load(Ordering::SeqCst) < 40 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LIMIT, all).await.expect("forty callers");
    until_written(&trial).await;
    trial.gate.set(false);
    for call in calls {
        call.await.unwrap().unwrap();
    }
    let writes = trial.writes.load(Ordering::SeqCst);
    assert!(writes <= 15, "{writes} writes");
    let all = cluster.positions.find(PROBLEM, (0..40).map(Key).collect()).await.unwrap();
    assert!(all.iter().all(Option::is_some));
    cluster.stop().await;
}

#[tokio::test]
async fn what_was_flushed_is_there_after_a_restart() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    sync(&mut worker, 1, records(0..100), 0).await.unwrap();
    cluster.positions.flush().await.unwrap();
    drop(worker);
    let data = cluster.stop().await;
    // The store is free as soon as the last handle is gone.
    let store = open(data.path());
    let mut found = Vec::new();
    store.lookup(PROBLEM, &(0..100).map(Key).collect::<Vec<_>>(), &mut found).unwrap();
    assert!(found.iter().all(Option::is_some));
}

#[tokio::test]
async fn a_deadline_is_kept_and_the_write_is_done_all_the_same() {
    let (cluster, trial) = on_trial().await;
    trial.gate.set(true);
    let mut worker = cluster.worker();
    let mut request = tonic::Request::new(SyncRequest {
        problem: pack_problem(PROBLEM),
        caller: caller(1),
        records: Some(records([1])),
        after: 0,
        limit: 0,
        passing: None,
    });
    // Set by hand, so that the server alone watches it.
    request.metadata_mut().insert("grpc-timeout", "1000m".parse().unwrap());
    // The write is held up for as long as the call lasts.
    let status = tokio::time::timeout(LIMIT, worker.sync(request)).await.expect("an end");
    let status = status.unwrap_err();
    until_written(&trial).await;
    trial.gate.set(false);
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status}");
    cluster.positions.flush().await.unwrap();
    let found = cluster.positions.find(PROBLEM, vec![Key(1)]).await.unwrap();
    assert!(found[0].is_some());
    cluster.stop().await;
}
