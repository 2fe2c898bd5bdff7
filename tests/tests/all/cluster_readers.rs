//! Those who read: somebody who has only the log, and somebody who does not read at all.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::Command;

use hasami_tests::{Cluster, DATA, until};
use serde_json::Value;

use crate::under_fault::{LONG, SHORT, finishes, many, slow};

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

#[test]
fn a_log_that_nobody_reads_holds_nobody_up() {
    let (hasami, expected) = many();
    let pipe = hasami.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    // Open at both ends, so that the coordinator can write; nobody reads.
    let mut reader = std::fs::File::options().read(true).write(true).open(&pipe).expect("a pipe");
    let before =
        words(&["env", "RUST_LOG=trace", "sh", "-c", "exec \"$@\" 2> pipe", "coordinator"]);
    let mut cluster = Cluster::under(before, hasami, LONG);
    cluster.worker();
    let run = cluster.submit("s.toml");
    finishes(&cluster, run, 0, &expected);
    // It also ends while nobody reads.
    let coordinator = cluster.take_coordinator();
    coordinator.signal("TERM");
    coordinator.end().expect(0);
    // The pipe is as full as a pipe can be: the coordinator could not have written to it itself.
    let mut bytes = vec![0; 1 << 20];
    let read = reader.read(&mut bytes).expect("what has fitted in");
    assert!(read > 60_000, "{read} bytes: the pipe was never full");
}

#[test]
fn a_watcher_that_is_frozen_holds_nobody_up() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::on(hasami, LONG);
    let run = cluster.submit("s.toml");
    let line = format!("runs watch {run} --access {DATA}/access.json --output json");
    let mut watch = cluster.hasami.spawn("watch", &[], &line);
    until("the first news", || (!watch.out().is_empty()).then_some(()));
    watch.signal("STOP");
    cluster.worker();
    finishes(&cluster, run, 0, &expected);
    assert!(watch.ended().is_none());
    watch.signal("CONT");
    let told = watch.end().expect(0).stdout;
    let last: Value = serde_json::from_str(told.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["run"]["state"], "finished", "{last}");
}

/// Everything that happens to a cluster, from the coordinator's log file alone.
#[test]
fn whoever_has_only_the_log_can_tell_what_happened() {
    let (hasami, expected) = slow();
    let options = format!("{SHORT} --log-file c.log --log-format json");
    let mut cluster = Cluster::on(hasami, &options);
    let (killed, polite) = (cluster.worker(), cluster.worker());
    let run = cluster.submit("s.toml");
    cluster.until_busy(killed);
    cluster.until_busy(polite);
    cluster.take_worker(killed).kill();
    until("the loss", || {
        let log = String::from_utf8_lossy(&cluster.hasami.read("c.log")).into_owned();
        log.contains("worker lost").then_some(())
    });
    cluster.take_coordinator().kill();
    cluster.start();
    finishes(&cluster, run, 3, &expected);
    let worker = cluster.take_worker(polite);
    worker.signal("TERM");
    worker.end().expect(0);
    let coordinator = cluster.take_coordinator();
    coordinator.signal("TERM");
    coordinator.end().expect(0);

    let log = String::from_utf8(cluster.hasami.read("c.log")).expect("text");
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect();
    let said = |words: &str| -> Vec<Value> {
        let about = |line: &&Value| {
            line["fields"]["message"].as_str().is_some_and(|message| message.starts_with(words))
        };
        lines.iter().filter(about).map(|line| line["fields"].clone()).collect()
    };
    let starts = said("coordinator started");
    assert_eq!([&starts[0]["epoch"], &starts[1]["epoch"]], [1, 2]);
    assert_eq!((&starts[1]["unfinished"], starts.len()), (&1.into(), 2));
    let going_on = said("going on with a run");
    assert_eq!((&going_on[0]["run"], &going_on[0]["name"]), (&run.into(), &"slow".into()));
    // Who came, who was lost with what, where that went, who came back, who left.
    let joined = said("worker joined");
    let names: Vec<&Value> = joined.iter().map(|line| &line["name"]).collect();
    assert_eq!(names.len(), 2, "{joined:?}");
    let lost = said("worker lost");
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!((&lost[0]["name"], &lost[0]["leases"]), (&"worker-1".into(), &1.into()));
    let back = said("lease back in the queue: its worker was lost");
    assert_eq!(back[0]["name"], "worker-1", "{back:?}");
    let returned = said("worker came back");
    assert!(returned.iter().any(|line| line["name"] == "worker-2"), "{returned:?}");
    assert_eq!(said("worker left")[0]["name"], "worker-2");
    // Every item once, with its run, its question and its attempts; the run from start to end.
    let mut ends: BTreeMap<u64, u64> = BTreeMap::new();
    for line in said("item left open") {
        assert_eq!(line["run"], run, "{line}");
        assert!(line["question"].as_str().is_some_and(|asked| asked.starts_with("synthetic")));
        *ends.entry(line["item"].as_u64().expect("a number")).or_default() += 1;
    }
    assert!(ends.values().all(|lines| *lines == 1), "{ends:?}");
    // A line may be lost with the process that was killed. The next one says how many had ended.
    let restart = lines.iter().rposition(|line| {
        line["fields"]["message"].as_str().is_some_and(|text| text.starts_with("going on"))
    });
    let told_before = lines[..restart.expect("it went on")].iter().filter(|line| {
        line["fields"]["message"].as_str().is_some_and(|text| text.starts_with("item left open"))
    });
    let ended_before = going_on[0]["ended"].as_u64().expect("a count");
    let lost = ended_before - told_before.count() as u64;
    assert_eq!(ends.len() as u64 + lost, 2, "{ends:?}, {ended_before} before the restart");
    assert_eq!((said("run running").len(), said("run finished").len()), (1, 1));
    assert_eq!(said("stopping: ")[0]["signal"], "SIGTERM");
    assert_eq!(said("stopped").len(), 1);
}

#[test]
fn a_failure_is_in_the_log_file_too() {
    let (hasami, _) = slow();
    let cluster = Cluster::on(hasami, "");
    let other = format!("coordinator --listen 127.0.0.1:0 --data {DATA} --log-file other.log");
    cluster.hasami.run_after(&[], &other).expect(1);
    let log = String::from_utf8(cluster.hasami.read("other.log")).expect("text");
    assert!(log.contains("ended: ") && log.contains("another coordinator is running"), "{log}");
}
