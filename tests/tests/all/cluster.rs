//! A coordinator, two workers and the commands of a user, when nothing goes wrong.

use hasami_tests::{Cluster, DATA, Hasami, quiet, until};
use serde_json::Value;

const SWEEP: &str = "name = 'trees'\nproblem = 'synthetic'\nkind = 'map'\n\
                     [parameters]\ndepth = 11\nbranching = 3\nseed = '0..40'\n";
/// Lasts until it is cancelled.
const ENDLESS: &str = "name = 'endless'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                       [parameters]\ndepth = 40\nbranching = 3\nseed = '0..4'\n";

fn directory() -> Hasami {
    let hasami = Hasami::new();
    hasami.write("s.toml", SWEEP);
    hasami.write("endless.toml", ENDLESS);
    hasami
}

#[test]
fn two_workers_give_the_table_of_one_process() {
    let hasami = directory();
    let expected = quiet(&hasami, "s.toml", 0);
    let mut cluster = Cluster::on(hasami, "");
    let workers = [cluster.worker(), cluster.worker()];
    let run = cluster.submit("s.toml");
    let waited = cluster.json(&format!("runs wait {run}"));
    assert_eq!(waited["run"]["state"].as_str().or(waited["state"].as_str()), Some("finished"));
    assert_eq!(cluster.export(run), expected);
    cluster.ask("runs export 1 --format csv -o r.csv --output json").expect(0);
    assert_eq!(cluster.hasami.read("r.csv"), expected.as_bytes());
    for item in cluster.items(run) {
        assert_eq!((&item["state"], &item["attempts"]), (&"settled".into(), &1.into()), "{item}");
    }
    // Both of them, politely: they say goodbye and tell what they have done.
    let mut units = 0;
    for worker in workers {
        let process = cluster.take_worker(worker);
        process.signal("TERM");
        let told = process.end().expect(0).json();
        units += told["units"].as_u64().expect("a count");
    }
    assert_eq!(units, 40);
    assert_eq!(cluster.json("workers"), Value::Array(Vec::new()));
    let coordinator = cluster.take_coordinator();
    coordinator.signal("TERM");
    coordinator.end().expect(0);
    // The answers stay: the next run of the sweep needs no workers.
    cluster.start();
    let again = cluster.json("submit s.toml --wait");
    assert!(again.to_string().contains("\"reused\":40"), "{again}");
    assert_eq!(cluster.export(run + 1), expected);
}

#[test]
fn runs_are_listed_paused_resumed_cancelled_and_explained() {
    let mut cluster = Cluster::on(directory(), "--lease 10000ms --heartbeat 200ms");
    let run = cluster.submit("endless.toml");
    let told = cluster.json(&format!("runs explain {run} 0"));
    assert!(told["now"].as_str().is_some_and(|now| now.contains("waits for workers")), "{told}");
    let worker = cluster.worker();
    cluster.until_busy(worker);
    let workers = cluster.json("workers");
    assert_eq!(workers[0]["threads"], 1, "{workers}");
    let told = cluster.json(&format!("runs explain {run} 0"));
    assert!(told["now"].as_str().is_some_and(|now| now.contains("being computed")), "{told}");
    assert!(cluster.history(run, 0).contains("given to worker 1 (worker-1)"));

    assert_eq!(cluster.json(&format!("runs pause {run}"))["state"], "paused");
    until("the paused work to come back", || {
        (cluster.json("workers")[0]["leases"] == 0).then_some(())
    });
    assert_eq!(cluster.json(&format!("runs resume {run}"))["state"], "running");
    cluster.until_busy(worker);
    let listed = cluster.json("runs list");
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!((&listed[0]["name"], &listed[0]["state"]), (&"endless".into(), &"running".into()));

    // A more urgent run that comes later is what the next free worker gets, and no other.
    cluster.hasami.write("urgent.toml", SWEEP.replace("kind", "priority = 5\nkind"));
    let urgent = cluster.submit("urgent.toml");
    cluster.worker();
    cluster.ask(&format!("runs wait {urgent}")).expect(0);

    let waiting = cluster.hasami.spawn(
        "wait",
        &[],
        &format!("runs wait {run} --access {DATA}/access.json --output json"),
    );
    assert_eq!(cluster.json(&format!("runs cancel {run}"))["state"], "cancelled");
    assert!(waiting.end().expect(3).json().is_object());
    cluster.ask(&format!("runs wait {run}")).expect(3);
    for item in cluster.items(run) {
        assert_eq!(item["state"], "cancelled", "{item}");
    }
    cluster.ask(&format!("runs export {run} --format html -o page.html")).expect(0);
    assert!(String::from_utf8_lossy(&cluster.hasami.read("page.html")).contains("<html"));
    for form in ["human", "quiet"] {
        for line in [
            "runs list",
            "runs show 1 --items",
            "workers",
            "runs explain 1 0",
            "runs show 1 --sweep",
        ] {
            let run = cluster.ask(&format!("{line} --output {form}")).expect(0);
            assert!(!run.stdout.is_empty() && run.stderr.is_empty(), "{run:#?}");
        }
    }
}

#[test]
fn what_is_not_there_is_said_with_what_is() {
    let mut cluster = Cluster::on(directory(), "");
    cluster.ask("runs show").is_bad_input(&["nothing was submitted yet"]);
    let run = cluster.submit("endless.toml");
    for line in [
        "runs show 9",
        "runs wait 9",
        "runs pause 9",
        "runs resume 9",
        "runs cancel 9",
        "runs export 9",
        "runs explain 9 0",
    ] {
        cluster.ask(line).is_bad_input(&["no run 9", "1 (endless)"]);
    }
    cluster.ask(&format!("runs explain {run} 4")).is_bad_input(&["no item 4", "0 to 3"]);
    cluster.hasami.run("runs list --access nowhere.json").is_bad_input(&["nowhere.json"]);
    cluster.hasami.run("runs list").is_bad_input(&["no access file", "HASAMI_ACCESS"]);
    let coordinator = cluster.take_coordinator();
    coordinator.signal("INT");
    coordinator.end().expect(0);
    let run =
        cluster.ask("runs list").expect(1).complains(&["cannot be reached", "hasami coordinator"]);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_run_is_watched_through_a_restart_of_the_coordinator() {
    let mut cluster = Cluster::on(directory(), "--lease 10000ms --heartbeat 200ms");
    let run = cluster.submit("s.toml");
    let access = format!("--access {DATA}/access.json");
    let mut watch =
        cluster.hasami.spawn("watch", &[], &format!("runs watch {run} {access} --output json"));
    until("the first news", || (!watch.out().is_empty()).then_some(()));
    cluster.take_coordinator().kill();
    watch.wait_for("the coordinator is away");
    cluster.start();
    watch.wait_for("the coordinator is back");
    cluster.worker();
    let watched = watch.end().expect(0);
    let lines: Vec<Value> =
        watched.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.len() > 1, "{watched:#?}");
}

#[test]
fn a_checkpoint_is_restored_elsewhere_and_finished_by_others() {
    let hasami = directory();
    let expected = quiet(&hasami, "s.toml", 0);
    let mut cluster = Cluster::on(hasami, "");
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 5);
    let directory = cluster.hasami.path("copy");
    cluster.json(&format!("coordinator checkpoint {}", directory.display()));
    cluster.ask(&format!("coordinator checkpoint {}", directory.display())).complains(&["copy"]);
    cluster.json(&format!("runs wait {run}"));
    drop(cluster.take_coordinator());
    let worker = cluster.workers()[0];
    cluster.take_worker(worker).kill();

    let done = |cluster: &Cluster| cluster.json("runs show")["done"].as_u64().expect("a count");
    let restored =
        cluster.hasami.run("coordinator restore copy --data new --output json").expect(0).json();
    assert_eq!(restored["runs"], 1);
    assert!(restored["answers"].as_u64() >= Some(5), "{restored}");
    cluster
        .hasami
        .run("coordinator restore copy --data new")
        .is_bad_input(&["new", "exists already"]);
    std::fs::remove_dir_all(cluster.hasami.path(DATA)).expect("the old data goes");
    std::fs::rename(cluster.hasami.path("new"), cluster.hasami.path(DATA)).expect("a new name");
    cluster.start();
    assert!(done(&cluster) >= 5);
    cluster.worker();
    cluster.json(&format!("runs wait {run}"));
    assert_eq!(cluster.export(run), expected);
}

#[test]
fn a_checkpoint_that_is_cut_short_is_refused() {
    let mut cluster = Cluster::on(directory(), "");
    cluster.worker();
    cluster.ask("submit s.toml --wait").expect(0);
    let copy = |name: &str| {
        let directory = cluster.hasami.path(name);
        cluster.json(&format!("coordinator checkpoint {}", directory.display()));
        directory
    };
    std::fs::remove_file(copy("unmarked").join("COMPLETE")).expect("the mark");
    // A copy over a line that broke: files that end too soon. (They are hard links: made anew.)
    let cut = |path: &std::path::Path| {
        let bytes = std::fs::read(path).expect("a file");
        std::fs::remove_file(path).expect("a file");
        std::fs::write(path, &bytes[..bytes.len() / 2]).expect("half of it");
    };
    let largest = |directory: &std::path::Path, part: &str| {
        let files = std::fs::read_dir(directory).expect("a directory");
        let files = files.map(|entry| entry.expect("an entry").path());
        let files = files.filter(|path| path.to_string_lossy().contains(part));
        files.max_by_key(|path| path.metadata().map_or(0, |found| found.len())).expect("a file")
    };
    let certificates = copy("certificate");
    cut(&largest(&certificates.join("certificates"), ".cert"));
    // RocksDB would take the first half of its list of tables for all of it.
    let manifests = copy("manifest");
    cut(&largest(&manifests.join("journal"), "MANIFEST-"));
    let tables = copy("table");
    cut(&largest(&tables.join("journal"), ".sst"));
    let marks = copy("mark");
    cut(&marks.join("COMPLETE"));
    for name in ["unmarked", "certificate", "manifest", "table", "mark"] {
        let run = cluster.hasami.run(&format!("coordinator restore {name} --data new-{name}"));
        let run = run.expect(2).complains(&[name, "whole"]);
        assert_eq!(run.stdout, "");
        assert!(!cluster.hasami.path(format!("new-{name}")).exists());
    }
    let left = std::fs::read_dir(cluster.hasami.path("")).expect("a directory");
    let left = left.filter(|e| {
        e.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().starts_with(".hasami"))
    });
    assert_eq!(left.count(), 0, "drafts are left behind");
    cluster.ask("runs list").expect(0);
}
