//! Shared by several tests: opening, records, and the files of a directory.

pub mod servers;
pub mod tellings;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_store::{OpenOptions, Record, RocksStore, Store, StoreError};

pub const PROBLEM: ProblemId = ProblemId(0x1234_5678);

pub fn open(path: &Path) -> Result<RocksStore, StoreError> {
    RocksStore::open(path, OpenOptions::default())
}

pub fn proven(work: u64) -> Record {
    Record::new(Numbers::PROVEN, work, 1)
}

pub fn disproven(work: u64) -> Record {
    Record::new(Numbers::DISPROVEN, work, 2)
}

pub fn unsolved(work: u64) -> Record {
    Record::new(Numbers::open(3, 4), work, 3)
}

/// `count` proven records, spread like the keys of a game.
pub fn many(count: u64) -> Vec<(Key, Record)> {
    (0..count).map(|n| (Key::mixed(n.into()), proven(n))).collect()
}

pub fn look(store: &dyn Store, key: Key) -> Result<Option<Record>, StoreError> {
    let mut out = Vec::new();
    store.lookup(PROBLEM, &[key], &mut out)?;
    Ok(out[0])
}

/// Everything in the store under [`PROBLEM`].
pub fn contents(store: &RocksStore) -> BTreeMap<Key, Record> {
    scan(store, 0)
}

pub fn scan(store: &RocksStore, min_work: u64) -> BTreeMap<Key, Record> {
    let mut all = BTreeMap::new();
    store
        .scan(PROBLEM, min_work, |key, record| {
            all.insert(key, record);
        })
        .unwrap();
    all
}

/// Names and bytes of all files.
pub fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(path)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

/// The only file with this ending.
pub fn only(path: &Path, ending: &str) -> std::path::PathBuf {
    let names: Vec<_> = files(path).into_keys().filter(|name| name.ends_with(ending)).collect();
    assert_eq!(names.len(), 1, "{names:?}");
    path.join(&names[0])
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for (name, bytes) in files(from) {
        fs::write(to.join(name), bytes).unwrap();
    }
}
