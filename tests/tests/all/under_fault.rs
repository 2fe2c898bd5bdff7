//! Sweeps for the tests of faults, and what must come of them: the table of a run in which nothing
//! went wrong.

use std::sync::OnceLock;

use hasami_tests::{Cluster, Hasami, quiet};

/// Silence is noticed soon.
pub const SHORT: &str = "--lease 1500ms --heartbeat 200ms";
/// Silence is not noticed while a test looks on.
pub const LONG: &str = "--lease 600000ms --heartbeat 500ms";

/// Each takes long enough to be interrupted.
pub const SLOW: &str = "name = 'slow'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                        [parameters]\ndepth = 40\nbranching = 3\nseed = '0..2'\n\
                    [search]\nbudget = '2M'\n";
/// Many that come one after the other.
pub const MANY: &str = "name = 'many'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                    [parameters]\ndepth = 12\nbranching = 3\nseed = '0..40'\n";

/// A directory with [`SLOW`], and the table of a quiet run.
pub fn slow() -> (Hasami, String) {
    static QUIET: OnceLock<String> = OnceLock::new();
    prepared(SLOW, 3, &QUIET)
}

/// A directory with [`MANY`], and the table of a quiet run.
pub fn many() -> (Hasami, String) {
    static QUIET: OnceLock<String> = OnceLock::new();
    prepared(MANY, 0, &QUIET)
}

/// The table is the same every time: made once for all tests.
fn prepared(sweep: &str, code: i32, table: &OnceLock<String>) -> (Hasami, String) {
    let hasami = Hasami::new();
    hasami.write("s.toml", sweep);
    let table = table.get_or_init(|| quiet(&hasami, "s.toml", code)).clone();
    (hasami, table)
}

/// The run ends so, with this table and every item answered.
#[track_caller]
pub fn finishes(cluster: &Cluster, run: u64, code: i32, expected: &str) {
    cluster.ask(&format!("runs wait {run}")).expect(code);
    assert_eq!(cluster.export(run), expected);
    for item in cluster.items(run) {
        let state = item["state"].as_str().expect("a word");
        assert!(state == "settled" || state == "open", "{item}");
    }
}

/// Words in front of a worker that tells in its log of every unit.
pub fn talkative() -> Vec<String> {
    ["env", "RUST_LOG=info,hasami_worker=debug"].map(str::to_string).to_vec()
}
