//! Faults, one at a time. Every test sees that the fault has struck, and that the table is the one
//! of a run in which nothing went wrong.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use hasami_tests::{Cluster, DATA, Hasami, until};
use serde_json::Value;

use crate::under_fault::{LONG, SHORT, finishes, many, slow, talkative};

#[test]
fn work_of_a_killed_worker_goes_to_another() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    let first = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(first);
    cluster.take_worker(first).kill();
    cluster.coordinator().wait_for("worker lost");
    cluster.worker();
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert!(history.contains("worker 1 (worker-1) was lost with attempt"), "{history}");
    assert!(history.contains("given to worker 2 (worker-2)"), "{history}");
}

#[test]
fn a_unit_that_kills_its_workers_is_given_up_and_nobody_else_gets_it() {
    let hasami = Hasami::new();
    // The second one never ends.
    let sweep = "name = 'killer'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 2\n\
                 [parameters]\ndepth = [8, 60]\nbranching = 3\nseed = 1\n";
    hasami.write("s.toml", sweep);
    let mut cluster = Cluster::on(hasami, SHORT);
    let run = cluster.submit("s.toml");
    for lost in 1..=2 {
        let worker = cluster.worker();
        cluster.until_done(run, 1);
        cluster.until_busy(worker);
        cluster.take_worker(worker).kill();
        until("the loss to be noticed", || {
            (cluster.coordinator().log().matches("worker lost").count() == lost).then_some(())
        });
    }
    let last = cluster.worker();
    cluster.ask(&format!("runs wait {run}")).expect(1);
    let states = cluster.items(run).iter().map(|item| item["state"].clone()).collect::<Vec<_>>();
    assert_eq!(states, ["settled", "failed"]);
    let history = cluster.history(run, 1);
    assert!(history.contains("2 workers were lost while they computed"), "{history}");
    assert!(!history.contains(&format!("worker-{last}")), "{history}");
}

#[test]
fn all_workers_are_lost_and_new_ones_come() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    let run = cluster.submit("s.toml");
    for _ in 0..2 {
        let workers = [cluster.worker(), cluster.worker()];
        for worker in workers {
            cluster.until_busy(worker);
        }
        for worker in workers {
            cluster.take_worker(worker).kill();
        }
        until("nobody to be there", || {
            let workers = cluster.json("workers");
            workers.as_array().is_some_and(Vec::is_empty).then_some(())
        });
        let told = cluster.json(&format!("runs explain {run} 0"));
        assert!(told["now"].as_str().is_some_and(|now| now.contains("waits for")), "{told}");
    }
    assert_eq!(cluster.coordinator().log().matches("worker lost").count(), 4);
    cluster.worker();
    cluster.worker();
    finishes(&cluster, run, 3, &expected);
}

#[test]
fn workers_outlive_a_killed_coordinator_and_hand_in_what_they_hold() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::on(hasami, LONG);
    let workers = [cluster.worker(), cluster.worker()];
    let run = cluster.submit("s.toml");
    for done in [4, 12, 20] {
        cluster.until_done(run, done);
        let before = cluster.items(run);
        cluster.take_coordinator().kill();
        for worker in workers {
            cluster.of(worker).wait_for("the coordinator cannot be reached, computing goes on");
        }
        cluster.start();
        let after = cluster.items(run);
        for (before, after) in before.iter().zip(&after) {
            if before["state"] == "settled" {
                assert_eq!(
                    (&before["answer"], &before["attempts"]),
                    (&after["answer"], &after["attempts"])
                );
            }
            assert!(after["attempts"].as_u64() >= before["attempts"].as_u64(), "{before} {after}");
        }
    }
    finishes(&cluster, run, 0, &expected);
    for worker in workers {
        assert!(cluster.of(worker).log().contains("the coordinator is there again"));
    }
    // Nothing is computed twice but what a worker never heard of.
    for item in cluster.items(run) {
        if item["attempts"] != 1 {
            let history = cluster.history(run, item["item"].as_u64().expect("a number"));
            assert!(
                ["does not have it", "never got it", "had not begun it"]
                    .iter()
                    .any(|why| history.contains(why)),
                "{history}"
            );
        }
    }
}

#[test]
fn a_result_that_waits_for_the_coordinator_is_not_computed_again() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, LONG);
    let worker = cluster.worker_under(&talkative(), "");
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    cluster.take_coordinator().kill();
    cluster.of(worker).wait_for("computing goes on");
    // It finishes what it has while nobody is there, and holds the result.
    cluster.of(worker).wait_for("unit computed");
    assert!(!cluster.of(worker).log().contains("outcome acknowledged"));
    cluster.start();
    cluster.of(worker).wait_for("the coordinator is there again");
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert_eq!(cluster.items(run)[0]["attempts"], 1, "{history}");
}

#[test]
fn a_worker_that_slept_past_its_lease_goes_on_where_nobody_took_over() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(worker);
    cluster.of(worker).signal("STOP");
    cluster.coordinator().wait_for("worker lost");
    cluster.of(worker).signal("CONT");
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert!(history.contains("was lost with attempt"), "{history}");
    assert_eq!(cluster.items(run)[0]["attempts"], 1, "{history}");
}

#[test]
fn a_worker_that_slept_while_another_took_over_is_refused() {
    let (hasami, expected) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    let sleeper = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(sleeper);
    cluster.of(sleeper).signal("STOP");
    cluster.coordinator().wait_for("worker lost");
    let other = cluster.worker();
    cluster.until_busy(other);
    cluster.of(sleeper).signal("CONT");
    finishes(&cluster, run, 3, &expected);
    let history = cluster.history(run, 0);
    assert!(history.contains("was lost with attempt"), "{history}");
    let answers: Vec<&str> = history.lines().filter(|line| line.contains("answered by")).collect();
    assert_eq!(answers.len(), 1, "{history}");
    assert!(answers[0].contains("worker 2 (worker-2)"), "{history}");
    // The sleeper is as good as any other afterwards.
    let name = format!("worker-{sleeper}");
    until("the sleeper to be back", || {
        let workers = cluster.json("workers");
        workers.as_array().is_some_and(|all| all.iter().any(|w| w["name"] == *name)).then_some(())
    });
}

#[test]
fn one_data_directory_has_one_coordinator() {
    let mut cluster = Cluster::new("");
    let line = format!("coordinator --listen 127.0.0.1:0 --data {DATA}");
    for _ in 0..2 {
        let run = cluster.hasami.run_after(&[], &line).expect(1);
        run.complains(&["another coordinator is running on this data"]);
    }
    let line = format!("run chomp --data {DATA}");
    cluster.hasami.run_after(&[], &line).expect(1).complains(&["another coordinator"]);
    cluster.ask("runs list").expect(0);
    cluster.take_coordinator().kill();
    cluster.start();
    cluster.ask("runs list").expect(0);
    let (taken, other) = (cluster.address().to_string(), "other");
    let line = format!("coordinator --listen {taken} --data {other}");
    cluster.hasami.run_after(&[], &line).expect(1).complains(&["cannot listen on", &taken]);
}

#[test]
fn a_wrong_token_and_an_open_access_file_fail_at_once() {
    let cluster = Cluster::new("");
    let access = format!("{DATA}/access.json");
    let mode = std::fs::metadata(cluster.hasami.path(&access)).expect("an access file");
    assert_eq!(mode.permissions().mode() & 0o777, 0o400);
    let place = |name: &str, contents: &Value, mode: u32| {
        cluster.hasami.write(name, contents.to_string());
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(cluster.hasami.path(name), mode).expect("a mode");
    };
    let right: Value = serde_json::from_slice(&cluster.hasami.read(&access)).expect("JSON");
    let mut wrong = right.clone();
    for token in ["client_token", "worker_token"] {
        wrong[token] = "0".repeat(64).into();
    }
    place("wrong.json", &wrong, 0o400);
    let ask = |line: &str| cluster.hasami.run_after(&[], line);
    for line in ["runs list", "submit chomp", "workers", "runs wait 1", "runs watch 1", "worker"] {
        ask(&format!("{line} --access wrong.json")).expect(2).complains(&["token"]);
    }
    place("open.json", &right, 0o644);
    for line in ["runs list", "worker"] {
        ask(&format!("{line} --access open.json")).expect(2).complains(&["open.json", "chmod"]);
    }
    // A token for one side is none for the other.
    let mut swapped = right.clone();
    swapped["client_token"] = right["worker_token"].clone();
    place("swapped.json", &swapped, 0o400);
    ask("runs list --access swapped.json").expect(2).complains(&["token"]);
    let mut client = right.clone();
    client.as_object_mut().expect("an object").remove("worker_token");
    place("client.json", &client, 0o400);
    ask("runs list --access client.json").expect(0);
    ask("worker --access client.json").expect(2).complains(&["worker_token"]);
}

/// A file system of its own; `None`, with the reason printed, where that is not permitted.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn new(path: std::path::PathBuf, kib: u32) -> Option<Self> {
        std::fs::create_dir_all(&path).expect("a place to mount");
        let options = format!("size={kib}k");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&path);
        match mount.output() {
            Ok(output) if output.status.success() => Some(Self(path)),
            other => {
                println!("skipped: a small disk cannot be mounted: {other:?}");
                None
            }
        }
    }

    fn free_kib(&self) -> u64 {
        let output = Command::new("df").args(["-k", "--output=avail"]).arg(&self.0).output();
        let text = String::from_utf8(output.expect("df starts").stdout).expect("a table");
        text.lines().nth(1).and_then(|line| line.trim().parse().ok()).expect("a number")
    }

    fn resize(&self, kib: u32) {
        let options = format!("remount,size={kib}k");
        let status = Command::new("mount").args(["-o", &options]).arg(&self.0).status();
        assert!(status.expect("mount starts").success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Whoever still has files there is about to be ended too.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_worker_without_space_for_certificates_leaves_the_work_to_others() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::on(hasami, SHORT);
    let Some(_disk) = SmallDisk::new(cluster.hasami.path("full"), 8) else { return };
    // Certificates are small, so nothing is left free.
    std::fs::write(cluster.hasami.path("full").join("filled"), [0; 8192]).expect("all the space");
    let poor = cluster.worker_with("--directory full");
    let run = cluster.submit("s.toml");
    cluster.coordinator().wait_for("lease back in the queue: it failed and may be tried again");
    cluster.worker();
    finishes(&cluster, run, 0, &expected);
    assert!(cluster.of(poor).ended().is_none());
}

#[test]
fn a_coordinator_without_space_waits_for_it_and_loses_nothing() {
    let (hasami, expected) = many();
    let Some(disk) = SmallDisk::new(hasami.path(DATA), 20_000) else { return };
    let mut cluster = Cluster::on(hasami, LONG);
    let filler = cluster.hasami.path(format!("{DATA}/filler"));
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 3);
    // Somebody else takes nearly all the space.
    let mut file = std::fs::File::create(&filler).expect("a file");
    while disk.free_kib() > 1000 {
        std::io::Write::write_all(&mut file, &[1; 1 << 18]).expect("there is space");
    }
    cluster.coordinator().wait_for("is full");
    let shown = cluster.json(&format!("runs show {run}"));
    assert!(shown["note"].as_str().is_some_and(|note| note.contains("is full")), "{shown}");
    let before = cluster.items(run);
    drop(file);
    disk.resize(200_000);
    cluster.coordinator().wait_for("there is room on the disk again");
    finishes(&cluster, run, 0, &expected);
    for (before, after) in before.iter().zip(cluster.items(run)) {
        if before["state"] == "settled" {
            assert_eq!((&before["answer"], &after["state"]), (&after["answer"], &before["state"]));
        }
    }
    assert!(cluster.of(worker).ended().is_none());
}

#[test]
fn an_older_checkpoint_is_gone_on_from_with_workers_that_know_more() {
    let (hasami, expected) = many();
    let mut cluster = Cluster::on(hasami, LONG);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 3);
    let copy = cluster.hasami.path("copy");
    cluster.json(&format!("coordinator checkpoint {}", copy.display()));
    let old = cluster.hasami.path("old");
    cluster.until_done(run, 15);
    cluster.take_coordinator().kill();
    // Who restores in the same place may keep the tokens: then the workers come back.
    std::fs::rename(cluster.hasami.path(DATA), &old).expect("the newer data goes");
    cluster.hasami.run(&format!("coordinator restore copy --data {DATA}")).expect(0);
    let access = cluster.hasami.path(format!("{DATA}/access.json"));
    std::fs::copy(old.join("access.json"), access).expect("the tokens stay");
    cluster.start();
    let done = cluster.json(&format!("runs show {run}"))["done"].as_u64().expect("a count");
    assert!((3..15).contains(&done), "{done} items: it is the older one");
    cluster.of(worker).wait_for("the coordinator is there again");
    finishes(&cluster, run, 0, &expected);
    // It came as a new one, whose number nobody had before.
    let workers = cluster.json("workers");
    assert_eq!((&workers[0]["name"], &workers[0]["worker"]), (&"worker-1".into(), &2.into()));
    assert!(cluster.of(worker).ended().is_none());
}
