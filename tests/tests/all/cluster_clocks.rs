//! Clocks that jump: leases, heartbeats and pauses use one that cannot.

use hasami_tests::{Cluster, Faults};
use serde_json::Value;

use crate::under_fault::{LONG, finishes, many};

const DAY: i64 = 86_400;

#[test]
fn clocks_that_jump_cost_no_worker_and_no_result() {
    let (hasami, expected) = many();
    let coordinator = Faults::new(&hasami, "coordinator");
    let worker = Faults::new(&hasami, "worker");
    let mut cluster = Cluster::under(coordinator.before(), hasami, LONG);
    let number = cluster.worker_under(&worker.before(), "");
    let run = cluster.submit("s.toml");
    let mut year = |days: i64| {
        coordinator.begin("clock", &(days * DAY).to_string());
        worker.begin("clock", &(-days * DAY).to_string());
        let done = cluster.json(&format!("runs show {run}"))["done"].as_u64().expect("a count");
        cluster.until_done(run, (done + 3).min(40));
        cluster.coordinator().log().lines().last().expect("a line")[..4].to_string()
    };
    let (later, now, earlier) = (year(3650), year(0), year(-3650));
    let years = [&earlier, &now, &later].map(|year| year.parse::<i64>().expect("a year"));
    assert_eq!(years[2] - years[0], 20, "the clock has jumped: {years:?}");
    // Back again while the last items are computed.
    coordinator.begin("clock", "0");
    finishes(&cluster, run, 0, &expected);
    let log = cluster.coordinator().log();
    assert!(!log.contains("worker lost") && !log.contains("worker came back"), "{log}");
    assert!(cluster.of(number).ended().is_none());
    for item in cluster.items(run) {
        assert_eq!(item["attempts"], 1, "{item}");
        let told = cluster.history(run, item["item"].as_u64().expect("a number"));
        let order = told.find("given to").zip(told.find("answered by"));
        assert!(order.is_some_and(|(given, answered)| given < answered), "{told}");
    }
    let shown = cluster.json(&format!("runs show {run}"));
    assert!(shown["seconds"].as_f64().or(Some(0.0)) >= Some(0.0), "{shown}");
    let listed: Vec<Value> = cluster.json("runs list").as_array().expect("a list").clone();
    assert_eq!(listed.len(), 1);
}
