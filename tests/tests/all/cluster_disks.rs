//! Disks that refuse, and power that is cut between a write and its sync. What was acknowledged is
//! there afterwards, and the table is the one of a quiet run.

use std::collections::BTreeMap;

use hasami_tests::{Cluster, DATA, Faults};
use serde_json::Value;

use crate::under_fault::{LONG, SHORT, finishes, many, slow};

/// What a client has seen of a run: it must never become less.
#[derive(Default)]
struct Seen(BTreeMap<u64, Value>);

impl Seen {
    #[track_caller]
    fn look(&mut self, cluster: &Cluster, run: u64) {
        for item in cluster.items(run) {
            let number = item["item"].as_u64().expect("a number");
            if let Some(before) = self.0.get(&number) {
                assert!(
                    item["attempts"].as_u64() >= before["attempts"].as_u64(),
                    "{before} {item}"
                );
                if before["state"] == "settled" {
                    assert_eq!(before, &item, "it was acknowledged");
                }
            }
            self.0.insert(number, item);
        }
    }

    fn settled(&self) -> u64 {
        self.0.values().filter(|item| item["state"] == "settled").count() as u64
    }
}

#[test]
fn a_power_cut_takes_nothing_that_was_acknowledged() {
    let (hasami, expected) = many();
    let faults = Faults::new(&hasami, "coordinator");
    let mut cluster = Cluster::under(faults.before(), hasami, LONG);
    cluster.worker();
    let run = cluster.submit("s.toml");
    let mut seen = Seen::default();
    let mut cut = 0;
    for done in [5, 15, 25] {
        cluster.until_done(run, done);
        seen.look(&cluster, run);
        cluster.take_coordinator().kill();
        cut += faults.cut_power(&cluster.hasami.path(DATA)).len();
        cluster.start();
        seen.look(&cluster, run);
        assert!(seen.settled() >= done);
    }
    assert!(cut > 0, "nothing was waiting for its sync: the cut was not felt");
    finishes(&cluster, run, 0, &expected);
    // Certificates too are on the disk before anybody hears of them.
    let line = format!("runs export {run} --certificates certs -o r.csv --format csv");
    assert_eq!(cluster.json(&line)["certificates"], 40);
}

#[test]
fn a_coordinator_killed_between_commit_and_reply_keeps_the_result() {
    let (hasami, expected) = slow();
    let faults = Faults::new(&hasami, "coordinator");
    let mut cluster = Cluster::under(faults.before(), hasami, LONG);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    // Nothing is written while it computes: the next sync of the journal is that of the result.
    faults.begin("kill-after", "1 /journal/");
    let ended = cluster.take_coordinator().end();
    assert_eq!(ended.code, None, "killed: {ended:#?}");
    assert_eq!(faults.fired().len(), 1);
    faults.end("kill-after");
    let _ = faults.cut_power(&cluster.hasami.path(DATA));
    cluster.start();
    // It was committed, and is verified now.
    cluster.until_done(run, 1);
    // The worker has heard nothing, offers it again, and hears that it is known.
    cluster.of(worker).wait_for("not wanted any more");
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert_eq!(cluster.items(run)[0]["attempts"], 1, "{history}");
}

#[test]
fn a_coordinator_killed_before_the_commit_gets_the_result_again() {
    let (hasami, expected) = slow();
    let faults = Faults::new(&hasami, "coordinator");
    let mut cluster = Cluster::under(faults.before(), hasami, LONG);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    faults.begin("kill-before", "1 /journal/");
    let ended = cluster.take_coordinator().end();
    assert_eq!(ended.code, None, "killed: {ended:#?}");
    assert_eq!(faults.fired().len(), 1);
    faults.end("kill-before");
    assert!(!faults.cut_power(&cluster.hasami.path(DATA)).is_empty(), "it was not synced");
    cluster.start();
    finishes(&cluster, run, 3, &expected);
    // Nothing is computed twice: the worker still had it.
    let history = cluster.history(run, 0);
    assert_eq!(cluster.items(run)[0]["attempts"], 1, "{history}");
}

#[test]
fn a_coordinator_killed_again_and_again_while_it_recovers_loses_nothing() {
    let (hasami, expected) = many();
    let faults = Faults::new(&hasami, "coordinator");
    let mut cluster = Cluster::under(faults.before(), hasami, LONG);
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 10);
    let mut seen = Seen::default();
    seen.look(&cluster, run);
    cluster.take_coordinator().kill();
    let _ = faults.cut_power(&cluster.hasami.path(DATA));
    let mut recoveries = 0;
    // At every sync of a start in turn, before and after it, until a start gets through.
    for number in 1.. {
        let mut ended = 0;
        for when in ["kill-before", "kill-after"] {
            faults.begin(when, &format!("{number} /{DATA}/"));
            if let Some(run) = cluster.try_start() {
                assert_eq!(run.code, None, "{run:#?}");
                ended += 1;
            } else {
                cluster.take_coordinator().kill();
            }
            faults.end(when);
            let _ = faults.cut_power(&cluster.hasami.path(DATA));
        }
        recoveries += ended;
        if ended == 0 {
            break;
        }
    }
    assert!(recoveries >= 4, "it was killed {recoveries} times while it recovered");
    assert!(faults.fired().len() >= recoveries);
    cluster.start();
    seen.look(&cluster, run);
    assert!(seen.settled() >= 10);
    finishes(&cluster, run, 0, &expected);
}

#[test]
fn a_disk_that_fails_stops_the_coordinator_and_takes_nothing() {
    let (hasami, expected) = many();
    let faults = Faults::new(&hasami, "coordinator");
    let mut cluster = Cluster::under(faults.before(), hasami, LONG);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 5);
    let mut seen = Seen::default();
    seen.look(&cluster, run);
    faults.begin("sync-fails", "/journal/");
    let ended = cluster.take_coordinator().end().expect(1);
    let _ended = ended.complains(&["nothing that was acknowledged is lost", "journal"]);
    assert!(!faults.fired().is_empty());
    assert!(cluster.of(worker).ended().is_none());
    // It says so at a start too, and does not begin.
    let refused = cluster.try_start().expect("a disk that fails").expect(1);
    let _refused = refused.complains(&["journal", "error"]);
    faults.end("sync-fails");
    let _ = faults.cut_power(&cluster.hasami.path(DATA));
    cluster.start();
    seen.look(&cluster, run);
    finishes(&cluster, run, 0, &expected);
}

#[test]
fn a_worker_whose_disk_fails_leaves_the_work_to_others() {
    let (hasami, expected) = many();
    let faults = Faults::new(&hasami, "worker");
    faults.begin("sync-fails", "/scratch/");
    let mut cluster = Cluster::on(hasami, SHORT);
    let poor = cluster.worker_under(&faults.before(), "--directory scratch");
    let run = cluster.submit("s.toml");
    cluster.coordinator().wait_for("lease back in the queue: it failed and may be tried again");
    assert!(!faults.fired().is_empty());
    cluster.worker();
    finishes(&cluster, run, 0, &expected);
    assert!(cluster.of(poor).ended().is_none());
}
