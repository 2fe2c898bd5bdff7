//! Workers that come late, leave in time, and open only what they may.

use hasami_tests::{Cluster, Hasami, until};
use serde_json::Value;

use crate::under_fault::SHORT;

/// Takes longer than any test.
const ENDLESS: &str = "name='endless'\nproblem='synthetic'\n[parameters]\ndepth=40\nbranching=3\nseed=[1]\n[search]\ntable='16MiB'\n";

fn endless() -> Hasami {
    let hasami = Hasami::new();
    hasami.write("s.toml", ENDLESS);
    hasami
}

#[test]
fn a_worker_that_comes_late_gets_what_the_first_has_not_begun() {
    let hasami = Hasami::new();
    // Short items, so that the first worker takes many at once, and then long ones.
    let seeds: Vec<String> = (1..=40).map(|seed| seed.to_string()).collect();
    let sweep = format!(
        "name='many'\nproblem='synthetic'\n[parameters]\ndepth=14\nbranching=4\nseed=[{}]\n\
         [search]\nbudget='400k'\ntable='16MiB'\n",
        seeds.join(",")
    );
    hasami.write("s.toml", sweep);
    let mut cluster = Cluster::on(hasami, SHORT);
    let first = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 2);
    let second = cluster.worker();
    let _ = cluster.ask(&format!("runs wait {run}"));
    let units = |cluster: &mut Cluster, worker| -> u64 {
        let worker = cluster.take_worker(worker);
        worker.signal("TERM");
        worker.end().expect(0).json()["units"].as_u64().expect("a count")
    };
    let (first, second) = (units(&mut cluster, first), units(&mut cluster, second));
    assert_eq!(first + second, 40, "each item once");
    assert!(second >= 5, "{first} and {second}");
}

#[test]
fn signals_and_limits_end_a_worker_with_everything_handed_back() {
    let mut cluster = Cluster::on(endless(), "--lease 60s");
    cluster.submit("s.toml");
    for end in ["TERM", "HUP", "INT"] {
        let worker = cluster.worker();
        cluster.until_busy(worker);
        let worker = cluster.take_worker(worker);
        worker.signal(end);
        let told = worker.end().expect(0).json();
        assert_eq!((&told["units"], &told["handed_back"]), (&Value::from(0), &Value::from(1)));
    }
    let worker = cluster.worker_with("--time-limit 10s --nice 5 --cores 1");
    let told = cluster.take_worker(worker).end().expect(0).json();
    assert_eq!(told["handed_back"], 1);
    // Its lease would last a minute: the unit is free because it was handed back.
    let worker = cluster.worker_with("--idle-timeout 60s");
    cluster.until_busy(worker);
}

#[test]
fn an_idle_worker_ends_when_it_was_told_to() {
    let mut cluster = Cluster::on(Hasami::new(), SHORT);
    let worker = cluster.worker_with("--idle-timeout 100ms");
    cluster.take_worker(worker).end().expect(0);
    until("it has left", || cluster.json("workers").as_array()?.is_empty().then_some(()));
}

#[test]
fn files_are_opened_only_where_the_owner_of_a_worker_allows_it() {
    let hasami = Hasami::new();
    std::fs::create_dir(hasami.path("shards")).expect("a directory");
    std::os::unix::fs::symlink("/", hasami.path("shards/out")).expect("a link");
    let sweep = |directory: &str| {
        format!(
            "name='d'\nproblem='mancala-database'\n[parameters]\npits=2\nseeds=3\n\
             directory='{directory}'\nslices=1\nstage='0..=4'\nslice=0\n"
        )
    };
    hasami.write("inside.toml", sweep("shards/new"));
    hasami.write("outside.toml", sweep("elsewhere"));
    hasami.write("link.toml", sweep("shards/out/tmp"));
    let mut cluster = Cluster::on(hasami, SHORT);
    cluster.worker_with("--allow-files shards");
    for (file, directory) in [("outside.toml", "elsewhere"), ("link.toml", "shards/out/tmp")] {
        let run = cluster.submit(file);
        cluster.ask(&format!("runs wait {run}")).expect(1);
        let failure = cluster.items(run)[0]["failure"].as_str().expect("a text").to_string();
        let expected = format!("{directory}: not under a directory that is allowed here");
        assert!(failure.contains(&expected), "{failure}");
    }
    assert!(!cluster.hasami.path("elsewhere").exists());
    let run = cluster.submit("inside.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    assert!(cluster.hasami.path("shards/new").exists());
}

#[test]
fn a_question_ends_open_when_its_time_is_up_and_says_so() {
    let hasami = endless();
    let line = "run s.toml --threads 1 --memory 64MiB --time-limit 300ms --output json";
    let told = hasami.run(line).expect(3).json();
    assert_eq!(told["results"][0]["claim"], "not settled within 300ms", "{told:#}");
    let question = "solve synthetic depth=40 branching=3 seed=1 --table 16MiB --output json";
    let told = hasami.run(&format!("{question} --time-limit 300ms")).expect(3).json();
    assert_eq!(
        (&told["verdict"], &told["stopped"]),
        (&Value::from("unknown"), &Value::from("time limit reached"))
    );
}

#[test]
fn a_run_ends_when_its_time_is_up_with_a_note() {
    let hasami = Hasami::new();
    hasami.write("s.toml", format!("time-limit='1s'\n{ENDLESS}"));
    let mut cluster = Cluster::on(hasami, SHORT);
    cluster.worker();
    let run = cluster.submit("s.toml");
    let _ = cluster.ask(&format!("runs wait {run}"));
    let shown = cluster.json(&format!("runs show {run}"));
    assert_eq!(shown["state"], "cancelled");
    assert_eq!(shown["note"], "its time limit of 1s is over");
}
