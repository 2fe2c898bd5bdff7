//! `pave` finds pavings, counts them, and says nothing about winners.
//!
//! Expected pavings are those of Yakuwa et al.; the counts of domino tilings are Kasteleyn's.

use hasami_tests::{Hasami, with_hash};

#[test]
fn a_loser_is_named_drawn_and_certified() {
    let hasami = Hasami::new();
    let run = hasami.run("polyomino pave Square I --certificate c.paving -o p.svg").expect(0);
    let first = run.stdout.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "loser: Square & I are blocked by the paving of period 1x4+1 (a 4x4 torus), \
         number 6 of Yakuwa et al."
    );
    assert!(run.stdout.contains("c.paving") && run.stdout.contains("verified"), "{run:#?}");
    let drawn = run.stdout.lines().filter(|line| {
        let line = line.trim();
        line.len() == 12 && line.chars().all(|sign| "<>^v".contains(sign))
    });
    assert_eq!(drawn.count(), 8, "{run:#?}");
    let text = String::from_utf8(hasami.read("c.paving")).unwrap();
    assert!(
        text.starts_with("hasami paving 2\nshapes ##/##,#####\npairs adjacent\nperiod 1x4+1\n")
    );
    assert!(hasami.read("p.svg").starts_with(b"<svg "));
    assert_eq!(hasami.run("polyomino pave Square I --output quiet").expect(0).stdout, "loser\n");
}

#[test]
fn verify_knows_the_certificate_of_a_paving() {
    let hasami = Hasami::new();
    let answer = hasami.run("polyomino pave W I --output json").expect(0).json();
    assert_eq!(answer["verdict"], "loser");
    assert_eq!(answer["number"], 4);
    assert_eq!(answer["numbers"], serde_json::json!([4]));
    let file = answer["certificate"].as_str().unwrap();
    assert!(file.starts_with("hasami-data/certificates/paving-"), "{file}");
    let checked = hasami.run(&format!("verify {file} --output json")).expect(0).json();
    assert_eq!(checked["verdict"], "loser");
    assert_eq!(checked["verified"], true);
    assert_eq!(checked["period"], answer["period"]);
    assert_eq!(checked["placements"], answer["placements"]);
    assert_eq!(hasami.run(&format!("verify {file} --output quiet")).expect(0).stdout, "loser\n");
    let human = hasami.run(&format!("verify {file}")).expect(0).stdout;
    assert!(human.starts_with("paving I,W\nverified: loser\n"), "{human}");
}

#[test]
fn shapes_may_be_pictures_and_pairs_need_not_be_dominoes() {
    let hasami = Hasami::new();
    let answer =
        hasami.run("polyomino pave ##/## #####,X --pairs any --output json").expect(0).json();
    assert_eq!(answer["shapes"], serde_json::json!(["Square", "I", "X"]));
    assert_eq!(answer["pairs"], "any");
    let file = answer["certificate"].as_str().unwrap();
    hasami.run(&format!("verify {file}")).expect(0);
}

#[test]
fn tori_alone_are_the_periods_of_the_paper() {
    let hasami = Hasami::new();
    for (shapes, period) in
        [("Square I", "4x4"), ("Z W", "1x2"), ("Square Z", "2x2"), ("SS ZZ", "2x3"), ("L U", "2x4")]
    {
        let answer =
            hasami.run(&format!("polyomino pave {shapes} --tori --output json")).expect(0).json();
        assert_eq!(answer["period"], period, "{shapes}");
    }
}

#[test]
fn without_a_paving_nothing_is_settled() {
    let hasami = Hasami::new();
    for line in [
        "polyomino pave Square W",
        "polyomino pave Snaky --max-area 12",
        "polyomino pave Square I --period 3x3",
    ] {
        let run = hasami.run(line).expect(3);
        assert!(run.stdout.starts_with("unknown: "), "{run:#?}");
        assert!(run.stdout.contains("no paving with"), "{run:#?}");
        assert!(!run.stdout.contains("winner"), "{run:#?}");
        assert!(!hasami.path("hasami-data").exists(), "no verdict, no certificate: {line}");
        assert_eq!(hasami.run(&format!("{line} --output quiet")).expect(3).stdout, "unknown\n");
    }
    let small = hasami.run("polyomino pave Square W --max-area 6 --output json").expect(3).json();
    assert_eq!(small["verdict"], "unknown");
    assert_eq!(small["found"], "no paving with a period of at most 6 cells");
}

#[test]
fn pavings_are_counted_and_listed_up_to_symmetry() {
    let hasami = Hasami::new();
    let all = hasami
        .run("polyomino pave ###/###/### --period 4x4 --count --output json")
        .expect(0)
        .json();
    assert_eq!(all["sets"], 272);
    let listed =
        hasami.run("polyomino pave Square I --period 4x4 --list --output json").expect(0).json();
    let list = listed["list"].as_array().unwrap();
    assert_eq!(listed["patterns"], list.len());
    let sum: u64 = list.iter().map(|paving| paving["sets"].as_u64().unwrap()).sum();
    assert_eq!(listed["sets"], sum);
    assert!(list.iter().any(|paving| paving["number"] == 6), "{listed}");
}

#[test]
fn parts_add_up_to_the_whole() {
    let hasami = Hasami::new();
    for question in [
        "polyomino pave Square --period 4x4",
        "polyomino pave X --period 2x4 --kind minimal",
        "polyomino pave Z --period 2x2 --pairs any --kind all",
    ] {
        let whole = hasami.run(&format!("{question} --count --output json")).expect(0).json();
        assert!(whole["sets"].as_u64().unwrap() > 0, "{whole}");
        let parts = hasami.run(&format!("{question} --prefixes 2 --output quiet")).expect(0).stdout;
        assert!(parts.lines().count() > 1, "{parts}");
        let (mut sets, mut patterns) = (0, 0);
        for prefix in parts.lines() {
            let part = format!("{question} --count --prefix {prefix} --output json");
            let part = hasami.run(&part).expect(0).json();
            sets += part["sets"].as_u64().unwrap();
            patterns += part["patterns"].as_u64().unwrap();
        }
        assert_eq!(whole["sets"], sets, "{question}");
        assert_eq!(whole["patterns"], patterns, "{question}");
    }
}

#[test]
fn the_minimal_losers_are_the_twelve() {
    let hasami = Hasami::new();
    let run = hasami.run("polyomino pave --minimal-losers --output quiet").expect(0);
    let mut names: Vec<&str> = run.stdout.lines().collect();
    names.sort_unstable();
    assert_eq!(names, ["I", "L", "R", "SS", "Square", "T", "U", "UU", "W", "X", "Z", "ZZ"]);
    let seven =
        hasami.run("polyomino pave --minimal-losers --cells 7 --output json").expect(0).json();
    assert_eq!(seven["losers"].as_array().unwrap().len(), 12);
}

#[test]
fn bad_input_is_told_with_place_and_expectation() {
    let hasami = Hasami::new();
    let bad = |line: &str, words: &[&str]| drop(hasami.run(line).is_bad_input(words));
    bad("polyomino frobnicate", &["pave"]);
    bad("polyomino pave", &["SHAPE"]);
    bad("polyomino pave Sqare", &["\"Sqare\"", "did you mean \"Square\"?"]);
    bad("polyomino pave #.#", &["cells apart; expected every cell to touch"]);
    bad("polyomino pave Square --period 4", &["\"4\"", "no x between", "expected ROWSxCOLUMNS"]);
    bad("polyomino pave Square --period 2x4+9", &["shift 9 is not below the 4 columns"]);
    bad("polyomino pave Square --pairs near", &["near", "adjacent, any"]);
    bad("polyomino pave Square --max-area 0", &["--max-area", "0"]);
    bad("polyomino pave Square --count", &["--period"]);
    bad("polyomino pave Square --prefix 0", &["expected --count or --list"]);
    bad("polyomino pave Square --period 2x2 --count --prefix 0.x", &["\"x\" at step 2"]);
    bad("polyomino pave Square --period 2x2 --count --prefix 77", &["no child 77 at step 1"]);
    bad("polyomino pave Square --certificate .", &["--certificate .", "this is a directory"]);
    bad("polyomino pave Square --minimal-losers", &["--minimal-losers"]);
    assert_eq!(std::fs::read_dir(hasami.path("")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn damaged_and_forged_certificates_are_refused() {
    let hasami = Hasami::new();
    hasami.run("polyomino pave Square I --certificate c.paving").expect(0);
    let text = String::from_utf8(hasami.read("c.paving")).unwrap();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        hasami.write("d.paving", &bytes);
        hasami.run("verify d.paving").is_bad_input(&["d.paving", "expected"]);
    }
    let (body, _) = text.split_at(text.find("sha256").unwrap());
    // The shape W instead of I.
    let forged = body.replace("##/##,#####", "##/##,##./.##/..#");
    hasami.write("f.paving", with_hash(forged));
    let run = hasami.run("verify f.paving").expect(1).complains(&["f.paving: refused: W on"]);
    assert_eq!(run.stdout, "");
}

#[test]
fn help_has_the_definition_and_examples() {
    let run = Hasami::new().run("polyomino pave --help").expect(0);
    for words in
        ["hasami polyomino pave Square I", "disjoint pairs", "Exit codes", "--minimal-losers"]
    {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
}
