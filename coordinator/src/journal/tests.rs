//! The journal's guarantees, on real files: committed data survives whatever happens after.

mod keep;

use hasami_answer::CATALOG;
use std::fs;
use std::path::{Path, PathBuf};

use hasami_spec::ContentKey;
use hasami_sweep::{Measures, Sweep, Verdict};
use hasami_unit::{Attempt, Part, RunState};

use super::*;
use crate::core::{
    Claim, Core, Millis, RunRecord, Sender, Settings, UnitNo, UnitRecord, WorkerId, WorkerRecord,
};

const SWEEP: &str =
    "name = \"t\"\nproblem = \"chomp\"\n[parameters]\nrows = 2\ncolumns = \"1..=8\"\n";

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

fn restored(journal: &Journal) -> Core {
    journal.restore(CATALOG, Settings::default(), true, Millis(0)).unwrap()
}

fn runs(journal: &Journal) -> Vec<u64> {
    restored(journal).runs().map(|run| run.id.0).collect()
}

/// The log that RocksDB replays when it opens.
fn write_ahead_log(path: &Path) -> PathBuf {
    let logs = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> =
        logs.filter(|file| file.extension().is_some_and(|end| end == "log")).collect();
    logs.sort();
    logs.pop().unwrap()
}

/// A copy of the current files: what a kill −9 would leave.
fn killed(path: &Path, copy: &Path) {
    fs::create_dir(copy).unwrap();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "LOCK" {
            fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn what_was_committed_is_there_after_a_kill_and_every_start_is_counted() {
    let directory = tempfile::tempdir().unwrap();
    let (path, copy) = (directory.path().join("a"), directory.path().join("b"));
    let journal = Journal::open(&path).unwrap();
    assert_eq!(journal.epoch(), 1);
    let answer = Answer {
        verdict: Verdict::Answered,
        claim: "so it is".to_string(),
        fields: Vec::new(),
        certificates: Vec::new(),
        measures: Measures::default(),
        check: None,
    };
    let unit = UnitRecord {
        attempt: Attempt(3),
        holder: Some(WorkerId(9)),
        crashes: 1,
        prefix: Some(String::new()),
        done: Some(Part { raw: 7, found: vec!["x".to_string()], ..Part::default() }),
        granted: Some(WorkerId(9)),
        claim: Some(Claim {
            answer: answer.clone(),
            sender: Sender("token x".to_string()),
            name: "worker 9".to_string(),
            stranger: true,
            stage: 2,
        }),
    };
    let key = ContentKey::of(&["x"]);
    let changes = [
        run(1),
        Change::Unit(RunId(1), ItemNo(2), UnitNo(0), unit.clone()),
        Change::Unit(RunId(1), ItemNo(3), UnitNo(0), unit.clone()),
        Change::Answer(key, answer.clone()),
        Change::History(RunId(1), ItemNo(2), "given".to_string()),
    ];
    journal.commit(&changes, 5).unwrap();
    journal.commit(&[Change::DropUnits(RunId(1), ItemNo(3))], 6).unwrap();
    killed(&path, &copy);
    let again = Journal::open(&copy).unwrap();
    assert_eq!(again.epoch(), 2);
    let core = restored(&again);
    let run = core.runs().next().unwrap();
    assert_eq!((core.runs().count(), run.sweep.len()), (1, 8));
    assert_eq!(run.item(ItemNo(2)).unwrap(), (hasami_unit::ItemState::Running, 3, false));
    assert_eq!(run.item(ItemNo(3)).unwrap().0, hasami_unit::ItemState::Waiting);
    let kept = again
        .rocks()
        .db
        .get_cf(again.rocks().family(UNITS), keys::unit(RunId(1), ItemNo(2), UnitNo(0)));
    assert_eq!(UnitRecord::from_bytes(&kept.unwrap().unwrap()), Ok(unit));
    assert_eq!(again.answer(key).unwrap(), Some(answer));
    assert_eq!(again.answered(&[key, ContentKey::of(&["y"])]).unwrap(), [true, false]);
    let history = again.history(RunId(1), ItemNo(2)).unwrap();
    assert_eq!((history[0].time_ms, history[0].text.as_str()), (5, "given"));
    assert!(again.history(RunId(1), ItemNo(20)).unwrap().is_empty());
}

#[test]
fn a_second_coordinator_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let _first = Journal::open(&directory.path().join("journal")).unwrap();
    let second = Journal::open(&directory.path().join("journal")).err().unwrap();
    assert!(matches!(second, JournalError::Busy { .. }), "{second}");
    assert!(second.to_string().contains("another coordinator is running"), "{second}");
}

#[test]
fn a_torn_tail_loses_only_what_was_torn() {
    let directory = tempfile::tempdir().unwrap();
    let (path, copy) = (directory.path().join("a"), directory.path().join("b"));
    let journal = Journal::open(&path).unwrap();
    journal.commit(&[run(1)], 0).unwrap();
    let whole = fs::metadata(write_ahead_log(&path)).unwrap().len();
    journal.commit(&[run(2)], 0).unwrap();
    killed(&path, &copy);
    // The machine stopped in the middle of writing the second record.
    let log = write_ahead_log(&copy);
    let bytes = fs::read(&log).unwrap();
    fs::write(&log, &bytes[..whole as usize + 9]).unwrap();
    assert_eq!(runs(&Journal::open(&copy).unwrap()), [1]);
}

#[test]
fn damage_before_the_tail_is_reported_and_nothing_is_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let (path, copy) = (directory.path().join("a"), directory.path().join("b"));
    let journal = Journal::open(&path).unwrap();
    journal.commit(&[run(1)], 0).unwrap();
    let start = fs::metadata(write_ahead_log(&path)).unwrap().len();
    journal.commit(&[run(2)], 0).unwrap();
    journal.commit(&[run(3)], 0).unwrap();
    killed(&path, &copy);
    let log = write_ahead_log(&copy);
    let mut bytes = fs::read(&log).unwrap();
    bytes[start as usize + 20] ^= 0x55;
    fs::write(&log, &bytes).unwrap();
    let refused = Journal::open(&copy).err().expect("damage is no tail").to_string();
    assert!(refused.contains("orruption"), "{refused}");
}

#[test]
fn a_journal_of_another_format_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    journal
        .rocks()
        .db
        .put_cf(journal.rocks().family(META), FORMAT_KEY, "hasami-journal 1")
        .unwrap();
    drop(journal);
    let refused = Journal::open(&directory.path().join("journal")).err().unwrap().to_string();
    assert!(refused.contains("\"hasami-journal 1\"; expected \"hasami-journal 3\""), "{refused}");
}

/// A kill −9 cannot show a missing sync: the system keeps what was written. So count the sync
/// calls.
#[test]
fn every_commit_is_synced() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    let synced = || {
        let text = journal.rocks().db.property_value("rocksdb.options-statistics").unwrap();
        text.unwrap_or_default()
            .lines()
            .find_map(|line| line.strip_prefix("rocksdb.wal.synced COUNT : "))
            .and_then(|count| count.trim().parse::<u64>().ok())
            .expect("statistics of the log")
    };
    let before = synced();
    for number in 1..=20 {
        journal.commit(&[run(number)], 0).unwrap();
    }
    assert!(synced() >= before + 20, "{} syncs for 20 commits", synced() - before);
}

#[test]
fn a_checkpoint_is_a_journal_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let (path, copy) = (directory.path().join("a"), directory.path().join("b"));
    let journal = Journal::open(&path).unwrap();
    journal.commit(&[run(1)], 0).unwrap();
    journal.checkpoint(&copy).unwrap();
    journal.commit(&[run(2)], 0).unwrap();
    assert_eq!(runs(&Journal::open(&copy).unwrap()), [1]);
    assert!(journal.checkpoint(&copy).is_err(), "a directory that exists is left alone");
}

#[test]
fn a_clock_that_is_set_back_loses_and_reorders_no_history() {
    let directory = tempfile::tempdir().unwrap();
    let line = |text: &str| [Change::History(RunId(1), ItemNo(2), text.to_string())];
    // Two in one millisecond, then an hour back, over a restart too.
    let lines = [("first", 9_000_000), ("second", 9_000_000), ("third", 5_400_000), ("fourth", 3)];
    for (text, wall_ms) in lines {
        let journal = Journal::open(&directory.path().join("journal")).unwrap();
        journal.commit(&line(text), wall_ms).unwrap();
        journal.commit(&line(&format!("{text} again")), wall_ms).unwrap();
    }
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    let found = journal.history(RunId(1), ItemNo(2)).unwrap();
    let expected = lines.map(|(text, ms)| [(text.to_string(), ms), (format!("{text} again"), ms)]);
    let found: Vec<_> = found.into_iter().map(|line| (line.text, line.time_ms)).collect();
    assert_eq!(
        found,
        expected.concat(),
        "in the order in which it happened, with the clock's times"
    );
}

#[test]
fn numbers_of_workers_are_not_used_again() {
    let directory = tempfile::tempdir().unwrap();
    let worker = |number| {
        let (worker, name) = (WorkerId(number), String::new());
        Change::Worker(WorkerRecord { worker, session: 7, name })
    };
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    journal.commit(&[worker(1), worker(2), worker(3)], 0).unwrap();
    journal.commit(&[Change::DropWorker(WorkerId(3))], 0).unwrap();
    journal.commit(&[worker(1)], 0).unwrap();
    let next = |core: &mut Core| {
        let about = crate::core::Introduction::default();
        (core.workers().count(), core.register(None, about, &[], 1, Millis(0)).worker)
    };
    assert_eq!(next(&mut restored(&journal)), (2, WorkerId(4)));
    journal.forget_workers().unwrap();
    drop(journal);
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    assert_eq!(next(&mut restored(&journal)), (0, WorkerId(4)));
}

/// Damage to the last acknowledged record is no torn tail: its bytes are complete, and wrong.
#[test]
fn damage_to_the_last_record_is_reported_too() {
    let directory = tempfile::tempdir().unwrap();
    let (path, copy) = (directory.path().join("a"), directory.path().join("b"));
    let journal = Journal::open(&path).unwrap();
    journal.commit(&[run(1)], 0).unwrap();
    killed(&path, &copy);
    let log = write_ahead_log(&copy);
    let mut bytes = fs::read(&log).unwrap();
    *bytes.last_mut().unwrap() ^= 0x55;
    fs::write(&log, &bytes).unwrap();
    let refused = Journal::open(&copy).err().expect("damage is no tail").to_string();
    assert!(refused.contains("orruption"), "{refused}");
}
