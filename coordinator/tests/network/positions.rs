//! Workers and the shared store over a real socket.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_coordinator::server::Security;
use hasami_proto::pack::{MAX_RECORDS, pack_keys, pack_problem, unpack};
use hasami_proto::v1::{LoadRequest, LookupRequest, Records, SyncRequest};
use hasami_store::{Record, Store, StoreError};
use tokio_stream::StreamExt;
use tonic::Code;

use crate::cluster::{Cluster, PROBLEM, keys, open, pack, records, sync};

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
    let request = SyncRequest { problem: pack_problem(PROBLEM), worker: 3, ..Default::default() };
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
        worker: 1,
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
    let lookup =
        |keys: &[Key]| LookupRequest { problem: pack_problem(PROBLEM), keys: pack_keys(keys) };
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
        let request = LoadRequest { problem: pack_problem(PROBLEM), min_work };
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
        let request = LoadRequest { problem: pack_problem(PROBLEM), min_work: 0 };
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
        worker: 1,
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
    let lookup = LookupRequest { problem: pack_problem(PROBLEM), keys: vec![0; 17] };
    assert_eq!(worker.lookup(lookup).await.unwrap_err().code(), Code::InvalidArgument);
    let found = cluster.positions.find(PROBLEM, vec![Key(1), Key(2)]).await.unwrap();
    assert_eq!(found, [None, None]);
    cluster.stop().await;
}

#[tokio::test]
async fn a_contradiction_ends_all_calls_and_is_told() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    let mut told = cluster.positions.fault();
    let proven = pack([(Key(1), Record::new(Numbers::PROVEN, 5, 0))]);
    let disproven = pack([(Key(1), Record::new(Numbers::DISPROVEN, 5, 0))]);
    sync(&mut worker, 1, proven, 0).await.unwrap();
    sync(&mut worker, 1, disproven, 0).await.unwrap();
    let lookup = LookupRequest { problem: pack_problem(PROBLEM), keys: pack_keys(&[Key(1)]) };
    let status = worker.lookup(lookup.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    assert!(status.message().contains("both proven and disproven"), "{status}");
    told.changed().await.unwrap();
    assert!(matches!(*told.borrow(), Some(StoreError::Contradiction { .. })));
    let later = [
        sync(&mut worker, 1, records([9]), 0).await.unwrap_err(),
        sync(&mut worker, 1, records([]), 0).await.unwrap_err(),
        worker.lookup(lookup).await.unwrap_err(),
        worker
            .load(LoadRequest { problem: pack_problem(ProblemId(3)), min_work: 0 })
            .await
            .unwrap_err(),
    ];
    for status in later {
        assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    }
    assert!(matches!(cluster.positions.flush().await, Err(StoreError::Contradiction { .. })));
    cluster.stop().await;
}

#[tokio::test]
async fn a_writer_that_panics_is_told_of() {
    let (cluster, trial) = on_trial(Duration::ZERO).await;
    let (mut worker, mut told) = (cluster.worker(), cluster.positions.fault());
    trial.panics.store(true, Ordering::SeqCst);
    let status = sync(&mut worker, 1, records([1]), 0).await.unwrap_err();
    assert_eq!(status.code(), Code::Internal, "{status}");
    told.changed().await.unwrap();
    assert!(cluster.positions.flush().await.is_err());
    cluster.stop().await;
}

/// A store that counts, is slow, and fails when told to.
struct Trial {
    inner: Arc<dyn Store>,
    full: AtomicBool,
    unsynced: AtomicBool,
    panics: AtomicBool,
    slow: Duration,
    writes: AtomicU64,
    syncs: AtomicU64,
}

impl Trial {
    fn new(inner: Arc<dyn Store>, slow: Duration) -> Arc<Self> {
        let [full, unsynced, panics] = [false; 3].map(AtomicBool::new);
        let (writes, syncs) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { inner, full, unsynced, panics, slow, writes, syncs })
    }
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
        std::thread::sleep(self.slow);
        assert!(!self.panics.load(Ordering::SeqCst), "told to panic");
        self.writes.fetch_add(1, Ordering::SeqCst);
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

async fn on_trial(slow: Duration) -> (Cluster, Arc<Trial>) {
    let data = tempfile::tempdir().unwrap();
    let trial = Trial::new(open(data.path()), slow);
    let store = Arc::clone(&trial);
    (Cluster::over(data, store, Security::Tokens).await, trial)
}

#[tokio::test]
async fn a_full_disk_refuses_loses_nothing_and_passes() {
    let (cluster, trial) = on_trial(Duration::ZERO).await;
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
    let (cluster, trial) = on_trial(Duration::ZERO).await;
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
    let (cluster, trial) = on_trial(Duration::from_millis(50)).await;
    let begun = Instant::now();
    let calls: Vec<_> = (0..40)
        .map(|worker| {
            let mut client = cluster.worker();
            tokio::spawn(async move { sync(&mut client, worker, records([worker]), 0).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    let (writes, took) = (trial.writes.load(Ordering::SeqCst), begun.elapsed());
    assert!(writes <= 15, "{writes} writes in {took:?}");
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
    let (cluster, _trial) = on_trial(Duration::from_secs(3)).await;
    let mut worker = cluster.worker();
    let mut request = tonic::Request::new(SyncRequest {
        problem: pack_problem(PROBLEM),
        worker: 1,
        records: Some(records([1])),
        after: 0,
        limit: 0,
        passing: None,
    });
    // Set by hand, so that the server alone watches it.
    request.metadata_mut().insert("grpc-timeout", "100m".parse().unwrap());
    let begun = Instant::now();
    let status = worker.sync(request).await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_millis(2900), "{:?}", begun.elapsed());
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status}");
    cluster.positions.flush().await.unwrap();
    let found = cluster.positions.find(PROBLEM, vec![Key(1)]).await.unwrap();
    assert!(found[0].is_some());
    cluster.stop().await;
}
