//! Tokens by command: given out, used, taken back, and shown nowhere.

use std::os::unix::fs::PermissionsExt;

use hasami_tests::{Cluster, DATA, until};
use serde_json::Value;

use crate::under_fault::{SHORT, slow};

#[test]
fn a_worker_with_a_token_of_its_own_works_until_it_is_revoked() {
    let (hasami, _) = slow();
    let mut cluster = Cluster::on(hasami, SHORT);
    cluster.ask("access add lab-7 --role worker -o lab-7.json").expect(0);
    let mode = std::fs::metadata(cluster.hasami.path("lab-7.json")).expect("a file").permissions();
    assert_eq!(mode.mode() & 0o777, 0o400);
    let file: Value = serde_json::from_slice(&cluster.hasami.read("lab-7.json")).expect("JSON");
    assert!(file["worker_token"].is_string() && file["client_token"].is_null(), "{file}");
    // A worker's token is no client's.
    let asked = cluster.hasami.run("runs list --access lab-7.json");
    asked.expect(2).complains(&["client_token"]);
    let line = "worker --access lab-7.json --threads 1 --memory 64MiB --name mine";
    let mut worker = cluster.hasami.spawn("mine", &[], line);
    cluster.submit("s.toml");
    until("a lease", || {
        let workers = cluster.json("workers");
        (workers[0]["leases"].as_u64() > Some(0)).then_some(())
    });
    let tokens = cluster.json("access list");
    let names: Vec<&str> = (0..3).filter_map(|at| tokens[at]["name"].as_str()).collect();
    assert_eq!(names, ["lab-7", "operator", "worker"], "{tokens}");
    assert_eq!(cluster.json("access revoke lab-7")["workers"], 1);
    until("the end of the worker", || worker.ended().is_some().then_some(()));
    worker.end().expect(2).complains(&["token"]);
    assert_eq!(cluster.json("workers").as_array().map(Vec::len), Some(0));
    cluster.ask("access revoke lab-7").expect(2).complains(&["no token lab-7"]);
    cluster.ask("access revoke operator").expect(2).complains(&["last operator"]);
    cluster.ask("access add worker --role worker").expect(2).complains(&["already"]);
    // No secret is in a log or in the list.
    let secret = file["worker_token"].as_str().expect("a token");
    let list =
        String::from_utf8(cluster.hasami.read(&format!("{DATA}/tokens.json"))).expect("text");
    assert!(!list.contains(secret) && !cluster.coordinator().log().contains(secret));
}

#[test]
fn an_operator_rotates_its_own_token_and_goes_on() {
    let cluster = Cluster::new("");
    let old = cluster.hasami.read(&format!("{DATA}/access.json"));
    let printed = cluster.ask("access rotate operator").expect(0).stdout;
    let printed: Value = serde_json::from_str(&printed).expect("an access file");
    let now = cluster.hasami.read(&format!("{DATA}/access.json"));
    let now: Value = serde_json::from_slice(&now).expect("JSON");
    assert_eq!(printed["client_token"], now["client_token"]);
    let old: Value = serde_json::from_slice(&old).expect("JSON");
    assert_ne!(old["client_token"], now["client_token"]);
    assert_eq!(old["worker_token"], now["worker_token"]);
    // The coordinator's own file has the new one.
    cluster.ask("runs list").expect(0);
}

#[test]
fn a_password_on_the_command_line_is_refused_before_anything_starts() {
    let cluster = hasami_tests::Hasami::new();
    let line = "coordinator --store redis+single://me:secret@127.0.0.1:1 --data d";
    let run = cluster.run(line);
    run.is_bad_input(&["HASAMI_STORE"]);
    assert!(!cluster.path("d").exists());
}
