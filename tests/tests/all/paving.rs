//! Paving winners from the command line. Expected verdicts: the seed's §7, confirmed by SAT solvers.

use hasami_tests::Hasami;

#[test]
fn the_pair_i_and_l_wins_on_five_by_five_whatever_the_kernel() {
    let hasami = Hasami::new();
    for kernel in ["pn", "pds", "dfpn", "multipath", "threads"] {
        for sum in ["sum", "weak", "hybrid"] {
            for (board, verdict) in [("5x5", "proven"), ("4x4", "disproven")] {
                let way = format!("--kernel {kernel} --sum {sum} --certificate c.cert");
                let answer = hasami.solve(&format!("paving I L board={board} pairs=any {way}"));
                assert_eq!(answer["verdict"], verdict, "{way}: {answer}");
                let checked = hasami.run("verify c.cert --output json").expect(0).json();
                assert_eq!(checked["verdict"], verdict, "{way}: {checked}");
                assert_eq!(checked["moves"], answer["moves"], "{way}");
            }
        }
    }
}

#[test]
fn the_answer_says_what_it_is_about_and_draws_the_pairs_of_white() {
    let hasami = Hasami::new();
    let answer = hasami.solve("paving I L board=5x5 pairs=any --kernel wpns");
    assert_eq!((&answer["kernel"], &answer["sum"]), (&"dfpn".into(), &"weak".into()), "{answer}");
    let claim = answer["claim"].as_str().expect("a claim");
    assert!(claim.starts_with("paving winner: I & L, board 5x5, any pairs"), "{claim}");
    let answer = hasami.solve("paving I board=1x6 pairs=adjacent");
    assert_eq!(answer["verdict"], "disproven", "{answer}");
    assert_eq!(answer["drawing"]["rows"].as_array().expect("rows").len(), 1, "one row: {answer}");
    assert_eq!(answer["sum"], "weak", "what the game advises");
    hasami.run("solve paving I --kernel wpns --sum hybrid").expect(2);
}

#[test]
fn shapes_are_plain_words_or_a_list_in_any_order() {
    let hasami = Hasami::new();
    let id = |words: &str| {
        hasami.solve(&format!("paving {words} board=5x5 pairs=adjacent"))["id"].clone()
    };
    let plain = id("I UU");
    assert_eq!(plain, id("shapes=I,UU"));
    assert_eq!(plain, id("--shapes I,UU"));
    assert_eq!(plain, id("####/#..# #####"));
    assert_ne!(plain, id("I SS"));
}

#[test]
fn wrong_words_say_what_can_be_there() {
    let hasami = Hasami::new();
    for (words, expected) in [
        ("paving Sqare", "did you mean \"Square\"?"),
        ("paving I board=12x12", "at most 121 cells"),
        ("paving I board=6", "rows x columns"),
        ("paving I pairs=some", "expected one of adjacent, any"),
        ("paving I shapes=L", "given twice"),
        ("chomp many", "expected KEY=VALUE with one of the keys rows, columns"),
    ] {
        let run = hasami.run(&format!("solve {words}")).expect(2);
        assert!(run.stderr.contains(expected), "{words}: {}", run.stderr);
    }
}
