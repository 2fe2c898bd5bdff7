//! Values of games on a real cluster: what one worker has found, others and later runs use.

use hasami_tests::{Cluster, Hasami, quiet};

fn sweep(name: &str, positions: &str) -> String {
    format!("name = '{name}'\nproblem = 'value'\n[[zip]]\n{positions}")
}

fn first() -> String {
    sweep(
        "first",
        "family = ['domineering', 'domineering', 'go-room', 'go-corridor']\n\
         position = ['4x5', '3x6', '1100', '20']\n",
    )
}

fn second() -> String {
    sweep(
        "second",
        "family = ['domineering', 'domineering', 'go-room', 'go-corridor']\n\
         position = ['5x4', '6x3', '1101', '21']\n",
    )
}

fn counts(cluster: &Cluster, run: u64) -> (u64, u64) {
    let items = cluster.items(run);
    let sum = |field: &str| -> u64 {
        items.iter().map(|item| item["answer"][field].as_u64().expect("a count")).sum()
    };
    (sum("nodes"), sum("store_hits"))
}

#[test]
fn what_one_worker_has_valued_another_does_not_value_again() {
    let hasami = Hasami::new();
    hasami.write("first.toml", first());
    hasami.write("second.toml", second());
    let expected = quiet(&hasami, "second.toml", 0);
    let mut cluster = Cluster::on(hasami, "");
    let worker = cluster.worker();
    let run = cluster.submit("first.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let (all, _) = counts(&cluster, run);
    assert!(all > 1000, "{all} evaluations");
    // Another worker, another life of the coordinator: the values are there.
    let process = cluster.take_worker(worker);
    process.signal("TERM");
    process.end().expect(0);
    let coordinator = cluster.take_coordinator();
    coordinator.signal("TERM");
    coordinator.end().expect(0);
    cluster.start();
    cluster.worker();
    let run = cluster.submit("second.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let (rest, used) = counts(&cluster, run);
    assert!(rest * 2 < all && used > 2, "{rest} after {all} evaluations, {used} of others");
    assert_eq!(cluster.export(run), expected);
    let line = format!("runs export {run} --format csv --certificates certs -o r.csv");
    assert_eq!(cluster.json(&line)["certificates"], 4);
    for item in cluster.items(run) {
        let name = item["answer"]["certificates"][0]["file"].as_str().expect("a file");
        cluster.hasami.run(&format!("verify certs/{name}")).expect(0);
    }
}
