//! Which directories can be opened, which are refused, and that a refusal changes nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{PROBLEM, contents, files, look, many, only, open, proven};
use hasami_andor::Key;
use hasami_store::{OpenOptions, RocksStore, Store, StoreError};

const MARKER: &str = "HASAMI-STORE";
const UNFINISHED: &str = "HASAMI-STORE.unfinished";

fn closed(path: &Path) {
    let store = open(path).unwrap();
    store.publish(PROBLEM, &many(100)).unwrap();
}

/// Opens, expecting a refusal that changes no byte.
fn refused(path: &Path) -> StoreError {
    let before = files(path);
    let error = open(path).unwrap_err();
    assert_eq!(files(path), before);
    error
}

#[test]
fn missing_and_empty_directories_become_stores() {
    let dir = tempfile::tempdir().unwrap();
    for path in [dir.path().join("deep/er"), dir.path().join("empty")] {
        if path.ends_with("empty") {
            fs::create_dir(&path).unwrap();
        }
        closed(&path);
        assert_eq!(fs::read(path.join(MARKER)).unwrap(), b"hasami-store 1\n");
        assert!(!path.join(UNFINISHED).exists());
        assert_eq!(contents(&open(&path).unwrap()).len(), 100);
    }
}

#[test]
fn nothing_is_created_when_that_is_not_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("none");
    let options = OpenOptions { create: false, ..OpenOptions::default() };
    let missing = StoreError::Missing { path: path.clone() };
    assert_eq!(RocksStore::open(&path, options.clone()).unwrap_err(), missing);
    assert!(!path.exists());
    closed(&path);
    RocksStore::open(&path, options).unwrap();
}

#[test]
fn somebody_elses_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thesis.txt"), "years of work").unwrap();
    let path = dir.path().to_owned();
    assert_eq!(refused(dir.path()), StoreError::NotAStore { path });
}

#[test]
fn a_file_in_the_place_of_the_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "text").unwrap();
    let error = open(&path).unwrap_err();
    assert_eq!(error, StoreError::NotAStore { path: path.clone() });
    assert_eq!(fs::read(path).unwrap(), b"text");
}

#[test]
fn a_database_without_the_marker_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    closed(dir.path());
    fs::remove_file(dir.path().join(MARKER)).unwrap();
    let path = dir.path().to_owned();
    assert_eq!(refused(dir.path()), StoreError::NotAStore { path });
}

#[test]
fn a_marker_cut_short_or_of_another_version_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    closed(dir.path());
    let marker = dir.path().join(MARKER);
    let cases = [
        ("", ""),
        ("hasami-st", "hasami-st"),
        ("hasami-store 1", "1"),
        ("hasami-store 2\n", "2"),
        ("hasami-store 0\n", "0"),
        ("hasami-store 11\n", "11"),
        ("\u{fffd}junk", "\u{fffd}junk"),
    ];
    for (text, found) in cases {
        fs::write(&marker, text).unwrap();
        let expected = StoreError::Format {
            path: dir.path().to_owned(),
            found: found.to_owned(),
            expected: 1,
        };
        assert_eq!(refused(dir.path()), expected);
    }
    fs::write(&marker, "hasami-store 1\n").unwrap();
    open(dir.path()).unwrap();
}

#[test]
fn a_creation_cut_short_anywhere_is_taken_up_again() {
    let whole = tempfile::tempdir().unwrap();
    drop(open(whole.path()).unwrap());
    // In the order in which they are created; the marker itself is renamed into place.
    let parts: [&[&str]; 5] = [
        &[],
        &["IDENTITY", "LOCK"],
        &["IDENTITY", "LOCK", "MANIFEST"],
        &["IDENTITY", "LOCK", "MANIFEST", "CURRENT", "OPTIONS", ".log", ".sst"],
        &["IDENTITY", "LOCK", "MANIFEST", "CURRENT", "OPTIONS", ".log", ".sst", MARKER],
    ];
    for part in parts {
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in files(whole.path()) {
            if part.iter().any(|part| name.contains(part)) {
                fs::write(dir.path().join(name), bytes).unwrap();
            }
        }
        taken_up(dir.path());
    }
}

#[test]
fn a_creation_cut_short_before_the_column_families_is_taken_up_again() {
    let dir = tempfile::tempdir().unwrap();
    drop(rocksdb::DB::open_default(dir.path()).unwrap());
    fs::write(dir.path().join("HASAMI-STORE.tmp"), "hasami-st").unwrap();
    taken_up(dir.path());
}

fn taken_up(path: &Path) {
    fs::write(path.join(UNFINISHED), "").unwrap();
    closed(path);
    assert_eq!(contents(&open(path).unwrap()).len(), 100);
    assert_eq!(fs::read(path.join(MARKER)).unwrap(), b"hasami-store 1\n");
    assert!(!path.join(UNFINISHED).exists());
}

#[test]
fn tables_without_marker_and_root_are_never_built_over() {
    let dir = tempfile::tempdir().unwrap();
    closed(dir.path());
    fs::write(dir.path().join(UNFINISHED), "").unwrap();
    for name in [MARKER, "CURRENT"] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    let error = refused(dir.path());
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_lost_root_is_damage_and_nothing_is_touched() {
    for lost in ["CURRENT", "MANIFEST"] {
        let dir = tempfile::tempdir().unwrap();
        closed(dir.path());
        let name = files(dir.path()).into_keys().find(|name| name.starts_with(lost)).unwrap();
        fs::remove_file(dir.path().join(&name)).unwrap();
        let StoreError::Damaged { detail, .. } = refused(dir.path()) else {
            panic!("no damage reported");
        };
        assert!(detail.contains(&name), "{detail}");
    }
}

#[test]
fn a_lost_table_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    store.publish(PROBLEM, &many(100)).unwrap();
    store.compact().unwrap();
    drop(store);
    let tables: Vec<_> =
        files(dir.path()).into_keys().filter(|name| name.ends_with(".sst")).collect();
    assert!(!tables.is_empty());
    fs::remove_file(dir.path().join(tables.last().unwrap())).unwrap();
    let error = open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_log_torn_at_its_end_loses_only_what_was_torn() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    store.publish(PROBLEM, &[(Key(1), proven(1))]).unwrap();
    store.publish(PROBLEM, &[(Key(2), proven(2))]).unwrap();
    drop(store);
    let log = only(dir.path(), ".log");
    let bytes = fs::read(&log).unwrap();
    fs::write(&log, &bytes[..bytes.len() - 3]).unwrap();
    let store = open(dir.path()).unwrap();
    assert_eq!(look(&store, Key(1)), Ok(Some(proven(1))));
    assert_eq!(look(&store, Key(2)), Ok(None));
}

#[test]
fn a_byte_flipped_in_the_middle_of_the_log_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    closed(dir.path());
    let store = open(dir.path()).unwrap();
    for record in many(3000) {
        store.publish(PROBLEM, &[record]).unwrap();
    }
    drop(store);
    let log = only(dir.path(), ".log");
    let mut bytes = fs::read(&log).unwrap();
    assert!(bytes.len() > 3 * 32768, "several blocks of the log");
    bytes[40_000] ^= 1;
    fs::write(&log, bytes).unwrap();
    let error = open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_byte_flipped_in_a_table_is_damage_and_not_a_missing_record() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    store.publish(PROBLEM, &many(20_000)).unwrap();
    store.compact().unwrap();
    drop(store);
    let (name, mut bytes) = files(dir.path())
        .into_iter()
        .filter(|(name, _)| name.ends_with(".sst"))
        .max_by_key(|(_, bytes)| bytes.len())
        .unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 0x40;
    fs::write(dir.path().join(name), bytes).unwrap();

    let store = open(dir.path()).unwrap();
    let damaged = |error: &StoreError| matches!(error, StoreError::Damaged { .. });
    assert!(damaged(&store.scan(PROBLEM, 0, |_, _| {}).unwrap_err()));
    assert!(damaged(&store.stats().unwrap_err()));
    let mut errors = 0;
    for (key, record) in many(20_000) {
        match look(&store, key) {
            Ok(found) => assert_eq!(found, Some(record)),
            Err(error) => {
                assert!(damaged(&error), "{error}");
                errors += 1;
            }
        }
    }
    assert!(errors > 0, "no lookup came by the damaged block");
    let mut out = vec![None];
    let keys: Vec<_> = many(20_000).into_iter().map(|(key, _)| key).collect();
    assert!(damaged(&store.lookup(PROBLEM, &keys, &mut out).unwrap_err()));
    assert_eq!(out, []);
}

#[test]
fn a_second_opener_in_the_same_process_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    let path = dir.path().to_owned();
    let error = open(dir.path()).unwrap_err();
    assert_eq!(error, StoreError::Busy { path });
    assert!(error.to_string().ends_with("is open in another process"));
    store.publish(PROBLEM, &many(1)).unwrap();
    drop(store);
    assert_eq!(contents(&open(dir.path()).unwrap()).len(), 1);
}

/// Runs this test binary again, as a process that does `what` with the store.
fn other_process(what: &str, path: &Path) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "opening::other_process_body", "--nocapture"])
        .env("HASAMI_STORE_TEST", what)
        .env("HASAMI_STORE_PATH", path)
        .output()
        .unwrap()
}

/// Not a test of its own: the body that [`other_process`] runs.
#[test]
fn other_process_body() {
    let Ok(what) = std::env::var("HASAMI_STORE_TEST") else {
        return;
    };
    let path = std::env::var_os("HASAMI_STORE_PATH").unwrap();
    let store = match open(Path::new(&path)) {
        Ok(store) => store,
        Err(error) => {
            println!("refused: {error}");
            return;
        }
    };
    println!("opened");
    if what == "die" {
        store.publish(PROBLEM, &many(500)).unwrap();
        store.sync().unwrap();
        std::process::abort();
    }
}

#[test]
fn a_second_process_is_refused_until_the_first_is_done() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    let said = other_process("open", dir.path()).stdout;
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("refused: the store"), "{said}");
    assert!(said.contains("is open in another process"), "{said}");
    drop(store);
    let said = other_process("open", dir.path()).stdout;
    assert!(String::from_utf8(said).unwrap().contains("opened"));
}

#[test]
fn a_process_that_dies_leaves_all_it_published_and_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let output = other_process("die", dir.path());
    assert!(!output.status.success(), "the process was to die");
    let store = open(dir.path()).unwrap();
    assert_eq!(contents(&store).len(), 500);
}
