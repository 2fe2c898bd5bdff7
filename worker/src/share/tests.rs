//! Exchanges with a scripted store: real sockets, and tables as searches have them.

use std::net::SocketAddr;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use hasami_andor::table::Entry;
use hasami_andor::{Numbers, Table};
use hasami_proto::pack::{Packer, unpack};
use hasami_proto::v1::position_service_server::{PositionService, PositionServiceServer};
use hasami_proto::v1::{
    GetNotesRequest, GetNotesResponse, LoadRequest, LoadResponse, LookupRequest, LookupResponse,
    PutNotesRequest, PutNotesResponse, Records, SyncRequest, SyncResponse,
};
use hasami_proto::{Access, Mark, Who, connect};
use hasami_unit::{Attempt, ItemNo, RunId, UnitNo};
use hasami_values::value::shared::Notes;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

use super::*;
use crate::lease_queue::LeaseQueue;
use crate::options::Options;
use crate::scratch::Scratch;
use hasami_answer::split::Share;

const LEADER: Terms = Terms { hears_numbers: false, tells_numbers: true };
const PROBLEM: ProblemId = ProblemId(77);

type Log = Vec<(Key, Vec<u8>)>;

/// Stores everything in order of arrival.
#[derive(Clone, Default)]
struct Book {
    log: Arc<Mutex<Log>>,
    /// This many calls fail.
    failing: Arc<AtomicU32>,
    /// The status they fail with.
    status: Arc<Mutex<Option<Status>>>,
    min_work: Arc<AtomicU32>,
}

impl Book {
    fn write(&self, key: Key, numbers: Numbers, work: u64) {
        let mut bytes = Vec::new();
        Record::new(numbers, work, 0).encode(&mut bytes).unwrap();
        self.log.lock().unwrap().push((key, bytes));
    }

    fn has(&self, key: Key) -> bool {
        self.log.lock().unwrap().iter().any(|(known, _)| *known == key)
    }

    fn fail(&self, times: u32, status: Status) {
        *self.status.lock().unwrap() = Some(status);
        self.failing.store(times, Relaxed);
    }

    /// The contents under packed keys.
    fn under(&self, keys: &[u8]) -> Records {
        let keys = hasami_proto::pack::unpack_keys(keys).unwrap();
        let mut packer = Packer::new();
        for (key, bytes) in self.log.lock().unwrap().iter().filter(|(key, _)| keys.contains(key)) {
            packer.push(*key, bytes).unwrap();
        }
        packer.take()
    }

    fn records(&self, from: usize, most: usize) -> Records {
        let mut packer = Packer::new();
        for (key, bytes) in self.log.lock().unwrap().iter().skip(from).take(most) {
            packer.push(*key, bytes).unwrap();
        }
        packer.take()
    }
}

#[tonic::async_trait]
impl PositionService for Book {
    async fn sync(&self, request: Request<SyncRequest>) -> Result<Response<SyncResponse>, Status> {
        let request = request.into_inner();
        if self.failing.load(Relaxed) > 0 {
            self.failing.fetch_sub(1, Relaxed);
            return Err(self.status.lock().unwrap().clone().unwrap());
        }
        let from = request.after as usize;
        let records = self.records(from, request.limit as usize);
        for (key, bytes) in unpack(&request.records.unwrap_or_default()).unwrap() {
            self.log.lock().unwrap().push((key, bytes.to_vec()));
        }
        for (key, bytes) in unpack(&request.passing.unwrap_or_default()).unwrap() {
            self.log.lock().unwrap().push((key, bytes.to_vec()));
        }
        let sequence = match request.limit {
            0 => self.log.lock().unwrap().len() as u64,
            _ => request.after + u64::from(records.count),
        };
        let more = (sequence as usize) < self.log.lock().unwrap().len();
        let min_work = self.min_work.load(Relaxed);
        Ok(Response::new(SyncResponse {
            records: Some(records),
            sequence,
            more,
            min_work,
            others: 1,
        }))
    }

    type LoadStream = tokio_stream::Iter<std::vec::IntoIter<Result<LoadResponse, Status>>>;

    async fn load(&self, _: Request<LoadRequest>) -> Result<Response<Self::LoadStream>, Status> {
        let pieces = [self.records(0, 1), self.records(1, usize::MAX)];
        let pieces = pieces.map(|records| Ok(LoadResponse { records: Some(records) }));
        Ok(Response::new(tokio_stream::iter(Vec::from(pieces))))
    }

    async fn lookup(
        &self,
        request: Request<LookupRequest>,
    ) -> Result<Response<LookupResponse>, Status> {
        let records = Some(self.under(&request.into_inner().keys));
        Ok(Response::new(LookupResponse { records }))
    }

    async fn get_notes(
        &self,
        request: Request<GetNotesRequest>,
    ) -> Result<Response<GetNotesResponse>, Status> {
        if self.failing.load(Relaxed) > 0 {
            self.failing.fetch_sub(1, Relaxed);
            return Err(self.status.lock().unwrap().clone().unwrap());
        }
        let notes = Some(self.under(&request.into_inner().keys));
        Ok(Response::new(GetNotesResponse { notes }))
    }

    async fn put_notes(
        &self,
        request: Request<PutNotesRequest>,
    ) -> Result<Response<PutNotesResponse>, Status> {
        for (key, bytes) in unpack(&request.into_inner().notes.unwrap_or_default()).unwrap() {
            self.log.lock().unwrap().push((key, bytes.to_vec()));
        }
        Ok(Response::new(PutNotesResponse {}))
    }
}

/// A worker's side of the store in `book`.
struct Side {
    shares: Arc<Shares>,
    table: Arc<Table<()>>,
    _directory: tempfile::TempDir,
}

async fn side(book: &Book) -> Side {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(
        tonic::transport::Server::builder()
            .add_service(PositionServiceServer::new(book.clone()))
            .serve_with_incoming(TcpListenerStream::new(listener)),
    );
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        access: Access { url, ..Access::default() },
        name: "sharer".to_string(),
        threads: 1,
        memory_mib: 16,
        labels: Vec::new(),
        directory: directory.path().to_owned(),
        allow_files: Vec::new(),
        time_limit: None,
        idle_timeout: None,
        share_values: true,
    };
    let scratch = Arc::new(Scratch::open(directory.path()).unwrap());
    let queue = Arc::new(LeaseQueue::new(1, scratch));
    let connection = connect(&options.access, Who::Worker).unwrap();
    let session = Arc::new(Session::new(&options, connection, queue));
    let tables = Arc::new(HotTables::new(16, 10));
    let table = tables.get::<()>(PROBLEM, 8, false).unwrap().table;
    Side { shares: Arc::new(Shares::new(session, tables)), table, _directory: directory }
}

fn lease(unit: u32) -> Lease {
    Lease { run: RunId(1), item: ItemNo(1), unit: UnitNo(unit), attempt: Attempt(1) }
}

fn open(proof: u32) -> Numbers {
    Numbers { proof, disproof: 3 }
}

async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// As compute threads do: blocking calls must not be made on a thread of the runtime.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || drop(done.send(work())));
    result.await.unwrap()
}

#[tokio::test]
async fn what_one_finds_while_it_searches_the_other_learns() {
    let book = Book::default();
    let (one, two) = (side(&book).await, side(&book).await);
    let control = Arc::new(Control::unlimited());
    let _first = one.shares.join(PROBLEM, lease(1), &control, Terms::ALL);
    let _second = two.shares.join(PROBLEM, lease(2), &control, Terms::ALL);
    let key = Key::mixed(5);
    one.table.store(key, &Entry::new(open(4), 99));
    until("news", || two.table.lookup(key).is_some_and(|entry| entry.numbers == open(4))).await;
    two.table.store(key, &Entry::new(Numbers::PROVEN, 200));
    until("a verdict", || one.table.lookup(key).is_some_and(|entry| entry.numbers.settled())).await;
}

#[tokio::test]
async fn a_leader_learns_verdicts_and_nothing_else() {
    let book = Book::default();
    let side = side(&book).await;
    let control = Arc::new(Control::unlimited());
    let leader = side.shares.join(PROBLEM, lease(1), &control, LEADER);
    book.write(Key::mixed(1), open(4), 99);
    book.write(Key::mixed(2), Numbers::PROVEN, 99);
    let knows = |key| side.table.lookup(Key::mixed(key)).is_some();
    until("the verdict", || knows(2)).await;
    assert!(!knows(1));
    // Once the leader is gone, the others receive all records.
    drop(leader);
    let _other = side.shares.join(PROBLEM, lease(2), &control, Terms::ALL);
    book.write(Key::mixed(3), open(4), 99);
    until("the numbers", || knows(3)).await;
}

#[tokio::test]
async fn a_unit_that_is_done_has_published_all_of_it_and_its_own_state_besides() {
    let book = Book::default();
    let side = side(&book).await;
    let many: Vec<Key> = (1..20_000).map(Key::mixed).collect();
    for key in &many {
        side.table.store(*key, &Entry::new(open(4), 99));
    }
    let shares = Arc::clone(&side.shares);
    let own = (Key::mixed(123_456), Record::new(open(9), 1, 0));
    shares.join(PROBLEM, lease(1), &Arc::new(Control::unlimited()), Terms::ALL).announce(Some(own));
    shares.publish().await;
    assert!(many.iter().all(|key| book.has(*key)) && book.has(own.0));
}

#[tokio::test]
async fn what_is_cheaper_than_the_coordinator_wants_is_not_sent() {
    let book = Book::default();
    book.min_work.store(50, Relaxed);
    let side = side(&book).await;
    let exchange = side.shares.of(PROBLEM);
    exchange.flush().await;
    side.table.store(Key::mixed(1), &Entry::new(Numbers::PROVEN, 49));
    side.table.store(Key::mixed(2), &Entry::new(Numbers::PROVEN, 50));
    side.table.store(Key::mixed(4), &Entry::new(open(4), 50));
    side.table.store(Key::mixed(5), &Entry::new(open(4), 800));
    exchange.flush().await;
    assert_eq!([1, 2, 4, 5].map(|key| book.has(Key::mixed(key))), [false, true, false, true]);
    // While few records are published, the coordinator admits all of them.
    book.min_work.store(1, Relaxed);
    exchange.flush().await;
    side.table.store(Key::mixed(3), &Entry::new(Numbers::PROVEN, 2));
    exchange.flush().await;
    assert!(book.has(Key::mixed(3)));
}

#[tokio::test]
async fn what_a_fast_search_finds_in_no_time_is_not_sent() {
    let book = Book::default();
    let side = side(&book).await;
    let control = Arc::new(Control::unlimited());
    let exchange = side.shares.of(PROBLEM);
    exchange.enter(lease(1), Arc::clone(&control), Terms::ALL);
    exchange.flush().await;
    // Millions of nodes a second, unless this test takes a minute.
    control.note(100_000_000);
    exchange.flush().await;
    side.table.store(Key::mixed(1), &Entry::new(Numbers::PROVEN, 1_000));
    side.table.store(Key::mixed(2), &Entry::new(Numbers::PROVEN, 100_000_000));
    exchange.flush().await;
    assert!(!book.has(Key::mixed(1)) && book.has(Key::mixed(2)));
}

#[tokio::test]
async fn a_store_that_fails_for_a_while_gets_everything_later() {
    let book = Book::default();
    let side = side(&book).await;
    side.table.store(Key::mixed(1), &Entry::new(open(4), 99));
    book.fail(2, Status::internal("no disk"));
    let exchange = side.shares.of(PROBLEM);
    exchange.flush().await;
    exchange.flush().await;
    assert!(!book.has(Key::mixed(1)) && exchange.contradiction().is_none());
    exchange.flush().await;
    assert!(book.has(Key::mixed(1)));
}

#[tokio::test]
async fn a_contradiction_stops_the_searches_whoever_notices_it() {
    let status = Status::failed_precondition("state 5 was proven and disproven");
    let status = Mark::Contradiction.on(status);
    for by_store in [true, false] {
        let book = Book::default();
        let side = side(&book).await;
        let control = Arc::new(Control::unlimited());
        let member = side.shares.join(PROBLEM, lease(1), &control, Terms::ALL);
        if by_store {
            book.fail(1, status.clone());
        } else {
            side.table.absorb(Key::mixed(5), &Entry::new(Numbers::PROVEN, 9));
            book.write(Key::mixed(5), Numbers::DISPROVEN, 9);
        }
        until("the stop", || control.is_cancelled()).await;
        assert!(member.contradiction().is_some());
    }
}

#[tokio::test]
async fn a_new_table_is_loaded_and_states_are_looked_up() {
    let book = Book::default();
    (1..=5).for_each(|n| book.write(Key::mixed(n), open(4), 99));
    let side = side(&book).await;
    let shares = Arc::clone(&side.shares);
    let (all, some) = on_a_thread(move || {
        let link = Link { shares: &shares, lease: lease(1) };
        let keys = [Key::mixed(2), Key::mixed(999)];
        (link.load(PROBLEM).unwrap(), link.lookup(PROBLEM, &keys).unwrap())
    })
    .await;
    assert_eq!((all.len(), some.len(), some[0].0), (5, 1, Key::mixed(2)));
    // Loaded records do not arrive a second time.
    side.shares.of(PROBLEM).flush().await;
    assert!(side.table.lookup(Key::mixed(1)).is_none());
    book.write(Key::mixed(6), open(4), 99);
    side.shares.of(PROBLEM).flush().await;
    assert!(side.table.lookup(Key::mixed(6)).is_some());
}

#[tokio::test]
async fn nobody_exchanges_when_no_unit_takes_part() {
    let book = Book::default();
    let side = side(&book).await;
    let control = Arc::new(Control::unlimited());
    drop(side.shares.join(PROBLEM, lease(1), &control, Terms::ALL));
    let exchange = side.shares.of(PROBLEM);
    until("the end of the exchange", || !exchange.runs()).await;
    let key = Key::mixed(8);
    side.table.store(key, &Entry::new(open(4), 99));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!book.has(key));
    // The next unit starts it again.
    let _member = side.shares.join(PROBLEM, lease(2), &control, Terms::ALL);
    until("the record", || book.has(key)).await;
}

#[tokio::test]
async fn notes_are_left_and_found_and_a_store_that_fails_is_left_alone() {
    let book = Book::default();
    let side = side(&book).await;
    let (shares, failing) = (Arc::clone(&side.shares), book.clone());
    on_a_thread(move || {
        let notes = shares.notes();
        let many: Vec<(Key, Vec<u8>)> = (0..2500).map(|n| (Key::mixed(n), vec![7; 3])).collect();
        notes.keep(PROBLEM, many.clone());
        let keys: Vec<Key> = many.iter().map(|(key, _)| *key).chain([Key(1)]).collect();
        let found = notes.find(PROBLEM, &keys);
        assert!(found[..2500].iter().all(Option::is_some) && found[2500].is_none());
        failing.fail(9, Status::unavailable("away"));
        for _ in 0..5 {
            assert_eq!(notes.find(PROBLEM, &keys[..1]), [None]);
        }
        assert_eq!(failing.failing.load(Relaxed), 7, "it is asked no more");
        // Another job tries again.
        failing.fail(1, Status::unavailable("away"));
        let notes = shares.notes();
        assert_eq!(notes.find(PROBLEM, &keys[..1]), [None]);
        assert_eq!(notes.find(PROBLEM, &keys[..1]), [Some(vec![7; 3])]);
    })
    .await;
}
