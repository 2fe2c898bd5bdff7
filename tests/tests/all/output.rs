//! What is printed, in its three forms, and where the certificate goes.

use hasami_tests::Hasami;
use serde_json::Value;

const PROVEN: &str = "solve mnk width=3 height=3 line=3 --table 1MiB";
const DISPROVEN: &str = "solve mnk width=3 height=2 line=3 --table 1MiB";
const ENDLESS: &str = "solve synthetic depth=30 branching=3 seed=1 --table 1MiB --budget 1000";

#[test]
fn json_is_one_object_with_the_promised_keys() {
    let hasami = Hasami::new();
    let run = hasami.run(&format!("{PROVEN} --output json")).expect(0);
    assert_eq!(run.stdout.trim_end().lines().count(), 1);
    let answer = run.json();
    assert_eq!(answer["problem"], "mnk width=3 height=3 line=3 zones=on sym=on");
    assert_eq!(answer["verdict"], "proven");
    // Three stones are a line, and five are all that Maker has on nine cells.
    assert!((3..=5).contains(&answer["moves"].as_u64().expect("a length")), "{answer}");
    assert!(answer["nodes"].as_u64().expect("a count") > 0);
    assert!(answer["seconds"].as_f64().expect("a time") >= 0.0);
    assert!(hasami.path(answer["certificate"].as_str().expect("a file")).is_file());
}

#[test]
fn json_says_null_where_there_is_nothing_to_say() {
    let hasami = Hasami::new();
    let answer = hasami.run(&format!("{ENDLESS} --output json")).expect(3).json();
    assert_eq!(answer["verdict"], "unknown");
    assert_eq!(answer["certificate"], Value::Null);
    assert_eq!(answer["moves"], Value::Null);
    assert_eq!(answer["nodes"], 1000);
    assert!(!hasami.path("hasami-data").exists(), "no certificate, no directory for it");
    // Graphs do not count moves.
    assert_eq!(hasami.solve("graph seed=1")["moves"], Value::Null);
}

#[test]
fn quiet_prints_just_the_word() {
    let hasami = Hasami::new();
    for (question, code, word) in
        [(PROVEN, 0, "proven\n"), (DISPROVEN, 0, "disproven\n"), (ENDLESS, 3, "unknown\n")]
    {
        assert_eq!(hasami.run(&format!("{question} --output quiet")).expect(code).stdout, word);
    }
    hasami.run(&format!("{PROVEN} --certificate c.cert")).expect(0);
    assert_eq!(hasami.run("verify c.cert --output quiet").expect(0).stdout, "proven\n");
}

#[test]
fn people_are_told_verdict_counts_and_file() {
    let hasami = Hasami::new();
    let solved = hasami.run(&format!("{DISPROVEN} --certificate c.cert")).expect(0).stdout;
    for words in ["mnk width=3 height=2", "disproven", "nodes", "c.cert", "verified"] {
        assert!(solved.contains(words), "{words}: {solved}");
    }
    let verified = hasami.run("verify c.cert").expect(0).stdout;
    for words in ["mnk width=3 height=2", "verified: disproven", "nodes", "leaves"] {
        assert!(verified.contains(words), "{words}: {verified}");
    }
    let unknown = hasami.run(ENDLESS).expect(3).stdout;
    assert!(unknown.contains("unknown: budget used up"), "{unknown}");
}

#[test]
fn the_certificate_goes_to_a_place_of_its_own_by_default() {
    let hasami = Hasami::new();
    let answer = hasami.run(&format!("{PROVEN} --output json")).expect(0).json();
    let id = answer["id"].as_str().expect("an id");
    let file = format!("hasami-data/certificates/mnk-{}.cert", &id[..12]);
    assert_eq!(answer["certificate"], file);
    assert_eq!(answer["certificate_bytes"], hasami.read(&file).len());
    let other = hasami.run(&format!("{DISPROVEN} --output json")).expect(0).json();
    assert_ne!(other["certificate"], file);
    hasami.run(&format!("verify {file}")).expect(0);
}

#[test]
fn the_directory_of_a_certificate_is_made_and_nothing_else_is_left_in_it() {
    let hasami = Hasami::new();
    hasami.run(&format!("{PROVEN} --certificate deep/er/c.cert")).expect(0);
    let names: Vec<_> = hasami_tests::files(&hasami.path("deep/er")).into_keys().collect();
    assert_eq!(names, ["c.cert"]);
}

#[test]
fn a_certificate_that_cannot_be_written_is_named() {
    let hasami = Hasami::new();
    hasami.write("file", "not a directory");
    hasami.run(&format!("{PROVEN} --certificate file/c.cert")).is_bad_input(&["file"]);
    assert_eq!(hasami.read("file"), b"not a directory");
    std::fs::create_dir(hasami.path("taken")).unwrap();
    hasami.run(&format!("{PROVEN} --certificate taken")).is_bad_input(&["taken"]);
}

#[test]
fn log_lines_can_be_json() {
    let hasami = Hasami::new();
    let small = "solve synthetic depth=30 branching=3 --table 1MiB --budget 100000";
    let run = hasami.run(&format!("{small} --log-format json")).expect(3);
    let warning: Value = serde_json::from_str(run.stderr.lines().next().expect("a line")).unwrap();
    assert_eq!(warning["level"], "WARN");
}
