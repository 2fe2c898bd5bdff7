//! The whole loop against a scripted coordinator, with a fake computation.

mod coordinator;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hasami_andor::Key;
use hasami_proto::Refusal;
use hasami_proto::pack::pack_keys;
use hasami_proto::v1::{
    AnswerTask, Assignment, CertifyTask, EnumerateTask, FailureKind, HeartbeatResponse,
    OtherWorkers, Param, Question, RegisterRequest, Role, SearchTask, StopReason, Turn, Verdict,
    assignment, outcome,
};
use hasami_sweep::{Answer, Certificate, Measures};
use hasami_unit::{Attempt, ItemNo, Outcome, RunId, UnitNo};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::{Compute, Computed, Lease, LeasedUnit, Options, Stop, Summary, WorkerError, run_with};
use coordinator::{Coordinator, Process};

/// What a slow question takes.
const SLOW: Duration = Duration::from_secs(3);
/// Longer than anything takes that works at all, on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Does what the question says.
#[derive(Default)]
struct Fake {
    computed: Mutex<BTreeMap<Lease, u32>>,
    finished: Mutex<Vec<Lease>>,
    looked: Mutex<Vec<Lease>>,
    /// Whether what waits for the test goes on.
    released: AtomicBool,
}

impl Fake {
    fn times(&self, item: u32) -> u32 {
        self.computed.lock().unwrap().get(&lease(item)).copied().unwrap_or(0)
    }

    fn finished(&self, item: u32) -> bool {
        self.finished.lock().unwrap().contains(&lease(item))
    }

    /// Waits for the test, whatever the worker wants.
    fn wait(&self) {
        while !self.released.load(SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Compute for Fake {
    fn compute(&self, unit: &LeasedUnit) -> Computed {
        *self.computed.lock().unwrap().entry(unit.lease()).or_default() += 1;
        let done = |claim: &str| Answer {
            verdict: hasami_sweep::Verdict::Proven,
            claim: claim.to_string(),
            fields: Vec::new(),
            certificates: Vec::new(),
            measures: Measures::default(),
            check: None,
        };
        let answer = match unit.assignment.question.problem.as_str() {
            "quick" => done("at once"),
            "slow" => {
                std::thread::sleep(SLOW);
                done("after a while")
            }
            "held" => {
                self.wait();
                done("when it was time")
            }
            "deaf" => {
                self.wait();
                return Computed::Stopped;
            }
            "endless" => {
                while !unit.control.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                return Computed::Stopped;
            }
            "wary" => loop {
                if let Some((keys, depth)) = unit.control.take_others() {
                    break done(&format!("{depth} {keys:?}"));
                }
                std::thread::sleep(Duration::from_millis(1));
            },
            "certified" => {
                std::fs::create_dir_all(&unit.scratch).unwrap();
                let (name, bytes) = ("proof.cert".to_string(), vec![7; 600_000]);
                let file = unit.scratch.join(&name);
                std::fs::write(&file, &bytes).unwrap();
                let digest = *blake3::hash(&bytes).as_bytes();
                let proof = Certificate { name, digest, bytes: bytes.len() as u64 };
                let answer = Answer { certificates: vec![proof], ..done("with a proof") };
                return Computed::Done { outcome: Outcome::Answer(answer), files: vec![file] };
            }
            other => panic!("nobody can compute {other}"),
        };
        self.finished.lock().unwrap().push(unit.lease());
        Computed::done(Outcome::Answer(answer))
    }

    fn look(&self, lease: Lease) {
        self.looked.lock().unwrap().push(lease);
    }
}

fn lease(item: u32) -> Lease {
    Lease { run: RunId(3), item: ItemNo(item), unit: UnitNo(0), attempt: Attempt(1) }
}

fn unit(item: u32, problem: &str) -> Assignment {
    let question = Question { problem: problem.to_string(), ..Question::default() };
    let task = Some(assignment::Task::Answer(AnswerTask {}));
    Assignment { lease: Some(lease(item).into()), question: Some(question), task }
}

/// A worker that runs alongside the test.
struct Running {
    fake: Arc<Fake>,
    stop: watch::Sender<Stop>,
    task: JoinHandle<Result<Summary, WorkerError>>,
    directory: tempfile::TempDir,
}

fn worker(process: &Process) -> Running {
    with(|options| options.access = process.access())
}

fn with(change: impl FnOnce(&mut Options)) -> Running {
    let directory = tempfile::tempdir().unwrap();
    let mut options = Options {
        access: hasami_proto::Access::default(),
        name: "tester".to_string(),
        threads: 2,
        memory_mib: 64,
        labels: vec![("room".to_string(), "1".to_string())],
        directory: directory.path().to_owned(),
        allow_files: Vec::new(),
        time_limit: None,
        idle_timeout: None,
        share_values: true,
    };
    change(&mut options);
    let fake = Arc::new(Fake::default());
    let (stop, stopped) = watch::channel(Stop::No);
    let compute: Arc<dyn Compute> = Arc::clone(&fake) as _;
    let task = tokio::spawn(run_with(options, compute, stopped));
    Running { fake, stop, task, directory }
}

impl Running {
    async fn end(self, stop: Stop) -> Summary {
        self.stop.send_replace(stop);
        tokio::time::timeout(LIMIT, self.task).await.expect("an end").unwrap().unwrap()
    }
}

/// Waits until the condition holds, with a time limit.
async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < LIMIT, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn claim(kind: Option<&outcome::Kind>) -> Option<&str> {
    match kind {
        Some(outcome::Kind::Answer(answer)) => Some(&answer.claim),
        _ => None,
    }
}

#[tokio::test]
async fn work_is_taken_and_handed_in() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = (0..500).map(|item| unit(item, "quick")).collect();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("outcomes", || coordinator.script().outcomes.len() == 500).await;
    assert!((0..500).all(|item| worker.fake.times(item) == 1));
    assert_eq!(claim(coordinator.script().outcome(499)), Some("at once"));
    let sent = coordinator.script().registers[0].clone();
    assert_eq!((sent.name.as_str(), sent.threads, sent.memory_mib), ("tester", 2, 64));
    assert_eq!((sent.labels.len(), sent.pid, sent.held.len()), (1, std::process::id(), 0));
    let summary = worker.end(Stop::Polite).await;
    assert_eq!((summary.units, summary.handed_back), (500, 0));
    assert_eq!(coordinator.script().outcomes.len(), 500, "a receipt is enough");
}

#[tokio::test]
async fn outcomes_whose_receipt_got_lost_are_sent_again_and_not_computed_again() {
    let coordinator = Coordinator::default();
    coordinator.script().lose_receipts = 1;
    coordinator.script().queue = (0..3).map(|item| unit(item, "quick")).collect();
    let process = coordinator.start(0);
    // All three are granted by the first call: a grant that is under way while the worker registers
    // again is void, and this coordinator does not grant anything twice.
    let worker = with(|options| {
        options.access = process.access();
        options.threads = 3;
    });
    until("the loss", || coordinator.script().lose_receipts == 0).await;
    until("the second time", || coordinator.script().outcomes.len() > 3).await;
    until("all three", || (0..3).all(|item| coordinator.script().outcome(item).is_some())).await;
    let fake = Arc::clone(&worker.fake);
    let summary = worker.end(Stop::Polite).await;
    assert_eq!((summary.units, summary.handed_back), (3, 0));
    assert!((0..3).all(|item| fake.times(item) == 1));
}

#[tokio::test]
async fn a_coordinator_that_was_away_gets_what_was_finished_meanwhile() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "held"), unit(1, "endless")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("a start", || worker.fake.times(0) + worker.fake.times(1) == 2).await;
    let port = process.port();
    drop(process);
    worker.fake.released.store(true, SeqCst);
    until("a result", || worker.fake.finished(0)).await;
    assert!(coordinator.script().outcomes.is_empty(), "nobody was there");
    let _process = coordinator.start(port);
    until("the outcome", || coordinator.script().outcome(0).is_some()).await;
    let held = [lease(0).into(), lease(1).into()];
    let again =
        |sent: &RegisterRequest| (sent.worker, sent.session) == (7, 4711) && sent.held == held;
    assert!(coordinator.script().registers.iter().any(again));
    until("heartbeats", || {
        let script = coordinator.script();
        let last = script.heartbeats.last().map(|heartbeat| heartbeat.progress.clone());
        last.is_some_and(|progress| progress.iter().any(|p| p.lease == Some(lease(1).into())))
    })
    .await;
    let fake = Arc::clone(&worker.fake);
    assert_eq!(worker.end(Stop::Polite).await.units, 1);
    assert_eq!([fake.times(0), fake.times(1)], [1, 1], "nothing was computed again");
}

#[tokio::test]
async fn what_is_revoked_after_a_break_is_stopped_and_dropped() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "endless")].into();
    let process = coordinator.start(0);
    let worker = with(|options| {
        options.access = process.access();
        options.threads = 1;
    });
    until("a start", || worker.fake.times(0) == 1).await;
    let port = process.port();
    drop(process);
    coordinator.script().revoked = vec![lease(0)];
    coordinator.script().queue = [unit(1, "quick")].into();
    let _process = coordinator.start(port);
    // The only thread is free again.
    until("the next one", || coordinator.script().outcome(1).is_some()).await;
    assert!(coordinator.script().outcome(0).is_none());
    assert_eq!(worker.end(Stop::Polite).await.handed_back, 0);
}

#[tokio::test]
async fn commands_are_obeyed() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "endless"), unit(1, "endless")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("a start", || worker.fake.times(0) + worker.fake.times(1) == 2).await;
    let commands = HeartbeatResponse {
        cancelled: vec![lease(0).into()],
        recalled: vec![lease(1).into()],
        look: vec![lease(1).into()],
        ..HeartbeatResponse::default()
    };
    coordinator.script().commands = Some(commands);
    until("the hand-back", || coordinator.script().outcome(1).is_some()).await;
    let handed_back = coordinator.script().outcome(1).cloned();
    assert!(matches!(handed_back, Some(outcome::Kind::HandedBack(_))), "{handed_back:?}");
    assert_eq!(*worker.fake.looked.lock().unwrap(), [lease(1)]);
    until("silence", || {
        let script = coordinator.script();
        script.heartbeats.last().is_some_and(|heartbeat| heartbeat.progress.is_empty())
    })
    .await;
    assert!(coordinator.script().outcome(0).is_none());
    let summary = worker.end(Stop::Polite).await;
    assert_eq!((summary.units, summary.handed_back), (0, 1));
}

#[tokio::test]
async fn what_is_asked_for_is_returned_unless_it_was_begun() {
    let coordinator = Coordinator::default();
    // A worker whose units were short asks for many.
    let units = (4..30).map(|item| unit(item, "quick")).chain((0..4).map(|i| unit(i, "endless")));
    coordinator.script().queue = units.collect();
    let process = coordinator.start(0);
    let worker = with(|options| {
        options.access = process.access();
        options.threads = 1;
    });
    until("a start", || worker.fake.times(0) == 1).await;
    until("all", || {
        let script = coordinator.script();
        script.heartbeats.last().is_some_and(|heartbeat| heartbeat.progress.len() == 4)
    })
    .await;
    let unbegun = [0, 2, 3].map(|item| lease(item).into()).into();
    coordinator.script().commands = Some(HeartbeatResponse { unbegun, ..Default::default() });
    until("two", || [2, 3].iter().all(|&i| coordinator.script().outcome(i).is_some())).await;
    for item in [2, 3] {
        let outcome = coordinator.script().outcome(item).cloned();
        assert!(matches!(outcome, Some(outcome::Kind::HandedBack(_))), "{outcome:?}");
    }
    until("the others named", || {
        let script = coordinator.script();
        script.heartbeats.last().is_some_and(|heartbeat| heartbeat.progress.len() == 2)
    })
    .await;
    assert_eq!((worker.fake.times(0), worker.fake.times(1)), (1, 0));
    assert_eq!(worker.end(Stop::Polite).await.handed_back, 4);
}

#[tokio::test]
async fn when_its_time_is_up_a_worker_hands_back_what_it_computes_and_leaves() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "endless")].into();
    let process = coordinator.start(0);
    let worker = with(|options| {
        options.access = process.access();
        options.time_limit = Some(Duration::from_secs(3));
    });
    let summary = tokio::time::timeout(LIMIT, worker.task).await.expect("an end");
    let summary = summary.unwrap().unwrap();
    assert_eq!((summary.units, summary.handed_back), (0, 1));
    assert_eq!(coordinator.script().leaves, 1);
}

#[tokio::test]
async fn a_worker_without_work_leaves_and_one_with_work_does_not() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "slow"), unit(1, "quick"), unit(2, "quick")].into();
    let process = coordinator.start(0);
    let worker = with(|options| {
        options.access = process.access();
        options.threads = 1;
        options.idle_timeout = Some(SLOW / 2);
    });
    let summary = worker.task.await.unwrap().unwrap();
    assert_eq!((summary.units, summary.handed_back), (3, 0));
    assert_eq!(coordinator.script().leaves, 1);
}

#[tokio::test]
async fn a_search_hears_where_the_others_are() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "wary")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("a start", || worker.fake.times(0) == 1).await;
    let keys = vec![Key::mixed(1), Key::mixed(2)];
    let sent = |keys| OtherWorkers { lease: Some(lease(0).into()), keys, depth: 3 };
    let others = vec![sent(vec![1, 2, 3]), sent(pack_keys(&keys))];
    coordinator.script().commands = Some(HeartbeatResponse { others, ..Default::default() });
    until("an answer", || coordinator.script().outcome(0).is_some()).await;
    let heard = format!("3 {keys:?}");
    assert_eq!(claim(coordinator.script().outcome(0)), Some(heard.as_str()));
    worker.end(Stop::Polite).await;
}

#[tokio::test]
async fn a_wrong_token_and_a_wrong_version_fail_fast() {
    let coordinator = Coordinator::default();
    let process = coordinator.start(0);
    let mut access = process.access();
    access.worker_token = Some("another".to_string());
    let error = with(|options| options.access = access).task.await.unwrap().unwrap_err();
    assert!(matches!(error, WorkerError::Refused { why: Refusal::Token, .. }), "{error}");
    assert!(error.to_string().contains("wrong token"), "{error}");
    coordinator.script().protocol = Some(99);
    let error = worker(&process).task.await.unwrap().unwrap_err();
    assert!(matches!(error, WorkerError::Refused { why: Refusal::Version, .. }), "{error}");
}

#[tokio::test]
async fn a_polite_end_hands_back_and_leaves() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "endless"), unit(1, "endless")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    let directory = worker.directory.path().to_owned();
    until("a start", || worker.fake.times(0) + worker.fake.times(1) == 2).await;
    let summary = worker.end(Stop::Polite).await;
    assert_eq!((summary.units, summary.handed_back), (0, 2));
    {
        let script = coordinator.script();
        assert_eq!((script.leaves, script.outcomes.len()), (1, 2));
    }
    until("an empty directory", || {
        !directory.exists() || std::fs::read_dir(&directory).unwrap().next().is_none()
    })
    .await;
}

#[tokio::test]
async fn an_end_now_waits_for_nobody() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "deaf"), unit(1, "endless")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("a start", || worker.fake.times(0) + worker.fake.times(1) == 2).await;
    let fake = Arc::clone(&worker.fake);
    worker.end(Stop::Now).await;
    fake.released.store(true, SeqCst);
    let script = coordinator.script();
    assert_eq!((script.leaves, script.outcomes.len()), (0, 0));
}

#[tokio::test]
async fn whoever_never_reached_a_coordinator_can_still_be_stopped() {
    // A port that nobody listens on, and that nobody else can get meanwhile.
    let bound = tokio::net::TcpSocket::new_v4().unwrap();
    bound.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let worker = with(|options| options.access.url = bound.local_addr().unwrap().to_string());
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!worker.task.is_finished(), "it tries again");
    assert_eq!(worker.end(Stop::Polite).await.units, 0);
}

#[tokio::test]
async fn a_panic_is_an_outcome_and_the_worker_goes_on() {
    let coordinator = Coordinator::default();
    coordinator.script().queue = [unit(0, "the halting problem"), unit(1, "quick")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("both", || coordinator.script().outcomes.len() == 2).await;
    match coordinator.script().outcome(0) {
        Some(outcome::Kind::Failure(failure)) => {
            assert_eq!(failure.message, "panicked: nobody can compute the halting problem");
            assert_eq!(failure.kind(), FailureKind::Panic);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(worker.end(Stop::Polite).await.units, 2);
}

#[tokio::test]
async fn an_outcome_that_the_coordinator_cannot_read_does_not_hold_up_the_others() {
    let coordinator = Coordinator::default();
    coordinator.script().unreadable = Some(1);
    coordinator.script().queue = (0..9).map(|item| unit(item, "quick")).collect();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("all", || (0..9).all(|item| coordinator.script().outcome(item).is_some())).await;
    assert_eq!(claim(coordinator.script().outcome(8)), Some("at once"));
    let instead = coordinator.script().outcome(1).cloned();
    assert!(matches!(instead, Some(outcome::Kind::Failure(_))), "{instead:?}");
    worker.end(Stop::Polite).await;
}

#[tokio::test]
async fn a_unit_of_a_later_version_is_left_to_other_workers() {
    let coordinator = Coordinator::default();
    let unknown = Assignment { task: None, ..unit(0, "quick") };
    coordinator.script().queue = [unknown, unit(1, "quick")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("both", || coordinator.script().outcomes.len() == 2).await;
    match coordinator.script().outcome(0) {
        Some(outcome::Kind::Failure(failure)) => {
            assert_eq!(failure.kind(), FailureKind::UnknownTask, "{failure:?}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(worker.fake.times(0), 0);
    worker.end(Stop::Polite).await;
}

/// A unit of real work.
fn real(item: u32, words: &str, task: assignment::Task) -> Assignment {
    let mut words = words.split(' ');
    let problem = words.next().unwrap().to_string();
    let param = |word: &str| {
        let (name, value) = word.split_once('=').unwrap();
        Param { name: name.to_string(), value: value.to_string() }
    };
    let question = Question { problem, params: words.map(param).collect(), search: None };
    Assignment { lease: Some(lease(item).into()), question: Some(question), task: Some(task) }
}

#[tokio::test]
async fn real_work_of_every_kind_is_done() {
    use assignment::Task;
    let coordinator = Coordinator::default();
    let role = Role::Plain.into();
    let search = SearchTask { role, share: true, children: true, ..SearchTask::default() };
    let whole = EnumerateTask { prefix: "all".to_string(), split_ms: 0 };
    let verdict = CertifyTask { verdict: Verdict::Proven.into() };
    coordinator.script().queue = [
        real(0, "chomp rows=3 columns=4", Task::Answer(AnswerTask {})),
        real(1, "pavings shapes=###/###/### period=4x4", Task::Enumerate(whole)),
        // There is no store here: a search goes on without.
        real(2, "chomp rows=3 columns=5", Task::Search(search)),
        real(3, "chomp rows=3 columns=5", Task::Certify(verdict)),
        real(4, "chess rows=8", Task::Answer(AnswerTask {})),
    ]
    .into();
    let process = coordinator.start(0);
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        access: process.access(),
        name: "tester".to_string(),
        threads: 2,
        memory_mib: 64,
        labels: Vec::new(),
        directory: directory.path().to_owned(),
        allow_files: Vec::new(),
        time_limit: None,
        idle_timeout: None,
        share_values: true,
    };
    let (stop, stopped) = watch::channel(Stop::No);
    let task = tokio::spawn(crate::run(options, stopped));
    until("all", || coordinator.script().outcomes.len() == 5).await;
    stop.send_replace(Stop::Polite);
    let summary = task.await.unwrap().unwrap();
    assert!(summary.units == 5 && summary.nodes > 0, "{summary:?}");
    let script = coordinator.script();
    // The first player wins Chomp by strategy stealing; 272 tilings: Kasteleyn 1961.
    for item in [0, 3] {
        match script.outcome(item) {
            Some(outcome::Kind::Answer(answer)) => {
                assert_eq!((answer.verdict(), answer.certificates.len()), (Verdict::Proven, 1));
                assert!(script.certificates.contains_key(&answer.certificates[0].name));
            }
            other => panic!("{other:?}"),
        }
    }
    match script.outcome(1) {
        Some(outcome::Kind::Enumerate(part)) => assert_eq!(part.raw, 272),
        other => panic!("{other:?}"),
    }
    match script.outcome(2) {
        Some(outcome::Kind::Search(report)) => {
            assert_eq!((report.stopped(), report.turn()), (StopReason::Settled, Turn::Or));
            assert_eq!(report.numbers.unwrap().proof, 0);
            assert!(!report.children.is_empty());
        }
        other => panic!("{other:?}"),
    }
    match script.outcome(4) {
        Some(outcome::Kind::Failure(failure)) => {
            assert_eq!(failure.kind(), FailureKind::Question, "{failure:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn certificates_arrive_whole_before_the_answer_and_are_deleted_here() {
    let coordinator = Coordinator::default();
    coordinator.script().damage = 1;
    coordinator.script().queue = [unit(0, "certified")].into();
    let process = coordinator.start(0);
    let worker = worker(&process);
    until("the answer", || coordinator.script().outcome(0).is_some()).await;
    {
        let script = coordinator.script();
        assert_eq!(script.damage, 0, "the first one was damaged");
        assert_eq!(script.certificates["proof.cert"], vec![7; 600_000]);
        assert_eq!(claim(script.outcome(0)), Some("with a proof"));
    }
    let directory = worker.directory.path().to_owned();
    until("a clean directory", || {
        let own = std::fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
        std::fs::read_dir(own).unwrap().count() == 1
    })
    .await;
    worker.end(Stop::Polite).await;
}
