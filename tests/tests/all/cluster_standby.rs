//! A coordinator that stands by for another: the journal is in a real PostgreSQL, certificates are in
//! a directory that both share. Every test ends with the table of a run in which nothing went wrong.

use hasami_tests::{Cluster, DATA, Hasami, PostgresServer, Process, Run, until};
use serde_json::Value;

use crate::under_fault::{LONG, finishes, many, slow};

const TIMES: &str = "--takeover-after 3s --lease 600000ms --heartbeat 500ms";

/// Two coordinators that may lead, each with a directory of its own.
struct Pair {
    hasami: Hasami,
    server: PostgresServer,
    ports: [u16; 2],
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

impl Pair {
    /// `None` if PostgreSQL is not installed.
    fn new(hasami: Hasami) -> Option<Self> {
        let server = PostgresServer::start()?;
        Some(Self { hasami, server, ports: [free_port(), free_port()] })
    }

    fn spawn(&self, which: usize) -> Process {
        let (name, port, other) = (["a", "b"][which], self.ports[which], self.ports[1 - which]);
        let objects = self.hasami.path("objects");
        let line = format!(
            "coordinator --listen 127.0.0.1:{port} --data {name} --journal {} --standby {TIMES} \
             --also 127.0.0.1:{other} --certificates file://{} --output json",
            self.server.url("hasami"),
            objects.display()
        );
        self.hasami.spawn(name, &[], &line)
    }

    /// The first leads, the second stands by; the access file is copied to where nobody is lost.
    fn start(&self) -> [Process; 2] {
        let mut first = self.spawn(0);
        leads(&mut first);
        let mut second = self.spawn(1);
        second.wait_for("standing by");
        second.wait_for("this coordinator does not lead yet");
        std::fs::copy(self.hasami.path("a/access.json"), self.hasami.path("access.json"))
            .expect("the access file");
        [first, second]
    }

    fn worker(&self, number: u32) -> Process {
        let name = format!("worker-{number}");
        let line = format!(
            "worker --access access.json --threads 1 --memory 64MiB --name {name} --output json"
        );
        self.hasami.spawn(&name, &[], &line)
    }

    fn ask(&self, line: &str) -> Run {
        self.hasami.run_after(&[], &format!("{line} --access access.json"))
    }

    #[track_caller]
    fn json(&self, line: &str) -> Value {
        self.ask(&format!("{line} --output json")).expect(0).json()
    }

    fn submit(&self) -> u64 {
        self.json("submit s.toml")["run"].as_u64().expect("a number")
    }

    fn items(&self) -> Vec<Value> {
        self.json("runs show --items")["list"].as_array().expect("a list").clone()
    }

    fn until_done(&self, items: u64) {
        until(&format!("{items} items"), || {
            (self.json("runs show")["done"].as_u64() >= Some(items)).then_some(())
        });
    }

    #[track_caller]
    fn finishes(&self, code: i32, before: &[Value], expected: &str) {
        self.ask("runs wait").expect(code);
        let line = "runs export -o out.csv --certificates certificates";
        self.ask(line).expect(0);
        assert_eq!(String::from_utf8(self.hasami.read("out.csv")).expect("text"), expected);
        // What was acknowledged stays, and attempts only rise.
        for (before, after) in before.iter().zip(&self.items()) {
            if before["state"] == "settled" {
                let told = |item: &Value| (item["answer"].clone(), item["attempts"].clone());
                assert_eq!(told(before), told(after));
            }
            assert!(after["attempts"].as_u64() >= before["attempts"].as_u64(), "{before} {after}");
        }
    }
}

#[track_caller]
fn leads(process: &mut Process) {
    process.wait_for("coordinator started");
    until("the address", || serde_json::from_str::<Value>(&process.out()).ok());
}

#[test]
fn a_machine_is_lost_for_good_and_the_one_that_stands_by_ends_the_run() {
    let (hasami, expected) = many();
    let Some(pair) = Pair::new(hasami) else { return };
    let [first, mut second] = pair.start();
    // It says quickly that it does not lead; with both addresses everybody finds the leader.
    let alone = format!("runs list --coordinator http://127.0.0.1:{}", pair.ports[1]);
    let refused = pair.ask(&alone).expect(1);
    assert!(refused.stderr.contains("stands by"), "{refused:#?}");
    let workers = [pair.worker(1), pair.worker(2)];
    pair.submit();
    pair.ask("access add ann --role client -o ann.json").expect(0);
    pair.until_done(12);
    let before = pair.items();
    first.kill();
    std::fs::remove_dir_all(pair.hasami.path("a")).expect("the disk is gone");
    leads(&mut second);
    pair.finishes(0, &before, &expected);
    // Tokens are the same, also those that were made since.
    pair.hasami.run_after(&[], "runs list --access ann.json").expect(0);
    let files = std::fs::read_dir(pair.hasami.path("certificates")).expect("certificates").count();
    assert!(files > 0, "certificates outlive the machine that took them in");
    for worker in workers {
        assert!(!worker.log().contains("the worker has ended"), "{}", worker.log());
    }
    second.signal("TERM");
    second.end().expect(0);
}

#[test]
fn a_leader_that_was_frozen_changes_nothing_when_it_thaws() {
    let (hasami, expected) = slow();
    let Some(pair) = Pair::new(hasami) else { return };
    let [first, mut second] = pair.start();
    let _workers = [pair.worker(1), pair.worker(2)];
    pair.submit();
    until("work", || {
        let workers = pair.json("workers");
        let busy = |worker: &Value| worker["leases"].as_u64() > Some(0);
        workers.as_array().is_some_and(|all| all.iter().all(busy) && all.len() == 2).then_some(())
    });
    let before = pair.items();
    first.signal("STOP");
    second.wait_for("the leader was not seen for too long");
    leads(&mut second);
    let epoch = pair.server.ask("SELECT epoch FROM hasami.leader");
    first.signal("CONT");
    let ended = first.end().expect(4);
    assert!(ended.stderr.contains("another coordinator has taken over"), "{ended:#?}");
    assert_eq!(pair.server.ask("SELECT epoch FROM hasami.leader"), epoch);
    pair.finishes(3, &before, &expected);
    // It can stand by for the other, and takes over at once from one that ends politely.
    let mut third = pair.spawn(0);
    until("one that stands by", || third.log().contains("standing by").then_some(()));
    second.signal("TERM");
    second.end().expect(0);
    until("the next leader", || {
        (third.log().matches("coordinator started").count() == 2).then_some(())
    });
    assert!(third.ended().is_none());
}

#[test]
fn the_database_restarts_and_the_objects_are_away_and_nothing_fails() {
    let (hasami, expected) = many();
    let Some(mut pair) = Pair::new(hasami) else { return };
    let mut only = pair.spawn(0);
    leads(&mut only);
    std::fs::copy(pair.hasami.path("a/access.json"), pair.hasami.path("access.json"))
        .expect("the access file");
    let _workers = [pair.worker(1), pair.worker(2)];
    pair.submit();
    pair.until_done(4);
    pair.server.crash();
    only.wait_for("the journal failed, trying again");
    pair.server.resume();
    only.wait_for("the journal is there again");
    pair.until_done(8);
    let before = pair.items();
    let (place, away) = (pair.hasami.path("objects"), pair.hasami.path("away"));
    std::fs::rename(&place, &away).expect("the store goes away");
    only.wait_for("not stored, and tried again");
    std::fs::rename(&away, &place).expect("the store is back");
    pair.finishes(0, &before, &expected);
    assert_eq!(pair.server.ask("SELECT epoch FROM hasami.leader"), "1", "it led all the time");
    assert_eq!(only.log().matches("item failed").count(), 0);
    only.signal("TERM");
    only.end().expect(0);
}

#[test]
fn a_password_is_refused_on_the_command_line_and_a_second_leader_by_its_name() {
    let hasami = Hasami::new();
    let run = hasami.run_after(&[], "coordinator --journal postgres://me:secret@db/x");
    let run = run.expect(2);
    assert!(run.stderr.contains("HASAMI_JOURNAL") && !run.stderr.contains("secret"), "{run:#?}");
    for (line, expected) in [
        ("--journal mysql://db/x", "expected postgres://"),
        ("--standby", "--journal"),
        ("--certificates ftp://x/y", "expected file:///directory or s3://bucket/prefix"),
        ("--journal postgres://db/x --takeover-after 1s", "expected 2s or more"),
    ] {
        let run = hasami.run_after(&[], &format!("coordinator --listen 127.0.0.1:0 {line}"));
        let run = run.expect(2);
        assert!(run.stderr.contains(expected), "{run:#?}");
    }
}

/// The drill for those with one disk: it is lost, and the latest checkpoint is restored elsewhere.
#[test]
fn a_checkpoint_leaves_the_machine_and_is_restored_from_its_url() {
    let (hasami, expected) = many();
    let url = format!("file://{}", hasami.path("backup").display());
    let options = format!("{LONG} --checkpoint-to {url} --checkpoint-every 1s --checkpoint-keep 2");
    let mut cluster = Cluster::on(hasami, &options);
    let worker = cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_done(run, 10);
    let line = "checkpoint shipped";
    let count = |cluster: &mut Cluster| cluster.coordinator().log().matches(line).count();
    let before = count(&mut cluster);
    until("checkpoints since", || (count(&mut cluster) >= before + 3).then_some(()));
    let lists = cluster.hasami.path("backup/checkpoints");
    until("the oldest to go", || (lists.read_dir().ok()?.count() == 2).then_some(()));
    let acknowledged = cluster.items(run);
    let done = acknowledged.iter().filter(|item| item["state"] == "settled").count();
    assert!(done >= 10);
    cluster.take_coordinator().kill();
    std::fs::remove_dir_all(cluster.hasami.path(DATA)).expect("the disk is gone");
    let restored = cluster.hasami.run(&format!("coordinator restore {url} --data {DATA}"));
    assert!(restored.expect(0).stdout.contains("all checked"));
    // The same tokens: the worker and its access file go on.
    cluster.start();
    finishes(&cluster, run, 0, &expected);
    assert!(cluster.of(worker).ended().is_none());
    // What is damaged in the store is refused, and nothing is left behind.
    for file in cluster.hasami.path("backup/files").read_dir().expect("files").flatten() {
        std::fs::write(file.path(), "damaged").expect("a file of the test");
    }
    let refused = cluster.hasami.run(&format!("coordinator restore {url} --data other"));
    refused.is_bad_input(&["damaged in the store"]);
    assert!(!cluster.hasami.path("other").exists());
}
