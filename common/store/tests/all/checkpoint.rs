//! Checkpoints of a store in use, and stores restored from them.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::common::{PROBLEM, contents, copy, files, look, many, open, proven};
use hasami_andor::Key;
use hasami_store::{RocksStore, Store, StoreError};

#[test]
fn a_checkpoint_made_while_writing_holds_all_that_was_published_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("store")).unwrap();
    let (stop, published) = (AtomicBool::new(false), AtomicU64::new(0));
    let records = many(400_000);
    let mut floors = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            for (count, batch) in (1..).zip(records.chunks(50)) {
                store.publish(PROBLEM, batch).unwrap();
                published.store(50 * count, Ordering::Release);
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        for n in 1..=5 {
            while published.load(Ordering::Acquire) < 1000 * n {
                thread::yield_now();
            }
            floors.push(published.load(Ordering::Acquire));
            store.checkpoint(dir.path().join(format!("{n}"))).unwrap();
        }
        stop.store(true, Ordering::Relaxed);
    });
    for (n, floor) in (1..).zip(floors) {
        let (from, to) = (format!("{n}"), format!("restored-{n}"));
        RocksStore::restore(dir.path().join(from), dir.path().join(&to)).unwrap();
        let found = contents(&open(&dir.path().join(to)).unwrap());
        let count = found.len();
        assert!(count as u64 >= floor, "{count} of at least {floor}");
        assert_eq!(count % 50, 0, "a batch is there whole or not at all");
        for (key, record) in &records[..count] {
            assert_eq!(found.get(key), Some(record));
        }
    }
}

#[test]
fn a_restored_store_holds_what_the_original_held_and_lives_on() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let store = open(&at("store")).unwrap();
    store.publish(PROBLEM, &many(5000)).unwrap();
    store.compact().unwrap();
    store.publish(PROBLEM, &[(Key(1), proven(9))]).unwrap();
    let before = contents(&store);
    store.checkpoint(at("copy")).unwrap();
    store.publish(PROBLEM, &[(Key(2), proven(9))]).unwrap();
    let pristine = files(&at("copy"));

    RocksStore::restore(at("copy"), at("new/again")).unwrap();
    assert_eq!(files(&at("copy")), pristine);
    let again = open(&at("new/again")).unwrap();
    assert_eq!(contents(&again), before);
    again.publish(PROBLEM, &[(Key(3), proven(1))]).unwrap();
    again.compact().unwrap();
    assert_eq!(look(&again, Key(3)), Ok(Some(proven(1))));
    // The checkpoint shares no file with the store restored from it.
    assert_eq!(files(&at("copy")), pristine);
    let left: Vec<_> = fs::read_dir(at("new")).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing unfinished is left behind");
}

#[test]
fn a_checkpoint_is_not_a_store_to_work_in() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("store")).unwrap();
    let path = dir.path().join("copy");
    store.checkpoint(&path).unwrap();
    let before = files(&path);
    let error = open(&path).unwrap_err();
    assert_eq!(error, StoreError::IsCheckpoint { path: path.clone() });
    assert_eq!(files(&path), before);
}

#[test]
fn nothing_is_overwritten_by_a_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("store")).unwrap();
    let path = dir.path().join("there");
    fs::create_dir(&path).unwrap();
    let exists = StoreError::Exists { path: path.clone() };
    assert_eq!(store.checkpoint(&path), Err(exists.clone()));
    fs::remove_dir(&path).unwrap();
    store.checkpoint(&path).unwrap();
    let before = files(&path);
    assert_eq!(store.checkpoint(&path), Err(exists));
    assert_eq!(files(&path), before);
}

#[test]
fn nothing_is_overwritten_by_a_restore() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let store = open(&at("store")).unwrap();
    store.publish(PROBLEM, &many(10)).unwrap();
    store.checkpoint(at("copy")).unwrap();
    for name in ["file", "full"] {
        let exists = StoreError::Exists { path: at(name) };
        if name == "full" {
            fs::create_dir(at(name)).unwrap();
            fs::write(at("full/thesis.txt"), "years of work").unwrap();
        } else {
            fs::write(at(name), "text").unwrap();
        }
        assert_eq!(RocksStore::restore(at("copy"), at(name)), Err(exists));
    }
    assert_eq!(fs::read(at("full/thesis.txt")).unwrap(), b"years of work");
    assert_eq!(fs::read(at("file")).unwrap(), b"text");
    fs::create_dir(at("empty")).unwrap();
    RocksStore::restore(at("copy"), at("empty")).unwrap();
    assert_eq!(contents(&open(&at("empty")).unwrap()).len(), 10);
}

#[test]
fn what_is_no_checkpoint_is_not_restored() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    drop(open(&at("store")).unwrap());
    for name in ["store", "nothing"] {
        let error = RocksStore::restore(at(name), at("new")).unwrap_err();
        assert_eq!(error, StoreError::NotACheckpoint { path: at(name) });
        assert!(!at("new").exists());
    }
}

#[test]
fn a_checkpoint_with_any_file_cut_short_lost_or_flipped_is_not_restored() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let store = open(&at("store")).unwrap();
    store.publish(PROBLEM, &many(5000)).unwrap();
    store.checkpoint(at("copy")).unwrap();
    let mut tried = 0;
    for (name, bytes) in files(&at("copy")) {
        let harm = |how: &str, harmed: Option<&[u8]>| {
            let broken = at("broken");
            copy(&at("copy"), &broken);
            match harmed {
                Some(bytes) => fs::write(broken.join(&name), bytes).unwrap(),
                None => fs::remove_file(broken.join(&name)).unwrap(),
            }
            let result = RocksStore::restore(&broken, at("new"));
            assert!(result.is_err(), "{how} {name} was not noticed");
            let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
            assert_eq!(left.len(), 3, "{left:?}");
            fs::remove_dir_all(broken).unwrap();
        };
        harm("losing", None);
        if !bytes.is_empty() {
            harm("cutting", Some(&bytes[..bytes.len() - 1]));
            harm("cutting", Some(&bytes[..bytes.len() / 2]));
        }
        if name.ends_with(".sst") || name.starts_with("MANIFEST") {
            let mut flipped = bytes.clone();
            flipped[bytes.len() / 4] ^= 1;
            harm("flipping", Some(&flipped));
        }
        tried += 1;
    }
    assert!(tried >= 5, "{tried} files are hardly a checkpoint");
    RocksStore::restore(at("copy"), at("new")).unwrap();
}

#[test]
fn a_checkpoint_of_another_format_is_not_restored() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    open(&at("store")).unwrap().checkpoint(at("copy")).unwrap();
    let marker = at("copy").join("HASAMI-CHECKPOINT");
    let text = fs::read_to_string(&marker).unwrap();
    fs::write(&marker, text.replace("checkpoint 1\n", "checkpoint 2\n")).unwrap();
    let expected = StoreError::Format { path: at("copy"), found: "2".to_owned(), expected: 1 };
    assert_eq!(RocksStore::restore(at("copy"), at("new")), Err(expected));
}
