//! `hasami run`: a cluster in one process, which goes on wherever it was stopped.

use hasami_tests::{Hasami, Process, quiet, until};
use serde_json::Value;

const SWEEP: &str = "name = 'trees'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                     [parameters]\ndepth = 12\nbranching = 3\nseed = '0..30'\n";

const LINE: &str = "run s.toml --threads 1 --memory 64MiB -o r.csv --output json";

fn hasami() -> Hasami {
    let hasami = Hasami::new();
    hasami.write("s.toml", SWEEP);
    hasami
}

fn table(hasami: &Hasami) -> String {
    String::from_utf8(hasami.read("r.csv")).expect("text")
}

/// So many items have ended, by the log.
fn until_settled(process: &mut Process, items: usize) {
    until("items that end", || {
        assert!(process.ended().is_none(), "it ended too soon: {}", process.log());
        (process.log().matches("item settled").count() >= items).then_some(())
    });
}

fn counts(run: &Value) -> &Value {
    &run["run"]["counts"]
}

#[test]
fn what_is_known_is_not_computed_again() {
    let hasami = hasami();
    let expected = quiet(&hasami, "s.toml", 0);
    let first = hasami.run_after(&[], LINE).expect(0).json();
    assert_eq!((&counts(&first)["settled"], &counts(&first)["reused"]), (&30.into(), &0.into()));
    assert_eq!(table(&hasami), expected);
    std::fs::remove_file(hasami.path("r.csv")).expect("the table was written");
    let second = hasami.run_after(&[], LINE).expect(0).json();
    assert_eq!((&counts(&second)["settled"], &counts(&second)["reused"]), (&30.into(), &30.into()));
    assert_eq!(second["run"]["nodes"], 0);
    assert_eq!(table(&hasami), expected);
    let forced = hasami.run_after(&[], &format!("{LINE} --force")).expect(0).json();
    assert_eq!(counts(&forced)["reused"], 0);
    assert_eq!(table(&hasami), expected);
    let dry = hasami.run_after(&[], "run s.toml --dry-run --output json").expect(0);
    assert!(!dry.json().is_null());
}

#[test]
fn an_interrupted_run_goes_on() {
    let hasami = hasami();
    let expected = quiet(&hasami, "s.toml", 0);
    let mut process = hasami.spawn("run", &[], LINE);
    until_settled(&mut process, 3);
    process.signal("INT");
    let stopped = process.end().expect(130).json();
    let settled = counts(&stopped)["settled"].as_u64().expect("a count");
    assert!((3..30).contains(&settled), "{stopped}");
    let run = hasami.run_after(&[], LINE).expect(0);
    let run = run.json();
    assert_eq!(run["run"]["run"], stopped["run"]["run"], "the same run");
    assert_eq!(counts(&run)["settled"], 30);
    assert_eq!(table(&hasami), expected);
}

#[test]
fn a_killed_run_goes_on_with_all_it_had() {
    let hasami = hasami();
    let expected = quiet(&hasami, "s.toml", 0);
    let mut had = 0;
    for round in 1..=3 {
        let mut process = hasami.spawn("run", &[], LINE);
        until_settled(&mut process, had + 3);
        had = process.log().matches("item settled").count();
        process.kill();
        assert!(had < 30, "round {round} ended before it was killed");
    }
    let run = hasami.run_after(&[], LINE).expect(0);
    let again = run.stderr.matches("item settled").count();
    assert!(again <= 30 - had, "{again} computed after {had} of 30 were acknowledged");
    assert_eq!(run.json()["run"]["run"], 1);
    assert_eq!(table(&hasami), expected);
}

#[test]
fn two_workers_in_one_process_give_the_same_table() {
    let hasami = hasami();
    let expected = quiet(&hasami, "s.toml", 0);
    let run = hasami.run_after(&[], &format!("{LINE} --workers 2")).expect(0);
    assert!(run.stderr.contains("embedded-2"), "{}", run.stderr);
    assert_eq!(table(&hasami), expected);
}

#[test]
fn exit_codes_tell_the_result() {
    let hasami = hasami();
    let open = SWEEP.replace("depth = 12", "depth = 40").replace("0..30", "0..2");
    hasami.write("open.toml", format!("{open}[search]\nbudget = '10k'\n"));
    let run = hasami.run_after(&[], "run open.toml --memory 64MiB --output json").expect(3).json();
    assert_eq!(counts(&run)["open"], 2);
    hasami.write("bad.toml", SWEEP.replace("kind = 'map'", "kind = 'mapp'"));
    hasami.run("run bad.toml").is_bad_input(&["bad.toml:3:", "mapp", "did you mean"]);
    hasami.run("run nothing.toml").is_bad_input(&["nothing.toml"]);
}
