//! A disk that takes no more: said clearly, with exit code 1, and what was there before stays.
//!
//! A limit on the length of files stands for the disk; `TOO_LARGE` is what the system then says.

use hasami_tests::{Hasami, files};
use serde_json::Value;

const QUESTION: &str = "solve synthetic depth=9 branching=3 seed=1 --table 1MiB --output json";
/// Never settled by what the tests let it search.
const LONG: &str = "solve synthetic depth=40 branching=3 seed=1 --table 1MiB --output json";
const TOO_LARGE: &str = "File too large";

fn total(hasami: &Hasami) -> Value {
    hasami.run("store stats s --output json").expect(0).json()["total"].clone()
}

#[test]
fn a_certificate_that_finds_no_space_leaves_nothing_and_the_old_one_stays() {
    let hasami = Hasami::new();
    let small = 64;
    for line in [QUESTION.to_string(), format!("{QUESTION} --certificate c.cert")] {
        let run = hasami.run_in_little_space(small, &line).expect(1);
        let run = run.complains(&["the certificate cannot be written", ".cert", TOO_LARGE]);
        assert_eq!(run.stdout, "", "no verdict without a certificate");
    }
    assert!(files(&hasami.path("hasami-data/certificates")).is_empty());
    std::fs::remove_dir_all(hasami.path("hasami-data")).unwrap();
    assert!(files(&hasami.path("")).is_empty());

    let line = format!("{QUESTION} --certificate c.cert");
    hasami.run(&line).expect(0);
    let before = files(&hasami.path(""));
    hasami.run_in_little_space(small, &line).expect(1);
    assert_eq!(files(&hasami.path("")), before);
    hasami.run("verify c.cert").expect(0);
}

#[test]
fn a_store_that_finds_no_space_says_so_and_keeps_all_it_had() {
    let hasami = Hasami::new();
    hasami.run(&format!("{LONG} --budget 20000 --store s")).expect(3);
    for bytes in [0, 512, 4 << 10, 16 << 10, 64 << 10] {
        let before = total(&hasami);
        let count = |total: &Value, key: &str| total[key].as_u64().expect("a count");
        assert!(count(&before, "records") > 0);
        let line = format!("{LONG} --budget 200000 --store s");
        let run = hasami.run_in_little_space(bytes, &line).expect(1);
        let run = run.complains(&["the store s cannot be used", TOO_LARGE]);
        assert_eq!(run.stdout, "", "{run:#?}");
        let after = total(&hasami);
        for key in ["records", "proven", "disproven", "work"] {
            let (had, has) = (count(&before, key), count(&after, key));
            assert!(has >= had, "{bytes} bytes: {has} of {had} {key}");
        }
        assert_eq!(after["conflicts"], 0);
    }
    let run = hasami.run(&format!("{LONG} --budget 20000 --store s")).expect(3);
    run.complains(&["going on from the store"]);
}

#[test]
fn a_store_that_could_not_be_made_is_made_when_there_is_space() {
    let hasami = Hasami::new();
    for bytes in [0, 512, 2 << 10] {
        let line = format!("{LONG} --budget 200000 --store s");
        let run = hasami.run_in_little_space(bytes, &line).expect(1);
        run.complains(&["s", "cannot be used", TOO_LARGE]);
    }
    hasami.run(&format!("{LONG} --budget 20000 --store s")).expect(3);
    assert!(total(&hasami)["records"].as_u64() > Some(0));
}

#[test]
fn a_checkpoint_that_finds_no_space_leaves_nothing() {
    let hasami = Hasami::new();
    hasami.run(&format!("{LONG} --budget 20000 --store s")).expect(3);
    let before = files(&hasami.path("s"));
    let run = hasami.run_in_little_space(512, "store checkpoint s c").expect(1);
    run.complains(&["cannot be used", TOO_LARGE]);
    assert_eq!(files(&hasami.path("s")), before);
    let left: Vec<_> = std::fs::read_dir(hasami.path("")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    hasami.run("store checkpoint s c").expect(0);
    let run = hasami.run_in_little_space(512, "store restore c t").expect(1);
    run.complains(&["cannot be used", TOO_LARGE]);
    assert!(!hasami.path("t").exists());
}
