//! A full disk: everything acknowledged before is there when there is space again.

use std::path::Path;
use std::process::Command;

use crate::common::{PROBLEM, contents, many, open};
use hasami_store::{OpenOptions, RocksStore, Store, StoreError};

const RECORDS: u64 = 60_000;
const BATCH: usize = 500;

/// Runs this test binary again with a limit of `kib` on file sizes: writing more fails as on a full
/// disk. Returns its output.
fn in_little_space(kib: u64, buffer_kib: u64, path: &Path) -> String {
    let script = "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh", &(2 * kib).to_string()])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "full_disk::little_space_body", "--nocapture"])
        .env("HASAMI_STORE_PATH", path)
        .env("HASAMI_STORE_BUFFER", (buffer_kib << 10).to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:#?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Not a test of its own: the body that [`in_little_space`] runs. Publishes until it is refused.
#[test]
fn little_space_body() {
    let Some(path) = std::env::var_os("HASAMI_STORE_PATH") else {
        return;
    };
    let buffer_bytes = std::env::var("HASAMI_STORE_BUFFER").unwrap().parse().unwrap();
    let store =
        RocksStore::open(path, OpenOptions { buffer_bytes, ..OpenOptions::default() }).unwrap();
    let mut refusal = None;
    for (count, batch) in (1..).zip(many(RECORDS).chunks(BATCH)) {
        let result = store.publish(PROBLEM, batch).and_then(|()| store.sync());
        match (result, &refusal) {
            (Ok(()), None) => println!("acknowledged {}", count * BATCH),
            (Ok(()), Some(_)) => panic!("written after a refusal"),
            (Err(error), _) => refusal = Some(error),
        }
    }
    let refusal = refusal.expect("less space than records");
    assert!(matches!(refusal, StoreError::Io { .. }), "{refusal}");
    println!("refused: {refusal}");
}

#[test]
fn what_was_acknowledged_before_the_disk_was_full_is_there_afterwards() {
    // With a large buffer the log runs out of space, with a small one the tables.
    for (kib, buffer_kib) in [(256, 65_536), (1024, 65_536), (512, 64), (512, 256)] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store");
        let said = in_little_space(kib, buffer_kib, &path);
        assert!(said.contains("refused: ") && said.contains("File too large"), "{said}");
        let acknowledged = said.lines().rev().find_map(|line| line.split_once("acknowledged "));
        let acknowledged: usize = acknowledged.unwrap().1.parse().unwrap();
        let store = open(&path).unwrap();
        let found = contents(&store);
        assert!(found.len() >= acknowledged, "{} of {acknowledged}", found.len());
        for (key, record) in &many(RECORDS)[..acknowledged] {
            assert_eq!(found.get(key), Some(record));
        }
        // The store accepts records again.
        store.publish(PROBLEM, &many(RECORDS)).unwrap();
        store.compact().unwrap();
        assert_eq!(contents(&store).len(), RECORDS as usize);
    }
}
