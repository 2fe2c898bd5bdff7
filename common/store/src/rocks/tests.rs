//! Tests of internals: which writes reach the disk, and bytes that no client may publish.

use hasami_andor::Numbers;
use rocksdb::statistics::Ticker;

use super::*;

const PROBLEM: ProblemId = ProblemId(7);

fn proven(key: u128) -> [(Key, Record); 1] {
    [(Key(key), Record::new(Numbers::PROVEN, 1, 0))]
}

/// A new store, and a counter of its log syncs.
fn counted(sync_writes: bool) -> (tempfile::TempDir, RocksStore, impl Fn() -> u64) {
    let dir = tempfile::tempdir().unwrap();
    let options = OpenOptions { sync_writes, ..OpenOptions::default() };
    let mut opened = None;
    let store = RocksStore::open_tuned(&dir.path().join("store"), &options, |database| {
        database.enable_statistics();
        opened = Some(database.clone());
    });
    let database = opened.unwrap();
    let syncs = move || database.get_ticker_count(Ticker::WalFileSynced);
    (dir, store.unwrap(), syncs)
}

#[test]
fn only_sync_makes_the_usual_publish_durable() {
    let (_dir, store, syncs) = counted(false);
    let before = syncs();
    store.publish(PROBLEM, &proven(1)).unwrap();
    assert_eq!(syncs(), before);
    store.sync().unwrap();
    assert_eq!(syncs(), before + 1);
}

#[test]
fn a_store_with_synced_writes_makes_every_publish_durable() {
    let (_dir, store, syncs) = counted(true);
    let before = syncs();
    store.publish(PROBLEM, &proven(1)).unwrap();
    store.publish(PROBLEM, &proven(2)).unwrap();
    assert_eq!(syncs(), before + 2);
}

#[test]
fn an_entry_that_is_no_record_is_damage_and_stays_damage() {
    let dir = tempfile::tempdir().unwrap();
    let open = || RocksStore::open(dir.path(), OpenOptions::default()).unwrap();
    let damaged = |result| matches!(result, Err(StoreError::Damaged { .. }));
    let store = open();
    let position = layout::position(PROBLEM, Key(5));
    store.db.put_cf(store.positions(), position, b"nonsense").unwrap();
    let mut out = Vec::new();
    assert!(damaged(store.lookup(PROBLEM, &[Key(5)], &mut out)));
    assert!(damaged(store.scan(PROBLEM, 0, |_, _| {})));
    // Publishing a good record on top of it does not repair it.
    store.publish(PROBLEM, &proven(5)).unwrap();
    assert!(damaged(store.compact()));
    drop(store);
    let store = open();
    assert!(damaged(store.lookup(PROBLEM, &[Key(5)], &mut out)));
    assert_eq!(store.stats().unwrap().total.conflicts, 1);
}

#[test]
fn a_format_inside_that_is_not_the_markers_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let open = || RocksStore::open(dir.path(), OpenOptions::default());
    let store = open().unwrap();
    let meta = family(&store.db, META);
    store.db.put_cf(meta, FORMAT_KEY, b"2").unwrap();
    drop(store);
    assert_eq!(
        open().unwrap_err(),
        StoreError::Format { path: dir.path().to_owned(), found: "2".to_owned(), expected: FORMAT }
    );
}
