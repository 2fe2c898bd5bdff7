//! Notes: bytes under a family and a key, stored unchanged beside the records.

use crate::common::servers::Cluster;
use crate::common::{PROBLEM, contents, copy, many, open};
use hasami_andor::{Key, ProblemId};
use hasami_store::{RedisStore, RocksReader, RocksStore, Store};
use std::path::PathBuf;

const OTHER: ProblemId = ProblemId(PROBLEM.0 + 1);

fn keeps_and_replaces(store: &dyn Store) {
    let keys = [Key(1), Key(2), Key(u128::MAX)];
    assert_eq!(store.notes(PROBLEM, &keys).unwrap(), [None, None, None]);
    let long: Vec<u8> = (0..=255).cycle().take(5000).collect();
    store
        .keep_notes(PROBLEM, &[(Key(1), b"one".to_vec()), (Key(u128::MAX), long.clone())])
        .unwrap();
    store.keep_notes(OTHER, &[(Key(2), Vec::new())]).unwrap();
    assert_eq!(
        store.notes(PROBLEM, &keys).unwrap(),
        [Some(b"one".to_vec()), None, Some(long.clone())]
    );
    assert_eq!(store.notes(OTHER, &keys).unwrap(), [None, Some(Vec::new()), None]);
    store.keep_notes(PROBLEM, &[(Key(1), b"1".to_vec()), (Key(1), b"first".to_vec())]).unwrap();
    assert_eq!(store.notes(PROBLEM, &keys[..1]).unwrap(), [Some(b"first".to_vec())]);
    store.keep_notes(PROBLEM, &[]).unwrap();
    assert_eq!(store.notes(PROBLEM, &[]).unwrap(), Vec::<Option<Vec<u8>>>::new());
}

#[test]
fn a_store_on_a_disk_keeps_notes_through_reopening_checkpoints_and_restoring() {
    let dir = tempfile::tempdir().unwrap();
    let [path, copied, back] = ["store", "checkpoint", "back"].map(|name| dir.path().join(name));
    let store = open(&path).unwrap();
    keeps_and_replaces(&store);
    store.publish(PROBLEM, &many(100)).unwrap();
    store.sync().unwrap();
    assert_eq!((store.stats().unwrap().notes, contents(&store).len()), (3, 100));
    drop(store);
    let reader = RocksReader::open(&path).unwrap();
    assert_eq!(reader.stats().unwrap().notes, 3);
    reader.checkpoint(&copied).unwrap();
    drop(reader);
    RocksStore::restore(&copied, &back).unwrap();
    let store = open(&back).unwrap();
    assert_eq!(store.notes(PROBLEM, &[Key(1)]).unwrap(), [Some(b"first".to_vec())]);
    assert_eq!(store.stats().unwrap().total.records(), 100);
}

#[test]
fn a_store_from_before_there_were_notes_takes_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("old");
    copy(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-1"), &path);
    let store = open(&path).unwrap();
    let before = contents(&store);
    assert_eq!(store.stats().unwrap().notes, 0);
    keeps_and_replaces(&store);
    drop(store);
    let store = open(&path).unwrap();
    assert_eq!((store.stats().unwrap().notes, contents(&store)), (3, before));
}

#[test]
fn servers_keep_notes_apart_from_records() {
    let cluster = Cluster::start(&["--appendonly", "no"]);
    let store = RedisStore::open(&cluster.url()).unwrap();
    keeps_and_replaces(&store);
    store.publish(PROBLEM, &many(10)).unwrap();
    let mut records = 0;
    store.scan(PROBLEM, 0, &mut |_, _| records += 1).unwrap();
    drop(store);
    let store = RedisStore::open(&cluster.url()).unwrap();
    assert_eq!(store.notes(PROBLEM, &[Key(1)]).unwrap(), [Some(b"first".to_vec())]);
    assert_eq!(records, 10);
}
