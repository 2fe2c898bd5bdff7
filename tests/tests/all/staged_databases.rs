//! Databases built by a cluster in stages: whatever is killed on the way, the file is the one that a
//! single process makes, to the last byte.

use hasami_tests::{Cluster, Hasami};
use serde_json::Value;

/// Silence is noticed soon.
const SHORT: &str = "--lease 1500ms --heartbeat 200ms";

/// Writes the sweep for a database and builds the database itself; the name of both.
fn prepared(hasami: &Hasami, rules: &str, slices: u32) -> Vec<u8> {
    let sweep =
        hasami.run(&format!("database build {rules} --sweep shared --slices {slices}")).expect(0);
    hasami.write("s.toml", sweep.stdout);
    hasami.run(&format!("database build {rules} --threads 1 -o straight.db")).expect(0);
    hasami.read("straight.db")
}

fn run(hasami: &Hasami, code: i32) -> Value {
    let line = "run s.toml --threads 1 --workers 2 --memory 64MiB --output json";
    hasami.run_after(&[], line).expect(code).json()
}

#[test]
fn two_workers_build_it_though_one_is_killed_and_the_coordinator_too() {
    let hasami = Hasami::new();
    let expected = prepared(&hasami, "pyonpyon --rows 2 --columns 10 --home 3", 4);
    let mut cluster = Cluster::on(hasami, SHORT);
    let first = cluster.worker_with("--allow-files .");
    cluster.worker_with("--allow-files .");
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 40);
    cluster.take_worker(first).kill();
    let shown = cluster.json(&format!("runs show {run}"));
    assert_eq!(shown["state"], "running", "it was killed in the middle: {shown}");
    let stage = shown["stage"]["number"].as_i64().expect("a number");
    assert_eq!(shown["stage"]["of"], 86);
    // The last item waits for the stage that is being worked on.
    let last = shown["items"].as_u64().expect("a number") - 1;
    let told = cluster.json(&format!("runs explain {run} {last}"));
    let now = told["now"].as_str().expect("a text");
    assert!(now.starts_with("it is in stage 85 and waits for stage"), "{stage}: {now}");
    cluster.take_coordinator().kill();
    cluster.start();
    cluster.worker_with("--allow-files .");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let name = "shared/pyonpyon-rows-2-columns-10-home-3-no-move-pass.db";
    assert!(cluster.hasami.read(name) == expected, "byte for byte");
    let items = cluster.items(run);
    let joined = items.iter().find(|item| item["answer"]["fields"]["blake3"].is_string());
    let digest = joined.expect("the item that joins")["answer"]["fields"]["blake3"].clone();
    assert_eq!(digest, blake3::hash(&expected).to_string());
    for item in items {
        assert_eq!(
            item["stage"].as_i64().map(|stage| stage.to_string()).as_deref(),
            item["parameters"]["stage"].as_str()
        );
    }
}

#[test]
fn what_is_there_is_found_and_what_is_damaged_is_made_again() {
    let hasami = Hasami::new();
    let expected = prepared(&hasami, "mancala --pits 6 --seeds 9 --goal own", 4);
    let dry = hasami.run_after(&[], "run s.toml --dry-run").expect(0).stdout;
    assert!(dry.contains("44 items of kind map in 11 stages, 0 known, 44 to compute"), "{dry}");
    let first = run(&hasami, 0);
    let place = "shared/mancala-pits-6-goal-own-up-to-9";
    assert!(hasami.read(&format!("{place}.db")) == expected);
    // The database is gone, and one shard is damaged: a new run makes both again.
    std::fs::remove_file(hasami.path(format!("{place}.db"))).expect("it was there");
    let shard = format!("{place}/stage-008-slice-001.shard");
    let sound = hasami.read(&shard);
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 1;
    hasami.write(&shard, damaged);
    let second = run(&hasami, 0);
    assert_eq!(
        second["run"]["counts"]["reused"], 0,
        "files may be gone: nothing is taken for granted"
    );
    assert!(hasami.read(&shard) == sound);
    assert!(hasami.read(&format!("{place}.db")) == expected);
    let told = |run: &Value| {
        let items = run["results"].as_array().expect("a list").iter();
        items.map(|item| format!("{} {}", item["claim"], item["verdict"])).collect::<Vec<_>>()
    };
    assert_eq!(told(&first), told(&second), "answers do not depend on what was there");
}

#[test]
fn a_shard_of_something_else_is_refused_by_name_and_stops_what_rests_on_it() {
    let hasami = Hasami::new();
    prepared(&hasami, "pyonpyon --rows 1", 1);
    run(&hasami, 0);
    let place = "shared/pyonpyon-rows-1-columns-9-home-3-no-move-pass";
    std::fs::remove_file(hasami.path(format!("{place}.db"))).expect("it was there");
    let other = hasami.read(&format!("{place}/stage-003-slice-000.shard"));
    hasami.write(&format!("{place}/stage-005-slice-000.shard"), other);
    let line = "run s.toml --threads 1 --memory 64MiB --output json";
    let failed = hasami.run_after(&[], line).expect(1);
    assert!(
        failed.stderr.contains("stage-005-slice-000.shard: found game=pyonpyon"),
        "{failed:#?}"
    );
    assert!(!hasami.path(format!("{place}.db")).exists());
    let counts = &failed.json()["run"]["counts"];
    assert_eq!((&counts["settled"], &counts["failed"]), (&5.into(), &33.into()));
    assert!(
        failed.stdout.contains("it waits for stage 5, where item 5 failed"),
        "{}",
        failed.stdout
    );
}
