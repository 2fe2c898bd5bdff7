//! `hasami go` and sweeps of values, from outside.

use hasami_tests::{Hasami, with_hash};

/// Figure 2.1 of Takizawa, *Mathematical Game Theory and Its Application to Go Endgames*.
const FIGURE: &str = "XXXXXX\nO....X\nXXX.XX\n###O##\n";

#[test]
fn a_board_has_values_a_sum_and_a_best_move() {
    let hasami = Hasami::new();
    hasami.write("board.txt", FIGURE);
    let answer = hasami.run("value go board.txt -o board.svg --output json").expect(0).json();
    let region = &answer["regions"][0];
    assert_eq!(region["value"], "{2|{1|*}}");
    assert_eq!(region["chilled"], "5/4");
    assert_eq!(region["mean"], "5/4");
    assert_eq!(region["temperature"], "3/4");
    assert_eq!(region["left_wall"], serde_json::json!([["0", "2"], ["3/4", "5/4"]]));
    assert_eq!(answer["sum"]["black_first"], "2");
    assert_eq!(answer["sum"]["white_first"], "1");
    assert_eq!(answer["moves"]["white"]["gain"], "3/4");
    assert_eq!(answer["moves"]["black"]["score"], "2");
    assert!(hasami.read("board.svg").starts_with(b"<svg "));
    let human = hasami.run("value go board.txt --to-move white").expect(0).stdout;
    assert!(human.contains("score: 2 if Black begins, 1 if White begins"), "{human}");
    assert!(human.contains("White: play 2,") && !human.contains("Black: play"), "{human}");
    assert_eq!(hasami.run("value go board.txt --output quiet").expect(0).stdout, "{2|{1|*}}\n");
}

#[test]
fn regions_are_split_and_kos_are_told_with_their_assumption() {
    let hasami = Hasami::new();
    hasami.write("board.txt", "XXXXXXOOO\nO..XXXOOO\nXXXXX.xOO\nXXXXXXOOO\n");
    let answer = hasami.run("value go board.txt --output json").expect(0).json();
    let regions = answer["regions"].as_array().unwrap();
    assert_eq!(regions.len(), 2, "{answer}");
    assert_eq!(regions[0]["value"], "{1|*}");
    for assumed in regions[1]["ko"].as_array().unwrap() {
        assert_eq!((&assumed["temperature"], &assumed["mean"]), (&"1/3".into(), &"-1/3".into()));
    }
    assert_eq!(answer["moves"]["black"]["exact"], false);
    let human = hasami.run("value go board.txt").expect(0).stdout;
    for words in ["no ko threats", "Black is komaster", "White is komaster", "rule of thumb"] {
        assert!(human.contains(words), "{words}: {human}");
    }
}

#[test]
fn sgf_and_parts_of_boards_are_read_with_what_is_assumed() {
    let hasami = Hasami::new();
    // The same position set up in the root, and reached by moves.
    let game = "(;GM[1]SZ[5:3]KM[6.5]AB[aa:ea][bc:ec]AW[ab][ac];B[cb])";
    hasami.write("game.sgf", game);
    let root =
        hasami.run("value go game.sgf --move 0 --region 2,2:2,5 --output json").expect(0).json();
    assert_eq!(root["record"]["to_move"], "black", "{root}");
    let moves = "(;GM[1]SZ[5:3]KM[6.5]AB[aa:ea][bc:ec];W[ac];B[];W[ab])";
    hasami.write("moves.sgf", moves);
    let answer = hasami.run("value go moves.sgf --region 2,2:2,5 --output json").expect(0).json();
    assert_eq!(answer["regions"], root["regions"]);
    assert_eq!((&answer["record"]["node"], &answer["record"]["komi"]), (&3.into(), &6.5.into()));
    let human = hasami.run("value go moves.sgf --region 2,2:2,5").expect(0).stdout;
    assert!(human.contains("node 3 of 3, Black to move") && human.contains("komi 6.5"), "{human}");
    assert!(!human.contains("White: play"), "{human}");
    assert_eq!(answer["regions"][0]["value"], "{3|{2|{1|*}}}", "{answer}");
    assert_eq!(answer["assumed"].as_array().unwrap().len(), 2, "{answer}");
    // Places are those of the whole board.
    let black = &answer["moves"]["black"];
    assert_eq!((&black["row"], &black["column"]), (&2.into(), &2.into()), "{answer}");
    hasami.write("wide.txt", "OOOOOO\nOOOOOO\nOXXXXX\nOO...X\nOXXXXX\n");
    let answer = hasami.run("value go wide.txt --region 4,3:4,5 --output json").expect(0).json();
    let black = &answer["moves"]["black"];
    assert_eq!((&black["row"], &black["column"]), (&4.into(), &3.into()), "{answer}");
}

#[test]
fn wrong_boards_are_refused_with_their_place() {
    let hasami = Hasami::new();
    for (text, words) in [
        ("XXX\nX?X\n", "line 2, column 2: found '?'"),
        ("XXX\nX.\n", "line 2, column 3: found a row of 2 points"),
        ("", "line 1, column 1: found no board"),
        ("(;SZ[3]AB[zz])", "line 1, column 2, node 0: found AB[zz]"),
        ("(;SZ[3];B[aa]\n;W[aa])", "line 2, column 1, node 2: White cannot play on aa"),
    ] {
        hasami.write("wrong.txt", text);
        let run = hasami.run("value go wrong.txt").expect(2);
        assert!(run.stderr.contains(words), "{run:#?}");
    }
    hasami.write("board.txt", FIGURE);
    assert!(
        hasami.run("value go board.txt --region 9,9:9,9").expect(2).stderr.contains("rows up to 4")
    );
    assert!(hasami.run("value go board.txt --region x").expect(2).stderr.contains("TOP,LEFT"));
    assert!(hasami.run("value go board.txt --move 3").expect(2).stderr.contains("is a picture"));
    hasami.write("short.sgf", "(;SZ[3];B[aa])");
    assert!(
        hasami.run("value go short.sgf --move 2").expect(2).stderr.contains("ends with node 1")
    );
    hasami.run("value go none.txt").expect(2);
    assert!(hasami.run("value go --help").expect(0).stdout.contains("Examples:"));
}

#[test]
fn a_sweep_of_values_is_certified_and_counted() {
    let hasami = Hasami::new();
    hasami.write(
        "small.toml",
        "name = \"small\"\nproblem = \"value\"\n[parameters]\nfamily = \"go-room\"\nposition = \"0..28\"\n",
    );
    let run = hasami.run("run small.toml --data d -o small.csv").expect(0);
    let table = String::from_utf8(hasami.read("small.csv")).unwrap();
    assert_eq!(table.lines().count(), 29, "{run:#?}");
    assert!(table.lines().skip(1).all(|line| line.contains("answered")), "{table}");
    let certificates = std::fs::read_dir(hasami.path("d/certificates")).unwrap();
    let file = certificates.map(|file| file.unwrap().path()).next().unwrap();
    let file = file.display().to_string();
    let checked = hasami.run(&format!("verify {file} --output json")).expect(0).json();
    assert_eq!(checked["verified"], true);
    let text = std::fs::read_to_string(&file).unwrap();
    let forged = forge(&text);
    hasami.write("forged.value", &forged);
    let refused = hasami.run("verify forged.value").expect(1);
    assert!(refused.stderr.contains("refused"), "{refused:#?}");
    hasami.write("damaged.value", text.replace("value ", "value  "));
    hasami.run("verify damaged.value").expect(2);
}

/// Another value, and a hash that fits.
fn forge(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("sha256"));
    let other =
        |line: &str| if line.starts_with("value ") { "value 12345" } else { line }.to_string();
    let body: Vec<String> = lines.map(other).collect();
    with_hash(format!("{}\n", body.join("\n")))
}
