//! The journal in PostgreSQL, on a real server: the same as in a directory, fenced by its epoch, and
//! with every commit written once, whatever happens to its connection.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod objects;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hasami_answer::CATALOG;
use hasami_coordinator::core::{
    Change, HistoryRecord, ItemNo, ItemRecord, Millis, RunId, RunRecord, Settings, UnitNo,
    UnitRecord, WorkerId,
};
use hasami_coordinator::journal::postgres::{Address, Candidate, Reached};
use hasami_coordinator::journal::{Journal, JournalError};
use hasami_spec::ContentKey;
use hasami_sweep::{Answer, Measures, Sweep, Verdict};
use hasami_tests::{PostgresServer, Proxy, Towards, until};
use hasami_unit::{Attempt, ItemState, RunState};

const PATIENCE: Duration = Duration::from_secs(60);
const SWEEP: &str =
    "name = \"t\"\nproblem = \"chomp\"\n[parameters]\nrows = 2\ncolumns = \"1..=8\"\n";

fn reach(url: &str) -> Reached {
    Reached::open(&Address::parse(url).unwrap(), PATIENCE).unwrap()
}

fn candidate(holder: &str, standby: bool, takeover: Duration) -> Candidate {
    Candidate { holder: holder.to_string(), standby, takeover }
}

fn open(url: &str) -> Result<Journal, JournalError> {
    let first = candidate("first", false, Duration::from_secs(10));
    reach(url).lead(&first, &|| true).map(|journal| journal.expect("nobody stops it"))
}

fn run(number: u64) -> Change {
    Change::Run(RunRecord {
        run: RunId(number),
        sweep: SWEEP.to_string(),
        stored: Some(Sweep::parse(CATALOG, SWEEP, "t").unwrap().stored()),
        state: RunState::Running,
        submitted_ms: 0,
        finished_ms: 0,
        force: false,
        note: String::new(),
        fault: None,
    })
}

fn line(text: &str) -> Change {
    Change::History(RunId(1), ItemNo(2), text.to_string())
}

fn unit(attempt: u32) -> UnitRecord {
    UnitRecord { attempt: Attempt(attempt), holder: Some(WorkerId(9)), ..UnitRecord::default() }
}

fn answer(claim: &str) -> Answer {
    Answer {
        verdict: Verdict::Answered,
        claim: claim.to_string(),
        fields: Vec::new(),
        certificates: Vec::new(),
        measures: Measures::default(),
        check: None,
    }
}

fn texts(journal: &Journal) -> Vec<String> {
    let lines: Vec<HistoryRecord> = journal.history(RunId(1), ItemNo(2)).unwrap();
    lines.into_iter().map(|line| line.text).collect()
}

/// Everything that a restart and the services read, in words.
fn told(journal: &Journal) -> String {
    let core = journal.restore(CATALOG, Settings::default(), true, Millis(0)).unwrap();
    let mut told = String::new();
    for run in core.runs() {
        told += &format!("run {} {:?}", run.id.0, run.state);
        for item in 0..run.sweep.len() as u32 {
            told += &format!(" {:?}", run.item(ItemNo(item)));
        }
    }
    let keys: Vec<ContentKey> = ["a", "b", "c"].map(|name| ContentKey::of(&[name])).to_vec();
    told += &format!(" {:?}", journal.answered(&keys).unwrap());
    for key in keys {
        told += &format!(" {:?}", journal.answer(key).unwrap().map(|answer| answer.claim));
    }
    told += &format!(" {:?}", journal.item(RunId(1), ItemNo(3)).unwrap());
    told += &format!(" {:?}", texts(journal));
    told + &format!(" {}", core.workers().count())
}

#[test]
fn it_holds_what_a_journal_in_a_directory_holds() {
    let Some(server) = PostgresServer::start() else { return };
    let directory = tempfile::tempdir().unwrap();
    let rocks = Journal::open(&directory.path().join("journal")).unwrap();
    let postgres = open(&server.url("one")).unwrap();
    let item = ItemRecord {
        state: ItemState::Settled,
        attempts: 1,
        answer: Some(ContentKey::of(&["a"])),
        reused: false,
        failure: String::new(),
        cost: Measures::default(),
    };
    let batches: Vec<Vec<Change>> = vec![
        vec![run(1), run(2), line("first"), Change::Item(RunId(1), ItemNo(3), item)],
        vec![
            Change::Unit(RunId(1), ItemNo(4), UnitNo(0), unit(1)),
            Change::Unit(RunId(1), ItemNo(5), UnitNo(0), unit(2)),
            Change::Answer(ContentKey::of(&["a"]), answer("so")),
            Change::Answer(ContentKey::of(&["b"]), answer("or so")),
        ],
        // In one batch the order counts.
        vec![
            Change::DropUnits(RunId(1), ItemNo(4)),
            Change::Unit(RunId(1), ItemNo(4), UnitNo(1), unit(7)),
            Change::DropUnits(RunId(1), ItemNo(5)),
            line("second"),
            line("third"),
        ],
        vec![Change::DropAnswers(vec![ContentKey::of(&["b"])]), Change::DropRun(RunId(2))],
        Vec::new(),
    ];
    for (at, batch) in batches.iter().enumerate() {
        rocks.commit(batch, at as u64).unwrap();
        postgres.commit(batch, at as u64).unwrap();
        assert_eq!(told(&postgres), told(&rocks), "batch {at}");
    }
    let sweep = Sweep::parse(CATALOG, SWEEP, "t").unwrap();
    assert_eq!(postgres.known(&sweep).unwrap(), rocks.known(&sweep).unwrap());
    assert!(postgres.owes_collection().unwrap());
    postgres.collected().unwrap();
    assert!(!postgres.owes_collection().unwrap());
    postgres.keep_file("tokens.json", b"secret").unwrap();
    // A checkpoint is a journal in a directory, without tokens.
    let copy = directory.path().join("copy");
    postgres.checkpoint(&copy).unwrap();
    let copy = Journal::open(&copy).unwrap();
    assert_eq!(told(&copy), told(&rocks));
    assert_eq!(copy.file("tokens.json").unwrap(), None);
    // Another journal of the same database is empty.
    assert!(texts(&open(&server.url("two")).unwrap()).is_empty());
    let (epoch, before) = (postgres.epoch(), told(&postgres));
    drop(postgres);
    let again = open(&server.url("one")).unwrap();
    assert_eq!((again.epoch(), told(&again)), (epoch + 1, before));
    assert_eq!(again.file("tokens.json").unwrap().as_deref(), Some(&b"secret"[..]));
}

#[test]
fn a_second_coordinator_is_refused_unless_it_stands_by() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.url("hasami");
    let first = open(&url).unwrap();
    let other = candidate("other", false, Duration::from_secs(10));
    let refused = reach(&url).lead(&other, &|| true).err().expect("there is a leader");
    assert!(matches!(&refused, JournalError::Led { by, .. } if by == "first"), "{refused}");
    // One that stands by leads as soon as the first has ended, and is told to stop otherwise.
    let stop = Arc::new(AtomicBool::new(false));
    let waits = candidate("waits", true, Duration::from_secs(600));
    let (go_on, from) = (Arc::clone(&stop), url.clone());
    let gives_up = candidate("gives up", true, Duration::from_secs(600));
    let waiting =
        std::thread::spawn(move || reach(&from).lead(&gives_up, &|| !go_on.load(Ordering::SeqCst)));
    stop.store(true, Ordering::SeqCst);
    assert!(waiting.join().unwrap().unwrap().is_none());
    let from = url.clone();
    let waiting = std::thread::spawn(move || reach(&from).lead(&waits, &|| true));
    first.commit(&[run(1), line("by the first")], 0).unwrap();
    first.close();
    let second = waiting.join().unwrap().unwrap().expect("nobody stops it");
    assert_eq!((second.epoch(), texts(&second)), (first.epoch() + 1, vec!["by the first".into()]));
}

#[test]
fn what_a_deposed_leader_commits_changes_nothing() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.url("hasami");
    let first = open(&url).unwrap();
    first.commit(&[run(1), line("first")], 0).unwrap();
    let written = server.ask("SELECT batch FROM hasami.leader");
    // It leads, and is deposed because it was not seen for no time at all: two lead for a moment.
    let hasty = candidate("second", true, Duration::ZERO);
    let second = reach(&url).lead(&hasty, &|| true).unwrap().expect("nobody stops it");
    let before = server.ask("SELECT md5(string_agg(key::text || value::text, ',' ORDER BY family, key)) FROM hasami.entries");
    // Only the epoch keeps the two apart: the next number of the first would fit.
    let own = server.ask("SELECT batch FROM hasami.leader");
    let _ = server.ask(&format!("UPDATE hasami.leader SET batch = {written}"));
    for _ in 0..3 {
        let refused = first.commit(&[run(7), line("late")], 0).expect_err("it was deposed");
        assert!(matches!(refused, JournalError::Deposed { epoch: 1, .. }), "{refused}");
        assert!(first.keep_file("tokens.json", b"late").is_err());
    }
    let after = server.ask("SELECT md5(string_agg(key::text || value::text, ',' ORDER BY family, key)) FROM hasami.entries");
    assert_eq!(before, after, "not one byte");
    let _ = server.ask(&format!("UPDATE hasami.leader SET batch = {own}"));
    // Without anything to write it hears of it too.
    let heard = until("the news", || first.commit(&[], 0).err());
    assert!(matches!(heard, JournalError::Deposed { .. }), "{heard}");
    // Its end does not end the leadership of the other.
    drop(first);
    second.commit(&[line("second")], 0).unwrap();
    assert_eq!(texts(&second), ["first", "second"]);
    assert_eq!(server.ask("SELECT holder FROM hasami.leader"), "second");
}

#[test]
fn a_commit_whose_reply_is_lost_is_there_once() {
    let Some(server) = PostgresServer::start() else { return };
    let proxy = Proxy::to(&format!("127.0.0.1:{}", server.port()));
    let port = proxy.url().rsplit(':').next().and_then(|port| port.parse().ok()).unwrap();
    let journal = Arc::new(open(&server.url_at(port, "hasami")).unwrap());
    journal.commit(&[run(1), line("before")], 0).unwrap();
    for number in 1..=3 {
        let text = format!("lost {number}");
        proxy.silence(Towards::Caller);
        let (writer, lost) = (Arc::clone(&journal), text.clone());
        let writing = std::thread::spawn(move || writer.commit(&[line(&lost)], 0));
        // It is written, and the reply is under way when the line breaks.
        until("the commit", || {
            let found = server.ask(&format!(
                "SELECT count(*) FROM hasami.entries WHERE position('{text}'::bytea in value) > 0"
            ));
            (found == "1").then_some(())
        });
        let broken = proxy.broken();
        proxy.reset();
        proxy.mend();
        writing.join().unwrap().unwrap();
        assert!(proxy.broken() > broken);
        journal.commit(&[line(&format!("after {number}"))], 0).unwrap();
    }
    let expected = ["before", "lost 1", "after 1", "lost 2", "after 2", "lost 3", "after 3"];
    assert_eq!(texts(&journal), expected);
    // And a request that is lost on its way is sent again.
    proxy.silence(Towards::Coordinator);
    let writer = Arc::clone(&journal);
    let writing = std::thread::spawn(move || writer.commit(&[line("sent again")], 0));
    let held = proxy.held();
    until("the request", || (proxy.held() > held).then_some(()));
    proxy.reset();
    proxy.mend();
    writing.join().unwrap().unwrap();
    assert_eq!(texts(&journal)[7..], ["sent again"]);
}

#[test]
fn a_database_that_restarts_is_waited_for() {
    let Some(mut server) = PostgresServer::start() else { return };
    let journal = Arc::new(open(&server.url("hasami")).unwrap());
    journal.commit(&[run(1), line("before")], 0).unwrap();
    server.crash();
    let writer = Arc::clone(&journal);
    let writing = std::thread::spawn(move || writer.commit(&[line("meanwhile")], 0));
    let reader = Arc::clone(&journal);
    let reading = std::thread::spawn(move || texts(&reader));
    server.resume();
    writing.join().unwrap().unwrap();
    assert_eq!(reading.join().unwrap()[0], "before");
    assert_eq!(texts(&journal), ["before", "meanwhile"]);
    assert_eq!(server.ask("SELECT epoch FROM hasami.leader"), "1", "it goes on to lead");
}

#[test]
fn tables_of_another_format_are_left_alone() {
    let Some(server) = PostgresServer::start() else { return };
    drop(open(&server.url("hasami")).unwrap());
    let _ = server.ask("UPDATE hasami.leader SET format = 'hasami-postgres 9'");
    let refused = open_error(&server.url("hasami"));
    assert!(refused.contains("\"hasami-postgres 9\"; expected \"hasami-postgres 1\""), "{refused}");
    let refused = open_error(&server.url("hasami").replace("hasami@", "stranger@"));
    assert!(refused.contains("stranger"), "{refused}");
}

fn open_error(url: &str) -> String {
    let reached = Reached::open(&Address::parse(url).unwrap(), PATIENCE);
    reached.err().expect("it is refused").to_string()
}
