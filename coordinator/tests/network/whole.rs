//! A whole coordinator and callers that say things twice, late, out of order, in another version, or
//! do not listen.

use hasami_answer::CATALOG;
use std::sync::Arc;
use std::time::Duration;

use hasami_coordinator::core::Found;
use hasami_coordinator::{Coordinator, Options};
use hasami_proto::v1::run_service_client::RunServiceClient;
use hasami_proto::v1::work_service_client::WorkServiceClient;
use hasami_proto::v1::{
    Answer, HandInRequest, HeartbeatRequest, Lease, ListRequest, Measures, Outcome, Progress,
    ProtocolRange, ReceiptStatus, RegisterRequest, RunInfo, ShowRequest, SubmitRequest,
    TakeRequest, Verdict, WatchRequest, WorkersRequest, outcome,
};
use hasami_proto::{Access, Authorized, OLDEST_PROTOCOL, PROTOCOL, Refusal, Trouble, Who, connect};
use hasami_sweep::Basis;
use tempfile::TempDir;

use crate::cluster::{LIMIT, narrow};

pub async fn start(data: &TempDir) -> Coordinator {
    let options = Options {
        catalog: CATALOG,
        verifier: Arc::new(|_, _, _| Found::Holds { basis: Basis::Proved, unproved: Vec::new() }),
        verify_threads: 1,
        data: data.path().to_owned(),
        listen: ([127, 0, 0, 1], 0).into(),
        insecure: false,
        names: Vec::new(),
        checkpoints: None,
        store: None,
        lease: Duration::from_secs(60),
        heartbeat: Duration::from_millis(50),
        progress: Duration::from_secs(600),
        elsewhere: hasami_coordinator::Elsewhere::default(),
        workers_return: true,
        http: None,
    };
    Coordinator::start(options).await.unwrap()
}

pub fn client(coordinator: &Coordinator) -> RunServiceClient<Authorized> {
    connect(coordinator.access(), Who::Client).unwrap().runs()
}

fn sweep(items: u32) -> String {
    format!("name = 't'\nproblem = 'synthetic'\nkind = 'map'\n[parameters]\nseed = '0..{items}'\n")
}

pub async fn submit(client: &mut RunServiceClient<Authorized>, items: u32) -> RunInfo {
    let protocol = Some(ProtocolRange::OURS);
    let request = SubmitRequest { sweep: sweep(items), force: false, protocol };
    client.submit(request).await.unwrap().into_inner().run.unwrap()
}

/// A worker that says what a test wants it to.
pub struct Scripted {
    pub client: WorkServiceClient<Authorized>,
    pub worker: u64,
    pub session: u64,
}

impl Scripted {
    pub async fn register(coordinator: &Coordinator) -> Self {
        Self::with(coordinator.access()).await
    }

    pub async fn with(access: &Access) -> Self {
        let mut client = connect(access, Who::Worker).unwrap().work();
        let request = RegisterRequest {
            protocol: Some(ProtocolRange::OURS),
            threads: 1,
            ..Default::default()
        };
        let reply = client.register(request).await.unwrap().into_inner();
        Self { client, worker: reply.worker, session: reply.session }
    }

    pub fn outcomes(&self, outcomes: Vec<Outcome>) -> HandInRequest {
        HandInRequest { worker: self.worker, session: self.session, outcomes }
    }

    fn wants(&self, want: u32) -> TakeRequest {
        TakeRequest { worker: self.worker, session: self.session, want, wait_ms: 0 }
    }

    pub async fn take(&mut self, want: u32) -> Vec<Lease> {
        let request = self.wants(want);
        let response = self.client.take(request).await.unwrap().into_inner();
        response.assignments.into_iter().map(|given| given.lease.unwrap()).collect()
    }

    pub async fn hand_in(&self, outcome: Outcome) -> ReceiptStatus {
        let request = self.outcomes(vec![outcome]);
        let response = self.client.clone().hand_in(request).await.unwrap().into_inner();
        response.receipts[0].status()
    }

    /// A heartbeat that names nothing.
    async fn heartbeat(&mut self) {
        let (worker, session) = (self.worker, self.session);
        let request = HeartbeatRequest { worker, session, ..Default::default() };
        self.client.heartbeat(request).await.unwrap();
    }
}

/// Waits until this many answers are verified.
async fn until_settled(
    client: &mut RunServiceClient<Authorized>,
    run: u64,
    settled: u64,
) -> RunInfo {
    tokio::time::timeout(LIMIT, async {
        loop {
            let shown = client.show(ShowRequest { run }).await.unwrap().into_inner().run.unwrap();
            if shown.counts.unwrap().settled >= settled {
                return shown;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("answers are verified")
}

pub fn answered(lease: Lease, nodes: u64) -> Outcome {
    let answer = Answer {
        verdict: Verdict::Proven.into(),
        claim: "it is so".to_string(),
        measures: Some(Measures { nodes, ..Measures::default() }),
        ..Answer::default()
    };
    Outcome { lease: Some(lease), kind: Some(outcome::Kind::Answer(answer)) }
}

#[tokio::test]
async fn a_result_that_arrives_again_and_again_counts_once() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut client = client(&coordinator);
    let run = submit(&mut client, 3).await.run;
    let mut worker = Scripted::register(&coordinator).await;
    let leases = worker.take(3).await;
    assert_eq!(leases.len(), 3);
    // Twice in one call, and in many at the same time.
    let twice = vec![answered(leases[0], 5), answered(leases[0], 5)];
    let response = worker.client.hand_in(worker.outcomes(twice)).await.unwrap().into_inner();
    let statuses: Vec<_> = response.receipts.iter().map(|receipt| receipt.status()).collect();
    assert_eq!(statuses, [ReceiptStatus::Accepted, ReceiptStatus::AlreadyCounted]);
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let request = worker.outcomes(vec![answered(leases[1], 7)]);
        let mut client = worker.client.clone();
        calls.spawn(async move { client.hand_in(request).await.unwrap().into_inner() });
    }
    let mut used = 0;
    while let Some(reply) = calls.join_next().await {
        used += usize::from(reply.unwrap().receipts[0].status() == ReceiptStatus::Accepted);
    }
    assert_eq!(used, 1, "of sixteen copies");
    worker.hand_in(answered(leases[2], 11)).await;
    let shown = until_settled(&mut client, run, 3).await;
    assert_eq!(shown.nodes, 23);
    // And after the end, and after a restart.
    assert_eq!(worker.hand_in(answered(leases[2], 11)).await, ReceiptStatus::RunOver);
    coordinator.stop().await.unwrap();
    let coordinator = start(&data).await;
    let worker = Scripted::register(&coordinator).await;
    assert_eq!(worker.hand_in(answered(leases[1], 7)).await, ReceiptStatus::RunOver);
    let mut client = self::client(&coordinator);
    let shown = client.show(ShowRequest { run }).await.unwrap().into_inner().run.unwrap();
    assert_eq!((shown.counts.unwrap().settled, shown.nodes), (3, 23));
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn calls_in_another_order_than_they_were_made_lose_nothing() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut client = client(&coordinator);
    let run = submit(&mut client, 4).await.run;
    let mut worker = Scripted::register(&coordinator).await;
    let leases = worker.take(2).await;
    // Heartbeats from before the grant arrive after it: one or two mean nothing.
    worker.heartbeat().await;
    worker.heartbeat().await;
    assert_eq!(worker.hand_in(answered(leases[1], 1)).await, ReceiptStatus::Accepted);
    assert_eq!(worker.hand_in(answered(leases[0], 1)).await, ReceiptStatus::Accepted);
    // A grant that is never named again goes back; the late result of it is still the latest attempt.
    let lost = worker.take(1).await[0];
    let other = tokio::time::timeout(LIMIT, async {
        loop {
            worker.heartbeat().await;
            let mut other = Scripted::register(&coordinator).await;
            if let Some(again) = other.take(2).await.into_iter().find(|l| l.item == lost.item) {
                return (other, again);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    let (other, again) = other.await.expect("what nobody names goes to somebody else");
    assert_eq!(again.attempt, lost.attempt + 1);
    assert_eq!(worker.hand_in(answered(lost, 1)).await, ReceiptStatus::Superseded);
    assert_eq!(other.hand_in(answered(again, 1)).await, ReceiptStatus::Accepted);
    // A worker from before, whose words were under way for long, is asked to register.
    let ghost = Scripted { session: worker.session ^ 1, ..worker };
    let stale = ghost.client.clone().take(ghost.wants(1)).await.unwrap_err();
    assert!(matches!(Trouble::from(&stale), Trouble::UnknownWorker(_)), "{stale}");
    let stale = ghost.client.clone().hand_in(ghost.outcomes(Vec::new())).await.unwrap_err();
    assert!(matches!(Trouble::from(&stale), Trouble::UnknownWorker(_)), "{stale}");
    let shown = until_settled(&mut client, run, 3).await;
    assert_eq!(shown.counts.unwrap().settled, 3);
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn another_version_is_refused_with_both_named() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut worker = connect(coordinator.access(), Who::Worker).unwrap().work();
    let mut client = client(&coordinator);
    let range = |oldest, newest| ProtocolRange { oldest, newest };
    let older = range(1, OLDEST_PROTOCOL - 1);
    let newer = range(PROTOCOL + 1, PROTOCOL + 4);
    for theirs in [ProtocolRange::default(), older, newer] {
        let protocol = Some(theirs);
        let request = RegisterRequest { protocol, ..RegisterRequest::default() };
        let registered = worker.register(request).await.unwrap_err();
        let request = SubmitRequest { sweep: sweep(1), force: false, protocol };
        let submitted = client.submit(request).await.unwrap_err();
        for refused in [registered, submitted] {
            let trouble = Trouble::from(&refused);
            assert!(matches!(trouble, Trouble::Refused { why: Refusal::Version, .. }), "{refused}");
            let ours = format!("speaks version {PROTOCOL} of the protocol, the caller version");
            assert!(refused.message().contains(&ours), "{refused}");
            assert!(refused.message().contains(&theirs.newest.to_string()), "{refused}");
        }
    }
    // A newer worker that still speaks our version is welcome.
    let protocol = Some(range(PROTOCOL, PROTOCOL + 4));
    let request = RegisterRequest { protocol, ..RegisterRequest::default() };
    assert_eq!(worker.register(request).await.unwrap().into_inner().protocol, PROTOCOL);
    let runs = client.list(ListRequest::default()).await.unwrap().into_inner().runs;
    assert!(runs.is_empty(), "{runs:?}");
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn a_watcher_that_does_not_read_holds_nobody_up_and_hears_what_it_has_missed() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let access = coordinator.access();
    let mut watcher = RunServiceClient::new(narrow(access, access.client_token.as_deref()));
    let mut client = client(&coordinator);
    let items = 8_000;
    let run = submit(&mut client, items).await.run;
    let mut events = watcher.watch(WatchRequest { run }).await.unwrap().into_inner();
    // Every item has an event, many more than may wait for a reader, and nobody reads.
    let mut worker = Scripted::register(&coordinator).await;
    let mut left = items as usize;
    while left > 0 {
        let leases = tokio::time::timeout(LIMIT, worker.take(2_000)).await.expect("work is given");
        left -= leases.len();
        let outcomes = leases.into_iter().map(|lease| answered(lease, 1)).collect();
        worker.client.hand_in(worker.outcomes(outcomes)).await.unwrap();
    }
    until_settled(&mut client, run, items.into()).await;
    for _ in 0..20 {
        let protocol = Some(ProtocolRange::OURS);
        let request = SubmitRequest { sweep: sweep(1), force: true, protocol };
        client.submit(request).await.unwrap();
        let lease = tokio::time::timeout(LIMIT, worker.take(1)).await.expect("work is given")[0];
        assert_eq!(worker.hand_in(answered(lease, 1)).await, ReceiptStatus::Accepted);
    }
    let (mut heard, mut missed) = (0, 0);
    while heard + missed < u64::from(items) {
        let event = tokio::time::timeout(LIMIT, events.message()).await;
        let event = event.unwrap_or_else(|_| panic!("{heard} heard, {missed} missed"));
        heard += 1;
        missed += event.unwrap().expect("the watch goes on").event.unwrap().missed;
    }
    assert!(missed > 0, "{heard} events were heard, and none was missed");
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn the_speed_of_a_worker_is_what_its_heartbeats_say() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut client = client(&coordinator);
    submit(&mut client, 1).await;
    let mut worker = Scripted::register(&coordinator).await;
    let lease = worker.take(1).await[0];
    let mut nodes = 0;
    let speed = tokio::time::timeout(LIMIT, async {
        loop {
            nodes += 1_000;
            let progress = Progress { lease: Some(lease), nodes, ..Progress::default() };
            let (worker_no, session) = (worker.worker, worker.session);
            let progress = vec![progress];
            let request = HeartbeatRequest { worker: worker_no, session, progress, wait_ms: 0 };
            worker.client.heartbeat(request).await.unwrap();
            let response = client.workers(WorkersRequest {}).await.unwrap().into_inner();
            let speed = response.workers[0].nodes_per_second;
            if speed > 0.0 {
                return speed;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(speed.await.expect("a speed").is_finite());
    coordinator.stop().await.unwrap();
}
