//! Processes that run out of file descriptors or memory: said in the log, and nothing is lost.

use std::net::TcpStream;

use hasami_tests::{Cluster, until};

use crate::under_fault::{LONG, SHORT, finishes, many, slow};

/// Words in front of a program that limit what it may have: `n` for files, `v` for KiB of memory.
fn limited(what: char, most: u64) -> Vec<String> {
    let script = format!("ulimit -{what} {most}; exec \"$@\"");
    ["sh", "-c", &script, "limited"].map(str::to_string).to_vec()
}

#[test]
fn a_coordinator_that_has_no_room_for_callers_serves_those_it_has() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::under(limited('n', 96), hasami, LONG);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    // Many who connect and say nothing: they make room for each other, and for nobody else.
    let connect = || TcpStream::connect(cluster.address()).expect("the system lets them in");
    let crowd: Vec<TcpStream> = (0..100).map(|_| connect()).collect();
    cluster.coordinator().wait_for("too many connections without a token");
    // The worker, who was there before, goes on until all is done.
    until("all items by the log", || {
        let log = cluster.coordinator().log();
        (log.matches("item settled").count() == 40).then_some(())
    });
    // Nor do they keep out somebody with a token.
    finishes(&cluster, run, 0, &expected);
    drop(crowd);
    assert!(cluster.of(worker).ended().is_none());
}

#[test]
fn a_worker_without_memory_leaves_the_work_to_others() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    // The table of a search does not fit into what the system gives it, whatever it was promised.
    let poor = cluster.worker_under(&limited('v', 600_000), "--memory 4096MiB");
    let run = cluster.submit("s.toml");
    cluster.coordinator().wait_for("lease back in the queue: it failed and may be tried again");
    assert!(cluster.of(poor).log().contains("no memory for a table"));
    cluster.worker();
    finishes(&cluster, run, 3, &expected);
    assert!(cluster.of(poor).ended().is_none());
}
