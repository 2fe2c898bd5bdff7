//! Releases beside each other: data of earlier ones is read, and a coordinator and workers of two
//! releases work together while a cluster is upgraded.

use std::path::{Path, PathBuf};

use hasami_tests::{Cluster, DATA, Hasami, until};
use serde_json::Value;

use crate::under_fault::many;

/// What earlier releases have written. Each directory has a checkpoint with a finished run of
/// `sweep.toml`, the table of that run, and certificates. A change of a format adds a directory and
/// removes none; `make-fixture.sh` there makes one.
fn fixtures() -> Vec<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let entries = std::fs::read_dir(top).expect("the fixtures");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.is_dir()).collect()
}

#[test]
fn data_of_earlier_releases_is_read() {
    let fixtures = fixtures();
    assert!(!fixtures.is_empty());
    for fixture in fixtures {
        let hasami = Hasami::new();
        let from = fixture.join("checkpoint").display().to_string();
        hasami.run(&format!("coordinator restore {from} --data {DATA}")).expect(0);
        let cluster = Cluster::on(hasami, "");
        let expected = std::fs::read_to_string(fixture.join("results.csv")).expect("a table");
        assert_eq!(cluster.export(1), expected, "{}", fixture.display());
        // The same questions again: every answer is known, and nobody is needed to compute.
        let sweep = fixture.join("sweep.toml").display().to_string();
        let again = cluster.submit(&sweep);
        cluster.ask(&format!("runs wait {again}")).expect(0);
        assert_eq!(cluster.export(again), expected, "{}", fixture.display());
        let certificates = std::fs::read_dir(fixture.join("certificates")).expect("certificates");
        let mut verified = 0;
        for entry in certificates {
            let file = entry.expect("an entry").path().display().to_string();
            cluster.hasami.run(&format!("verify {file}")).expect(0);
            verified += 1;
        }
        assert!(verified > 0, "{}", fixture.display());
    }
}

/// `HASAMI_PREVIOUS` names the program of an earlier release or commit.
fn previous() -> Option<PathBuf> {
    let given = std::env::var_os("HASAMI_PREVIOUS").map(PathBuf::from);
    if given.is_none() {
        println!("skipped: HASAMI_PREVIOUS names no program of an earlier release");
    }
    given
}

/// A run with a coordinator of one program, and two workers: one of each.
fn together(coordinator: Hasami, worker: &Hasami, expected: &str) {
    let mut cluster = Cluster::on(coordinator, "--lease 3s --heartbeat 200ms");
    let access = cluster.hasami.path(format!("{DATA}/access.json")).display().to_string();
    let line = format!("worker --access {access} --threads 1 --memory 64MiB --name other");
    let mut other = worker.spawn("other", &[], &line);
    other.wait_for("registered");
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 5);
    // The other one has done its part before there is a second.
    let own = cluster.worker();
    cluster.until_busy(own);
    cluster.ask(&format!("runs wait {run}")).expect(0);
    assert_eq!(cluster.export(run), expected);
    for worker in [other, cluster.take_worker(own)] {
        worker.signal("TERM");
        worker.end().expect(0);
    }
}

#[test]
fn a_new_coordinator_works_with_old_workers_and_the_other_way_round() {
    let Some(previous) = previous() else { return };
    let (new, expected) = many();
    let old = Hasami::of(&previous);
    together(new, &old, &expected);
    let new = Hasami::new();
    let old = Hasami::of(&previous);
    old.write("s.toml", crate::under_fault::MANY);
    together(old, &new, &expected);
}

#[test]
fn a_coordinator_is_replaced_under_running_workers() {
    let Some(previous) = previous() else { return };
    let (_, expected) = many();
    let old = Hasami::of(&previous);
    old.write("s.toml", crate::under_fault::MANY);
    let directory = old.path("");
    let mut cluster = Cluster::on(old, "--lease 3s --heartbeat 200ms");
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 5);
    let address = cluster.address().to_string();
    let stopped = cluster.take_coordinator();
    stopped.signal("TERM");
    stopped.end().expect(0);
    // The new program on the same data, at the same address; the old worker goes on with it.
    let new = Hasami::new();
    let data = directory.join(DATA).display().to_string();
    let line = format!("coordinator --listen {address} --data {data} --output json");
    let mut coordinator = new.spawn("coordinator", &[], &line);
    until("the new coordinator", || {
        assert!(coordinator.ended().is_none(), "{}", coordinator.log());
        serde_json::from_str::<Value>(&coordinator.out()).ok()
    });
    cluster.ask(&format!("runs wait {run}")).expect(0);
    assert_eq!(cluster.export(run), expected);
    let worker = cluster.take_worker(worker);
    worker.signal("TERM");
    worker.end().expect(0);
}
