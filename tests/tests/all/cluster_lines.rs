//! Lines that are slow, silent in one direction, or break in the middle of a message, between real
//! processes: nothing is lost, nothing is counted twice, and the table is the one of a quiet run.

use std::time::Duration;

use hasami_tests::{Cluster, Proxy, Towards, until};

use crate::under_fault::{LONG, SHORT, finishes, many, slow, talkative};

/// A worker behind this line.
fn worker_behind(cluster: &mut Cluster, line: &Proxy) -> u32 {
    cluster.worker_with(&format!("--coordinator {}", line.url()))
}

#[test]
fn connections_that_break_in_the_middle_of_messages_lose_nothing() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::on(hasami, LONG);
    let line = Proxy::to(cluster.address());
    // From within the first message to a few certificates; none fits all of the work.
    line.break_after(&[70, 3_000, 300, 1_500, 800, 2_000, 600, 9_000]);
    let worker = worker_behind(&mut cluster, &line);
    let run = cluster.submit("s.toml");
    finishes(&cluster, run, 0, &expected);
    assert!(line.broken() > 20, "the line broke {} times", line.broken());
    assert!(cluster.of(worker).ended().is_none());
    // A worker that comes back with what it holds is never a lost one, and nothing is failed.
    assert!(!cluster.coordinator().log().contains("worker lost"));
}

#[test]
fn a_slow_line_is_only_slow() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, "--lease 5000ms --heartbeat 1000ms");
    let line = Proxy::to(cluster.address());
    line.delay(Duration::from_millis(150));
    worker_behind(&mut cluster, &line);
    let run = cluster.submit("s.toml");
    finishes(&cluster, run, 3, &expected);
    assert!(line.held() > 20, "{} pieces were late", line.held());
    for item in cluster.items(run) {
        assert_eq!(item["attempts"], 1, "{item}");
    }
}

#[test]
fn a_worker_that_hears_and_is_not_heard_loses_its_work_and_comes_back() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    let line = Proxy::to(cluster.address());
    let mute = worker_behind(&mut cluster, &line);
    let run = cluster.submit("s.toml");
    cluster.until_busy(mute);
    line.silence(Towards::Coordinator);
    cluster.coordinator().wait_for("worker lost");
    assert!(line.held() > 0);
    // Another one does all of it meanwhile.
    cluster.worker();
    finishes(&cluster, run, 3, &expected);
    // What it said all the time arrives now, much too late.
    line.mend();
    cluster.coordinator().wait_for("worker came back");
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert!(history.contains("was lost with attempt"), "{history}");
    assert_eq!(history.matches("answered by").count(), 1, "{history}");
}

#[test]
fn a_worker_that_is_heard_and_does_not_hear_keeps_nothing_from_others() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::on(hasami, SHORT);
    let line = Proxy::to(cluster.address());
    let deaf = worker_behind(&mut cluster, &line);
    let run = cluster.submit("s.toml");
    cluster.until_busy(deaf);
    line.silence(Towards::Caller);
    cluster.of(deaf).wait_for("computing goes on");
    cluster.worker();
    // Its calls arrive: it is given work of which it never hears. All of it must come back.
    finishes(&cluster, run, 0, &expected);
    assert!(line.held() > 0);
    line.mend();
    cluster.of(deaf).wait_for("the coordinator is there again");
    finishes(&cluster, run, 0, &expected);
}

#[test]
fn a_worker_killed_after_sending_and_before_the_receipt_has_not_worked_in_vain() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, LONG);
    let line = Proxy::to(cluster.address());
    let worker = cluster.worker_under(&talkative(), &format!("--coordinator {}", line.url()));
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    line.silence(Towards::Caller);
    // The coordinator has the result and has said so; the worker has not heard it.
    cluster.until_done(run, 1);
    let log = cluster.of(worker).log();
    assert!(log.contains("unit computed") && !log.contains("outcome acknowledged"), "{log}");
    assert!(line.held() > 0);
    cluster.take_worker(worker).kill();
    cluster.worker();
    // The lease is long: what the dead one holds is free once it is forgotten.
    let coordinator = cluster.take_coordinator();
    coordinator.kill();
    cluster.set_options(SHORT);
    cluster.start();
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert_eq!(cluster.items(run)[0]["attempts"], 1, "{history}");
}

#[test]
fn a_worker_killed_while_it_sends_leaves_nothing_half_done() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    let line = Proxy::to(cluster.address());
    let worker = cluster.worker_under(&talkative(), &format!("--coordinator {}", line.url()));
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    line.silence(Towards::Coordinator);
    cluster.of(worker).wait_for("unit computed");
    assert!(line.held() > 0);
    cluster.take_worker(worker).kill();
    line.reset();
    cluster.coordinator().wait_for("worker lost");
    assert_eq!(cluster.json(&format!("runs show {run}"))["done"], 0, "nobody has heard of it");
    cluster.worker();
    finishes(&cluster, run, 3, &expected);
}

#[test]
fn a_receipt_that_was_lost_does_not_make_a_result_count_twice() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, LONG);
    let line = Proxy::to(cluster.address());
    let worker = cluster.worker_under(&talkative(), &format!("--coordinator {}", line.url()));
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    line.silence(Towards::Caller);
    cluster.until_done(run, 1);
    let nodes = cluster.json(&format!("runs show {run}"))["nodes"].clone();
    // The receipt is lost with its connection; the worker must ask again.
    line.reset();
    line.mend();
    cluster.of(worker).wait_for("not wanted any more");
    finishes(&cluster, run, 3, &expected);
    assert_eq!(line.broken(), 1);
    let history = cluster.history(run, 0);
    assert_eq!(cluster.items(run)[0]["attempts"], 1, "{history}");
    assert_eq!(history.matches("answered by").count(), 1, "{history}");
    let all = cluster.json(&format!("runs show {run}"))["nodes"].as_u64().expect("a count");
    let budget = 2_000_000;
    assert!(nodes.as_u64() >= Some(budget), "{nodes}");
    assert!(all < 3 * budget, "{all} nodes for two items of {budget}");
}

#[test]
fn those_who_wait_and_watch_outlive_a_line_that_breaks() {
    let (hasami, _) = slow();
    let mut cluster = Cluster::on(hasami, LONG);
    let line = Proxy::to(cluster.address());
    let run = cluster.submit("s.toml");
    let at = format!("--access {}/access.json --coordinator {}", hasami_tests::DATA, line.url());
    let watch = format!("runs watch {run} {at} --output json");
    let mut watch = cluster.hasami.spawn("watch", &[], &watch);
    until("the first news", || (!watch.out().is_empty()).then_some(()));
    line.reset();
    watch.wait_for("the coordinator is away");
    watch.wait_for("the coordinator is back");
    cluster.worker();
    let told = watch.end().expect(3).stdout;
    assert_eq!(told.matches("\"event\":\"item\"").count(), 2, "{told}");
}
