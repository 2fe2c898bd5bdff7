//! Polyomino games from the command line. Expected values: Yakuwa et al., and the board and move
//! numbers of Harary's shapes as corrected since.

use hasami_tests::Hasami;
use serde_json::Value;

#[test]
fn the_pair_of_the_papers_example_wins_with_five_stones_on_the_infinite_board() {
    let hasami = Hasami::new();
    let answer = hasami.solve("polyomino Square W --certificate c.cert");
    assert_eq!(answer["verdict"], "proven", "{answer}");
    assert_eq!(answer["moves"], 5, "{answer}");
    let claim = answer["claim"].as_str().expect("a claim");
    assert!(claim.contains("infinite board, strong game"), "{claim}");
    let checked = hasami.run("verify c.cert --output json").expect(0).json();
    assert_eq!(checked["verdict"], "proven");
    assert_eq!(checked["moves"], 5);
}

#[test]
fn i_and_l_is_a_winner_with_eight_stones() {
    let hasami = Hasami::new();
    let words = "solve polyomino I L stones=8 --certificate c.cert --output json";
    let answer = hasami.run(words).expect(0).json();
    assert_eq!((&answer["verdict"], &answer["moves"]), (&"proven".into(), &8.into()), "{answer}");
    hasami.run("verify c.cert").expect(0);
}

#[test]
fn known_boards_and_stones_come_out() {
    let hasami = Hasami::new();
    for (words, verdict, moves) in [
        ("Tic board=4x4", "proven", Some(3)),
        ("Tic board=3x3", "disproven", None),
        ("Elly board=4x4 game=weak", "proven", Some(4)),
        ("Knobby board=5x5", "proven", Some(4)),
        ("Knobby board=4x4 stones=any", "disproven", None),
        ("Tippy board=3x3", "proven", Some(5)),
        ("Skinny board=6x6 game=weak", "proven", Some(6)),
        ("Y5 board=6x6", "proven", Some(6)),
        ("Y5 board=5x5 stones=any", "disproven", None),
        ("N5 board=5x5", "proven", Some(6)),
        ("L5 board=6x6 game=weak", "proven", Some(7)),
        ("Skinny", "proven", Some(7)),
        ("Skinny game=weak", "proven", Some(6)),
        ("Tippy", "proven", Some(4)),
    ] {
        let answer = hasami.solve(&format!("polyomino {words}"));
        assert_eq!(answer["verdict"], verdict, "{words}: {answer}");
        assert_eq!(answer["moves"], moves.map_or(Value::Null, Value::from), "{words}: {answer}");
    }
}

#[test]
fn not_with_fewer_stones_is_part_of_the_certificate_on_a_board() {
    let hasami = Hasami::new();
    let answer = hasami.solve("polyomino Tippy board=3x3 --certificate c.cert");
    let below = answer["below"]["certificate"].as_str().expect("a certificate").to_string();
    let checked = hasami.run(&format!("verify {below} --output json")).expect(0).json();
    assert_eq!((below.as_str(), &checked["claim"]), ("c.cert", &"least".into()));
    assert!(checked["problem"].as_str().expect("a question").contains("stones=5"), "{checked}");
}

#[test]
fn the_smallest_board_is_found_square_by_square() {
    let hasami = Hasami::new();
    let answer = hasami.solve("polyomino N5 board=smallest");
    assert!(answer["problem"].as_str().expect("a question").contains("board=5x5"), "{answer}");
    let claim = |at: &Value| at["claim"].as_str().expect("a claim").to_string();
    assert!(claim(&answer["earlier"][0]).contains("board 4x4"), "{answer}");
    assert_eq!(answer["moves"], 6, "and the fewest stones there: {answer}");
    assert!(claim(&answer["below"]).ends_with("Black cannot win with 5 stones"), "{answer}");
    let loser = hasami.solve("polyomino Square board=smallest");
    assert!(claim(&loser).contains("infinite board and every other"), "{loser}");
}

#[test]
fn a_winner_comes_with_its_line_and_a_loser_with_its_paving() {
    let hasami = Hasami::new();
    for (words, stones) in [("Elam", 1), ("Tic", 3), ("Square W", 5), ("Tippy board=3x3", 5)] {
        let answer = hasami.solve(&format!("polyomino {words}"));
        let line = answer["drawing"]["line"].as_str().expect("a line").split(' ').count();
        assert_eq!(line, 2 * stones - 1, "as long as the certificate: {words}: {answer}");
        let rows = answer["drawing"]["rows"].to_string();
        assert!(rows.contains(&format!("X{stones}")), "{rows}");
        assert!(!rows.contains(&format!("X{}", stones + 1)), "{rows}");
    }
    let loser = hasami.solve("polyomino Square I");
    let paving = &loser["drawing"];
    assert_eq!((&paving["number"], &paving["period"]), (&6.into(), &"1x4+1".into()), "{loser}");
    let human = hasami.run("solve polyomino Square I").expect(0).stdout;
    assert!(human.contains("number 6 of Yakuwa et al.") && human.contains("<>v^"), "{human}");
}

#[test]
fn an_open_question_says_how_far_the_search_came() {
    let hasami = Hasami::new();
    let words = "solve polyomino I UU --budget 3000";
    let answer = hasami.run(&format!("{words} --output json")).expect(3).json();
    let claim = answer["claim"].as_str().expect("a claim");
    assert!(claim.starts_with("open: I & UU: paving winner on 5x5 (adjacent pairs)"), "{claim}");
    assert!(claim.contains("and 6x6 (any pairs), no win within "), "{claim}");
    assert!(claim.ends_with("(strong game, infinite board, window 11x11)"), "{claim}");
    assert!(answer["open"]["none_within"].as_u64().expect("a number") >= 5, "{answer}");
    let squares = (&answer["open"]["adjacent"], &answer["open"]["any"]);
    assert_eq!(squares, (&5.into(), &6.into()), "{answer}");
    assert_eq!(hasami.run(&format!("{words} --output quiet")).expect(3).stdout.trim(), claim);
    assert!(hasami.run(words).expect(3).stdout.contains(claim));
}

#[test]
fn the_weak_game_is_an_option_of_its_own() {
    let hasami = Hasami::new();
    let flag = hasami.solve("polyomino Tic --weak --board 4x4");
    assert_eq!(flag["id"], hasami.solve("polyomino Tic game=weak board=4x4")["id"]);
    assert!(flag["claim"].as_str().expect("a claim").contains("weak game"), "{flag}");
    hasami.run("solve polyomino Tic --weak game=strong").expect(2);
}

#[test]
fn polyominoes_are_listed_by_cells_and_by_what_they_hold() {
    let hasami = Hasami::new();
    let count = |words: &str| {
        hasami.run(&format!("polyomino shapes {words} --output json")).expect(0).json()["count"]
            .clone()
    };
    assert_eq!(count("--cells 5"), 12);
    assert_eq!(count("--cells 5 --contains Square"), 1);
    assert_eq!(count("--cells 4 --within I"), 1);
    let names = hasami.run("polyomino shapes --cells 3 --output quiet").expect(0).stdout;
    assert_eq!(names.split_whitespace().count(), 2, "{names}");
    hasami.run("polyomino shapes --contains Nothing").expect(2);
}

#[test]
fn many_certificates_are_verified_in_one_go() {
    let hasami = Hasami::new();
    hasami.solve("polyomino Tic --certificate a.cert");
    hasami.run("polyomino pave Square I --certificate b.paving").expect(0);
    let both = hasami.run("verify a.cert b.paving").expect(0).stdout;
    assert_eq!(both.lines().count(), 2, "{both}");
    hasami.write("c.cert", "HASAMIC");
    let run = hasami.run("verify a.cert c.cert b.paving --output quiet").expect(2);
    assert_eq!(run.stdout, "proven\nfailed\nloser\n");
    let run = hasami.run("play b.paving").expect(2);
    assert!(run.stderr.contains("hasami play polyomino Square I"), "{run:#?}");
}

#[test]
fn a_search_without_a_win_on_the_infinite_board_settles_nothing() {
    let hasami = Hasami::new();
    let run = hasami.run("solve polyomino Square W stones=4 --output json").expect(3);
    let answer = run.json();
    assert_eq!((&answer["verdict"], &answer["certificate"]), (&"unknown".into(), &Value::Null));
    assert!(answer["claim"].as_str().expect("how far it went").starts_with("open: "), "{answer}");
}

#[test]
fn a_paving_settles_a_loser_on_every_board() {
    let hasami = Hasami::new();
    for words in ["Square I", "Square board=9x9", "X ZZ game=weak"] {
        let answer = hasami.solve(&format!("polyomino {words}"));
        assert_eq!(answer["verdict"], "disproven", "{words}: {answer}");
        let claim = answer["claim"].as_str().expect("a claim");
        assert!(claim.contains("blocked by the paving of period"), "{claim}");
    }
}

#[test]
fn wrong_words_say_what_can_be_there() {
    let hasami = Hasami::new();
    for (words, expected) in [
        ("Squar", "did you mean \"Square\"?"),
        ("'#.#'", "cells apart"),
        ("Square QQ", "expected shapes with commas between; unknown shape \"QQ\""),
        ("Tic board=12x12", "at most 128 cells"),
        ("Tic board=big", "rows x columns as in 7x7"),
        ("Tic stones=0", "from 1 to 128"),
        ("Tic window=0x3", "rows x columns"),
        ("Tic game=medium", "one of strong, weak"),
    ] {
        let run = hasami.run(&format!("solve polyomino {}", words.replace('\'', ""))).expect(2);
        assert!(run.stderr.contains(expected), "{words}: {}", run.stderr);
    }
}

#[test]
fn the_table_of_some_pairs_has_the_papers_marks_and_verified_certificates() {
    let hasami = Hasami::new();
    let words =
        "polyomino pairs --shapes Square,W,R,I,L --budget 1000000 -o t.csv -o t.html -o t.svg";
    let table = hasami.run(&format!("{words} --output json")).expect(0).json();
    let pairs = table["pairs"].as_array().expect("a list");
    let marks: Vec<(String, &str)> = pairs
        .iter()
        .map(|row| {
            let name = |at: usize| row["pair"][at].as_str().expect("a name");
            (format!("{} {}", name(0), name(1)), row["mark"].as_str().expect("a mark"))
        })
        .collect();
    let expected = [
        ("Square W", "◎"),
        ("Square R", "◎"),
        ("Square I", "6"),
        ("Square L", "2"),
        ("W R", "1"),
        ("W I", "4"),
        ("W L", "1"),
        ("R I", "◎"),
        ("R L", "1"),
        // Open in the paper.
        ("I L", "◎"),
    ];
    let differs: Vec<&Value> =
        pairs.iter().map(|row| &row["differs"]).filter(|differs| !differs.is_null()).collect();
    assert_eq!(differs, ["new"], "I & L alone");
    let marks: Vec<(&str, &str)> = marks.iter().map(|(name, mark)| (&name[..], *mark)).collect();
    assert_eq!(marks, expected);
    for row in pairs {
        let file = row["certificates"][0].as_str().expect("a certificate");
        hasami.run(&format!("verify {file}")).expect(0);
    }
    let text = |name: &str| String::from_utf8(hasami.read(name)).expect("text");
    assert_eq!(text("t.csv").lines().count(), 11);
    assert!(text("t.html").contains("Square &amp; W"));
    assert!(text("t.svg").starts_with("<svg"));
    for file in ["t.svg", "t.html"] {
        let text = text(file);
        assert!(text.contains("◎+") && text.contains("not confirmed here"), "{file}");
        assert!(text.contains("trong game on the infinite board"), "{file}");
    }
    assert!(text("t.csv").contains("I,L,infinite,strong,winner,◎,open,new,"));
}

#[test]
fn pairs_that_are_the_same_set_do_not_get_in_each_others_way() {
    let hasami = Hasami::new();
    // Whoever has completed any of the others has completed a Tic: all pairs with it are one.
    let words = "polyomino pairs --shapes Tic,Snaky,L5,Y5,Skinny --budget 1000 --threads 4";
    let table = hasami.run(&format!("{words} --output json")).expect(0).json();
    let pairs = table["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 10);
    for row in pairs.iter().filter(|row| row["pair"][0] == "Tic") {
        assert_eq!((&row["mark"], &row["moves"]), (&"◎".into(), &3.into()), "{row}");
    }
    let run = hasami.run("polyomino pairs --shapes I,L,#####").expect(2);
    assert!(run.stderr.contains("number 3 is I again"), "{run:#?}");
}

#[test]
fn the_order_of_the_shapes_makes_no_other_question_of_it() {
    let hasami = Hasami::new();
    let answer = hasami.solve("polyomino W Square");
    assert_eq!(answer["id"], hasami.solve("polyomino Square W stones=5")["id"]);
    let file = answer["certificate"].as_str().expect("a certificate");
    let found = hasami.run("play polyomino Square W --opponent random --output json").expect(0);
    assert_eq!(found.json()["certificate"], file);
}
