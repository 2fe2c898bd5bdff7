//! Programs that are interrupted, killed or in each other's way: the store survives all of it.
//!
//! Nothing here waits for a time: it waits for what the program says in its log.

use hasami_tests::Hasami;
use serde_json::Value;

/// Takes longer than any test: only a budget or a signal ends it.
const ENDLESS: &str = "solve synthetic depth=40 branching=3 seed=1 --table 16MiB --output json";

fn records(hasami: &Hasami) -> u64 {
    let stats = hasami.run("store stats s --output json").expect(0).json();
    stats["total"]["records"].as_u64().expect("a count")
}

fn known(hasami: &Hasami) -> u64 {
    hasami.run(&format!("{ENDLESS} --store s --budget 5000")).expect(3);
    records(hasami)
}

#[test]
fn an_interrupted_search_says_unknown_and_keeps_what_it_found() {
    let hasami = Hasami::new();
    let mut running = hasami.start(&format!("{ENDLESS} --store s"));
    running.wait_for("searching");
    running.signal("INT");
    let (run, signal) = running.finish();
    assert_eq!(signal, None, "it ends by itself");
    let answer = run.expect(130).complains(&["stopping: saving to the store"]).json();
    assert_eq!(answer["verdict"], "unknown");
    assert_eq!(answer["stopped"], "stopped by the user");
    assert_eq!(answer["certificate"], Value::Null);
    assert!(answer["nodes"].as_u64().expect("a count") > 0);
    assert!(records(&hasami) > 0);
    let run = hasami.run(&format!("{ENDLESS} --store s --budget 1000")).expect(3);
    run.complains(&["going on from the store"]);
}

#[test]
fn a_request_to_terminate_is_as_good_as_an_interrupt() {
    let hasami = Hasami::new();
    let before = known(&hasami);
    let mut running = hasami.start(&format!("{ENDLESS} --store s"));
    running.wait_for("going on from the store");
    running.signal("TERM");
    let (run, _) = running.finish();
    assert_eq!(run.expect(143).json()["verdict"], "unknown");
    assert!(records(&hasami) >= before);
}

#[test]
fn a_second_signal_ends_the_program_at_once_with_its_own_code() {
    let hasami = Hasami::new();
    let mut running = hasami.start(&format!("{ENDLESS} --store s"));
    running.wait_for("searching");
    // Both are there when it wakes up, so the second comes while it is still saving.
    for signal in ["STOP", "INT", "TERM", "CONT"] {
        running.signal(signal);
    }
    let (run, signal) = running.finish();
    assert_eq!((run.code, signal), (Some(143), None), "{run:#?}");
    assert_eq!(run.stdout, "", "there was no time for an answer");
}

#[test]
fn a_killed_search_leaves_a_store_that_opens_with_all_it_had() {
    let hasami = Hasami::new();
    let before = known(&hasami);
    assert!(before > 0);
    let mut running = hasami.start(&format!("{ENDLESS} --store s"));
    running.wait_for("going on from the store");
    running.signal("KILL");
    let (run, signal) = running.finish();
    assert_eq!((run.code, signal), (None, Some(9)));
    assert!(records(&hasami) >= before);
    let run = hasami.run(&format!("{ENDLESS} --store s --budget 1000")).expect(3);
    run.complains(&["going on from the store"]);
}

#[test]
fn a_store_killed_again_and_again_keeps_its_records() {
    let hasami = Hasami::new();
    let mut before = known(&hasami);
    for round in 0..5 {
        let mut running = hasami.start(&format!("{ENDLESS} --store s"));
        running.wait_for("going on from the store");
        running.signal("KILL");
        drop(running);
        let now = known(&hasami);
        assert!(now >= before, "round {round}: {now} records after {before}");
        before = now;
    }
}

#[test]
fn the_second_program_on_a_store_is_told_so_and_the_first_goes_on() {
    let hasami = Hasami::new();
    known(&hasami);
    let mut first = hasami.start(&format!("{ENDLESS} --store s"));
    first.wait_for("going on from the store");
    for line in
        ["store stats s", "store checkpoint s c", &format!("{ENDLESS} --store s --budget 1000")]
    {
        let run = hasami.run(line).expect(1).complains(&["the store s is open in another process"]);
        assert_eq!(run.stdout, "");
    }
    first.signal("INT");
    let (run, _) = first.finish();
    assert_eq!(run.expect(130).json()["verdict"], "unknown");
    hasami.run("store stats s").expect(0);
}
