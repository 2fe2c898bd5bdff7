//! A store opened read-only: nothing of it changes, and damage is reported, not copied.

use std::fs;
use std::path::Path;

use crate::common::{PROBLEM, contents, files, look, many, open, proven};
use hasami_andor::Key;
use hasami_store::{RocksReader, RocksStore, Store, StoreError};

/// A store with records in tables and later ones only in its log.
fn filled(path: &Path) {
    let store = open(path).unwrap();
    store.publish(PROBLEM, &many(20_000)).unwrap();
    store.compact().unwrap();
    store.publish(PROBLEM, &[(Key(1), proven(9))]).unwrap();
}

fn names(path: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

#[test]
fn looking_at_a_store_changes_nothing_and_sees_everything() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    filled(&at("store"));
    let before = files(&at("store"));
    let reader = RocksReader::open(at("store")).unwrap();
    let stats = reader.stats().unwrap();
    assert_eq!(stats.total.proven, 20_001);
    assert_eq!(stats.bytes, before.values().map(|bytes| bytes.len() as u64).sum::<u64>());
    reader.checkpoint(at("copy")).unwrap();
    drop(reader);
    assert_eq!(files(&at("store")), before);

    RocksStore::restore(at("copy"), at("again")).unwrap();
    assert_eq!(files(&at("store")), before);
    let (again, store) = (open(&at("again")).unwrap(), open(&at("store")).unwrap());
    assert_eq!(look(&again, Key(1)), Ok(Some(proven(9))));
    assert_eq!(contents(&again), contents(&store));
}

#[test]
fn a_damaged_table_is_named_and_nothing_is_made_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    filled(&at("store"));
    let (table, mut bytes) = files(&at("store"))
        .into_iter()
        .filter(|(name, _)| name.ends_with(".sst"))
        .max_by_key(|(_, bytes)| bytes.len())
        .unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 0x40;
    fs::write(at("store").join(&table), bytes).unwrap();
    let before = files(&at("store"));
    let named = |result: Result<(), StoreError>| match result {
        Err(StoreError::Damaged { detail, .. }) => assert!(detail.contains(&table), "{detail}"),
        other => panic!("{other:?}"),
    };
    let reader = RocksReader::open(at("store")).unwrap();
    named(reader.stats().map(drop));
    named(reader.checkpoint(at("copy")));
    drop(reader);
    assert_eq!(files(&at("store")), before);
    assert_eq!(names(dir.path()), ["store"]);

    fs::remove_file(at("store").join(&table)).unwrap();
    let before = files(&at("store"));
    named(RocksReader::open(at("store")).and_then(|reader| reader.stats()).map(drop));
    assert_eq!(files(&at("store")), before);
}

#[test]
fn only_a_store_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    let error = RocksReader::open(&missing).unwrap_err();
    assert_eq!(error, StoreError::Missing { path: missing.clone() });
    assert!(!missing.exists());
    let copy = dir.path().join("copy");
    open(&dir.path().join("store")).unwrap().checkpoint(&copy).unwrap();
    let error = RocksReader::open(&copy).unwrap_err();
    assert_eq!(error, StoreError::IsCheckpoint { path: copy });
}

#[test]
fn many_may_look_but_not_while_one_writes() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let busy = StoreError::Busy { path: dir.path().to_owned() };

    let (one, two) = (RocksReader::open(dir.path()), RocksReader::open(dir.path()));
    let before = files(dir.path());
    assert_eq!(open(dir.path()).unwrap_err(), busy);
    assert_eq!(files(dir.path()), before);
    assert_eq!(one.unwrap().stats(), two.unwrap().stats());

    let store = open(dir.path()).unwrap();
    assert_eq!(RocksReader::open(dir.path()).unwrap_err(), busy);
    // The refused reader has not released the writer's lock.
    assert_eq!(open(dir.path()).unwrap_err(), busy);
    store.publish(PROBLEM, &[(Key(2), proven(1))]).unwrap();
    drop(store);
    assert_eq!(RocksReader::open(dir.path()).unwrap().stats().unwrap().total.proven, 20_002);
}
