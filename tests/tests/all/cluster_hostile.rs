//! A lying worker and a hostile client beside an honest worker: the table says what it says without
//! them, and the coordinator stays alive, healthy and small.

use std::time::{SystemTime, UNIX_EPOCH};

use hasami_hostile::{Order, Tally, harass};
use hasami_proto::Access;
use hasami_tests::{Cluster, DATA, Hasami, quiet};

/// Most memory of a coordinator, in MiB, however much it is told.
const MOST_MIB: u64 = 1024;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Sweeps of every kind of unit, with answers that have certificates.
const SWEEPS: [(&str, &str); 3] = [
    (
        "games.toml",
        "name = 'games'\nproblem = 'chomp'\nkind = 'map'\ncrash-limit = 1000\n\
         [parameters]\nrows = '1..=4'\ncolumns = '1..=5'\n",
    ),
    (
        "split.toml",
        "name = 'split'\nproblem = 'mnk'\nkind = 'search'\ncrash-limit = 1000\n\
         [parameters]\nwidth = '3..=4'\nheight = 3\nline = 3\n",
    ),
    (
        "parts.toml",
        "name = 'parts'\nproblem = 'pavings'\ncrash-limit = 1000\n\
         [parameters]\nshapes = 'Square,I'\nperiod = ['2x4', '4x4']\n",
    ),
];

fn loose(cluster: &Cluster, messages: u64, seed: u64, spare: u64) -> Tally {
    let access = Access::read(cluster.hasami.path(format!("{DATA}/access.json")));
    let access = access.expect("the access file of the coordinator");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let order = Order { messages, seed, callers: 4, spare };
    runtime.block_on(harass(&access, &order)).unwrap_or_else(|why| panic!("seed {seed}: {why}"))
}

#[test]
fn no_lie_reaches_the_table_and_nothing_hangs() {
    let messages = number("HASAMI_HOSTILE_MESSAGES").unwrap_or(3000);
    let seed = number("HASAMI_HOSTILE_SEED").unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.as_millis() as u64 % 1_000_000
    });
    println!("HASAMI_HOSTILE_SEED={seed} HASAMI_HOSTILE_MESSAGES={messages}");
    for (file, sweep) in SWEEPS {
        let hasami = Hasami::new();
        hasami.write(file, sweep);
        let expected = quiet(&hasami, file, 0);
        let mut cluster = Cluster::on(hasami, "--lease 1500ms --heartbeat 200ms");
        cluster.worker();
        let mut run = cluster.submit(file);
        let mut left = messages / SWEEPS.len() as u64;
        // A machine that is faster than its liars gets the same questions again.
        while left > 0 {
            let now = left.min(1000);
            left -= now;
            let tally = loose(&cluster, now, seed.wrapping_add(left), run);
            println!("{file}: {tally:?}");
            let shown = cluster.json(&format!("runs show {run}"));
            if left > 0 && shown["state"] == "finished" {
                assert_eq!(cluster.export(run), expected, "seed {seed}");
                run = cluster.json(&format!("submit {file} --force"))["run"].as_u64().unwrap();
            }
        }
        cluster.ask(&format!("runs wait {run}")).expect(0);
        assert_eq!(cluster.export(run), expected, "{file}, seed {seed}");
        let peak = cluster.coordinator().peak_mib();
        assert!(peak < MOST_MIB, "seed {seed}: {peak} MiB");
        let workers = cluster.json("workers");
        assert!(workers.as_array().is_some(), "seed {seed}: {workers}");
    }
}
