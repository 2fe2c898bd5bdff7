//! `--store` and `hasami store`: searches go on from it, copies hold what it holds, and what is no
//! sound store is refused and left as it is.

use std::path::Path;

use hasami_tests::{Files, Hasami, files};
use serde_json::Value;

const QUESTION: &str = "solve synthetic depth=9 branching=3 seed=1 --table 1MiB --output json";
/// Never settled by what the tests let it search.
const LONG: &str =
    "solve synthetic depth=40 branching=3 seed=1 --table 1MiB --output json --budget 1000";

fn stats(hasami: &Hasami, store: &str) -> Value {
    hasami.run(&format!("store stats {store} --output json")).expect(0).json()
}

fn records(hasami: &Hasami, store: &str) -> u64 {
    stats(hasami, store)["total"]["records"].as_u64().expect("a count")
}

/// A store with some records; opened again and again, so that they are in tables and not only in
/// the log.
fn filled(hasami: &Hasami, store: &str) {
    for _ in 0..3 {
        hasami.run(&format!("{LONG} --store {store}")).expect(3);
    }
    assert!(records(hasami, store) > 0);
}

#[test]
fn a_search_in_pieces_goes_on_from_the_store_until_it_is_settled() {
    let hasami = Hasami::new();
    let fresh = hasami.run(QUESTION).expect(0).json();
    let (mut pieces, mut known) = (0, 0);
    loop {
        let run = hasami.run(&format!("{QUESTION} --budget 2000 --store s"));
        assert_eq!(run.stderr.contains("going on from the store"), pieces > 0, "{run:#?}");
        pieces += 1;
        let now = records(&hasami, "s");
        assert!(now >= known, "{now} records after {known}");
        known = now;
        if run.code == Some(0) {
            assert_eq!(run.json()["verdict"], fresh["verdict"]);
            break;
        }
        run.expect(3);
        assert!(pieces < 100, "no end in sight");
    }
    assert!(pieces > 1, "one piece is no test");
}

#[test]
fn what_the_store_has_settled_is_not_searched_again() {
    let hasami = Hasami::new();
    let nodes = |run: Value| run["nodes"].as_u64().expect("a count");
    let first = hasami.run(&format!("{QUESTION} --store s")).expect(0).json();
    let again = hasami.run(&format!("{QUESTION} --store s --certificate again.cert"));
    let again = again.expect(0).complains(&["going on from the store"]).json();
    assert_eq!(again["verdict"], first["verdict"]);
    assert!(nodes(again) < nodes(first));
    hasami.run("verify again.cert").expect(0);
}

#[test]
fn questions_do_not_mix_in_a_store() {
    let hasami = Hasami::new();
    let first = hasami.run(&format!("{QUESTION} --store s")).expect(0).json();
    let question = "solve mnk width=3 height=3 line=3 --table 1MiB --output json";
    let other = hasami.run(&format!("{question} --store s")).expect(0);
    assert!(!other.stderr.contains("going on"), "{other:#?}");
    let stats = stats(&hasami, "s");
    let mut ids: Vec<_> = stats["problems"].as_array().expect("a list").iter().collect();
    ids.sort_by_key(|problem| problem["id"].to_string());
    let mut expected = [first["id"].clone(), other.json()["id"].clone()];
    expected.sort_by_key(Value::to_string);
    assert_eq!(
        ids.iter().map(|problem| &problem["id"]).collect::<Vec<_>>(),
        [&expected[0], &expected[1]]
    );
    assert_eq!(stats["total"]["conflicts"], 0);
}

#[test]
fn every_kernel_goes_on_from_what_another_has_stored() {
    let hasami = Hasami::new();
    let verdict = hasami.run(QUESTION).expect(0).json()["verdict"].clone();
    for kernel in ["pn", "pds", "dfpn", "multipath", "threads"] {
        for sum in ["sum", "hybrid"] {
            let store = format!("{kernel}-{sum}");
            hasami.run(&format!("{QUESTION} --budget 1000 --store {store}")).expect(3);
            let way = format!("--kernel {kernel} --sum {sum} --store {store}");
            let run = hasami.run(&format!("{QUESTION} {way}")).expect(0);
            assert_eq!(run.json()["verdict"], verdict, "{way}");
        }
    }
}

#[test]
fn statistics_come_in_three_forms() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    let json = stats(&hasami, "s");
    let total = &json["total"];
    let count = |key: &str| total[key].as_u64().unwrap_or_else(|| panic!("{key} in {json}"));
    assert_eq!(count("records"), count("proven") + count("disproven") + count("open"));
    assert_eq!(json["path"], "s");
    assert_eq!(json["format"], 1);
    let quiet = hasami.run("store stats s --output quiet").expect(0).stdout;
    assert_eq!(quiet.trim_end(), count("records").to_string());
    let human = hasami.run("store stats s").expect(0).stdout;
    assert!(human.starts_with("s: format 1") && human.contains("records"), "{human}");
}

#[test]
fn a_store_comes_back_from_its_checkpoint() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    hasami.run("store checkpoint s backup").expect(0);
    let before = files(&hasami.path("backup"));
    let then = stats(&hasami, "s");
    hasami.run(&format!("{LONG} --store s")).expect(3);
    let later = stats(&hasami, "s");
    let restored = hasami.run("store restore backup back --output json").expect(0).json();
    assert_eq!(restored["to"], "back");
    assert_eq!(stats(&hasami, "back")["total"], then["total"]);
    assert_ne!(later["total"], then["total"], "the store has gone on since");
    assert_eq!(files(&hasami.path("backup")), before, "a checkpoint does not change");
    let run = hasami.run(&format!("{LONG} --store back")).expect(3);
    run.complains(&["going on from the store"]);
}

#[test]
fn nothing_is_overwritten_by_a_checkpoint_or_a_restored_store() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    hasami.run("store checkpoint s backup").expect(0);
    filled(&hasami, "other");
    hasami.write("file", "years of work");
    let before = files(&hasami.path("other"));
    hasami.run("store restore backup other").is_bad_input(&["other exists already"]);
    hasami.run("store checkpoint s other").is_bad_input(&["other exists already"]);
    assert_eq!(files(&hasami.path("other")), before);
    hasami.run("store restore backup file").is_bad_input(&["file exists already"]);
    hasami.run("store checkpoint s file").is_bad_input(&["file exists already"]);
    assert_eq!(hasami.read("file"), b"years of work");
}

#[test]
fn only_a_whole_checkpoint_is_restored() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    hasami.run("store restore s t").is_bad_input(&["s is no checkpoint"]);
    hasami.run("store restore missing t").is_bad_input(&["missing is no checkpoint"]);
    hasami.run("store checkpoint s cut").expect(0);
    std::fs::remove_file(largest_table(&hasami.path("cut"))).unwrap();
    hasami.run("store restore cut t").is_bad_input(&["cut is damaged", ".sst"]);
    hasami.run("store checkpoint s flipped").expect(0);
    let table = largest_table(&hasami.path("flipped"));
    // A checkpoint shares its large files with the store: replace, do not write into it.
    let mut bytes = std::fs::read(&table).unwrap();
    std::fs::remove_file(&table).unwrap();
    flip(&mut bytes);
    std::fs::write(&table, bytes).unwrap();
    hasami.run("store restore flipped t").is_bad_input(&["flipped is damaged"]);
    assert!(!hasami.path("t").exists());
    hasami.run("store stats s").expect(0);
}

#[test]
fn a_checkpoint_is_not_worked_in() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    hasami.run("store checkpoint s backup").expect(0);
    let before = files(&hasami.path("backup"));
    hasami.run("store stats backup").is_bad_input(&["backup is a checkpoint", "restore"]);
    hasami.run(&format!("{QUESTION} --store backup")).is_bad_input(&["backup is a checkpoint"]);
    assert_eq!(files(&hasami.path("backup")), before);
}

#[test]
fn what_is_no_store_is_refused_and_left_alone() {
    let hasami = Hasami::new();
    hasami.run("store stats missing").is_bad_input(&["no store in missing"]);
    assert!(!hasami.path("missing").exists());
    std::fs::create_dir(hasami.path("foreign")).unwrap();
    hasami.write("foreign/thesis.txt", "years of work");
    let before = files(&hasami.path("foreign"));
    for line in ["store stats foreign", "store checkpoint foreign c", "solve mnk --store foreign"] {
        hasami.run(line).is_bad_input(&["foreign holds files but no store", "nothing was changed"]);
    }
    assert_eq!(files(&hasami.path("foreign")), before);
    hasami.write("file", "text");
    hasami.run("store stats file").is_bad_input(&["file"]);
    assert_eq!(hasami.read("file"), b"text");
}

#[test]
fn a_store_of_another_format_is_refused_and_left_alone() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    hasami.write("s/HASAMI-STORE", "hasami-store 2\n");
    refused_unchanged(&hasami, &["s has store format", "format 1"]);
}

#[test]
fn a_store_that_lost_a_file_is_refused_and_left_alone() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    std::fs::remove_file(hasami.path("s/CURRENT")).unwrap();
    refused_unchanged(&hasami, &["the store s is damaged", "CURRENT"]);
}

/// Every command refuses the store `s` and changes nothing in it.
fn refused_unchanged(hasami: &Hasami, words: &[&str]) {
    let before = files(&hasami.path("s"));
    for line in ["store stats s", "store checkpoint s c", &format!("{QUESTION} --store s")] {
        hasami.run(line).is_bad_input(words);
        assert_eq!(files(&hasami.path("s")), before, "after {line}");
    }
    assert!(!hasami.path("c").exists());
}

#[test]
fn a_flipped_bit_in_a_table_is_found_and_the_tables_are_left_alone() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    let table = largest_table(&hasami.path("s"));
    let mut bytes = std::fs::read(&table).unwrap();
    flip(&mut bytes);
    std::fs::write(&table, bytes).unwrap();
    let table = table.file_name().expect("a name").to_string_lossy().into_owned();
    let words = ["the store s is damaged", &table];
    let before = files(&hasami.path("s"));
    for line in ["store stats s", "store checkpoint s c"] {
        hasami.run(line).is_bad_input(&words);
        assert_eq!(files(&hasami.path("s")), before, "after {line}");
    }
    assert!(!hasami.path("c").exists());
    let before = tables(&hasami.path("s"));
    hasami.run(&format!("{LONG} --store s")).is_bad_input(&words);
    // One that is opened for writing makes a table of its log.
    let after = tables(&hasami.path("s"));
    assert!(before.iter().all(|(name, bytes)| after.get(name) == Some(bytes)));
}

#[test]
fn looking_at_a_store_and_copying_it_changes_nothing() {
    let hasami = Hasami::new();
    filled(&hasami, "s");
    let before = files(&hasami.path("s"));
    hasami.run("store stats s").expect(0);
    hasami.run("store checkpoint s backup").expect(0);
    assert_eq!(files(&hasami.path("s")), before);
}

fn tables(store: &Path) -> Files {
    files(store).into_iter().filter(|(name, _)| name.ends_with(".sst")).collect()
}

fn largest_table(store: &Path) -> std::path::PathBuf {
    let tables = tables(store);
    let largest = tables.iter().max_by_key(|(_, bytes)| bytes.len());
    store.join(largest.expect("a store with a table").0)
}

/// Flips one bit in the first block of records.
fn flip(bytes: &mut [u8]) {
    bytes[bytes.len() / 3] ^= 1;
}
