//! A state published as proven and as disproven: reported at once, stored forever.

use crate::common::{PROBLEM, contents, disproven, look, open, proven};
use hasami_andor::Key;
use hasami_store::{RocksStore, Store, StoreError};

const KEY: Key = Key(77);
const OTHER: Key = Key(78);

fn contradiction() -> StoreError {
    StoreError::Contradiction { problem: PROBLEM, key: KEY }
}

fn contradicted(store: &RocksStore) {
    let other = proven(5);
    store.publish(PROBLEM, &[(KEY, proven(5)), (OTHER, other)]).unwrap();
    store.publish(PROBLEM, &[(KEY, disproven(9))]).unwrap();
}

#[test]
fn the_lookup_that_meets_it_says_so_and_then_everything_does() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    contradicted(&store);
    assert_eq!(look(&store, KEY), Err(contradiction()));
    assert_eq!(look(&store, OTHER), Err(contradiction()));
    let refused = store.publish(PROBLEM, &[(Key(1), proven(1))]);
    assert_eq!(refused, Err(contradiction()));
}

#[test]
fn a_compaction_that_meets_it_stops_publishing() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    contradicted(&store);
    assert_eq!(store.compact(), Err(contradiction()));
    let refused = store.publish(PROBLEM, &[(OTHER, proven(1))]);
    assert_eq!(refused, Err(contradiction()));
}

#[test]
fn one_batch_can_contradict_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    let batch = [(KEY, disproven(1)), (KEY, proven(1))];
    store.publish(PROBLEM, &batch).unwrap();
    assert_eq!(look(&store, KEY), Err(contradiction()));
}

#[test]
fn a_reopened_store_still_says_it_of_that_key_and_only_of_that() {
    for compacted in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).unwrap();
        contradicted(&store);
        if compacted {
            store.compact().unwrap_err();
        }
        drop(store);
        let store = open(dir.path()).unwrap();
        let counts = store.stats().unwrap().total;
        assert_eq!((counts.conflicts, counts.proven, counts.disproven), (1, 1, 0));
        drop(store);
        let store = open(dir.path()).unwrap();
        assert_eq!(look(&store, OTHER), Ok(Some(proven(5))));
        assert_eq!(look(&store, KEY), Err(contradiction()));
    }
}

#[test]
fn later_verdicts_do_not_heal_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    contradicted(&store);
    store.compact().unwrap_err();
    drop(store);
    let store = open(dir.path()).unwrap();
    for work in 10..20 {
        store.publish(PROBLEM, &[(KEY, proven(work))]).unwrap();
    }
    assert_eq!(store.compact(), Err(contradiction()));
    drop(store);
    assert_eq!(look(&open(dir.path()).unwrap(), KEY), Err(contradiction()));
}

#[test]
fn a_scan_shows_what_is_sound_and_then_says_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    contradicted(&store);
    let mut shown = Vec::new();
    let result = store.scan(PROBLEM, 0, |key, _| shown.push(key));
    assert_eq!((result, shown), (Err(contradiction()), vec![OTHER]));
}

#[test]
fn a_restored_checkpoint_keeps_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("store")).unwrap();
    contradicted(&store);
    store.checkpoint(dir.path().join("copy")).unwrap();
    RocksStore::restore(dir.path().join("copy"), dir.path().join("again")).unwrap();
    let again = open(&dir.path().join("again")).unwrap();
    assert_eq!(look(&again, KEY), Err(contradiction()));
}

#[test]
fn the_same_verdict_twice_is_no_contradiction() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    store.publish(PROBLEM, &[(KEY, proven(5))]).unwrap();
    store.publish(PROBLEM, &[(KEY, proven(9))]).unwrap();
    store.compact().unwrap();
    assert_eq!(contents(&store).into_iter().collect::<Vec<_>>(), [(KEY, proven(9))]);
}
