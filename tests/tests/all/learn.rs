//! `hasami learn`: from no records at all to games, weights and a report; interrupted and gone on;
//! wrong records.

use hasami_tests::Hasami;

const SELF_PLAY: &str = "name = 'games'\nproblem = 'self-play'\n[parameters]\n\
                         directory = 'games'\ngames = 4\nbatch = '0..3'\n";
const LEARN: &str = "learn games -o learned --every 5 --first-ply 30 --nodes 1000 --held-out 3 \
                     --tests 10 --slices 3 --threads 2";

#[test]
fn games_are_played_learned_from_and_reported() {
    let hasami = Hasami::new();
    hasami.write("s.toml", SELF_PLAY);
    hasami.run("run s.toml --data d --workers 2 -o games.csv").expect(0);
    let table = String::from_utf8(hasami.read("games.csv")).expect("text");
    assert!(table.contains("4 games played"), "{table}");

    let sweep = hasami.run(&format!("{LEARN} --sweep")).expect(0).stdout;
    assert!(sweep.contains("problem = \"learning\"") && sweep.contains("stage = \"0..=3\""));

    let told = hasami.run(&format!("{LEARN} --output json")).expect(0).json();
    let report = told["report"].as_str().expect("a path");
    let page = std::fs::read_to_string(report).expect("a report");
    for part in
        ["Table 2", "Table 3", "Tables 4 and 5", "Figure 1", "Figure 4", "learned", "12 games"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("src=") && !page.contains("href="), "it needs no other file");
    let weights = hasami.read("learned/learned.txt");
    // The same command finds everything done, and the same weights.
    hasami.run(LEARN).expect(0);
    assert_eq!(hasami.read("learned/learned.txt"), weights);
    // In another directory, from nothing: the weights do not depend on who computed what.
    let alone = LEARN.replace("-o learned", "-o again").replace("--threads 2", "--threads 1");
    hasami.run(&alone).expect(0);
    assert_eq!(hasami.read("again/learned.txt"), weights);
}

#[test]
fn wrong_records_are_told() {
    let hasami = Hasami::new();
    hasami.run("learn nothing.usi -o d").expect(2).complains(&["nothing.usi: no such file"]);
    hasami.write("empty.usi", "# no game\n");
    let run = hasami.run("learn empty.usi -o d --slices 1").expect(1);
    run.complains(&["expected more games"]);
}

#[test]
fn evaluations_are_named_and_wrong_ones_refused() {
    let hasami = Hasami::new();
    let position = "position=9/9/8k/7R1/7G1/9/9/9/9_b fill-hand=yes --output json";
    for name in ["none", "thumb", "paper-4", "value-1", "learned"] {
        let line = format!("solve shogi {position} --evaluation {name}");
        let answer = hasami.run(&line).expect(0).json();
        assert_eq!(answer["verdict"], "proven", "{name}");
    }
    let wrong = hasami.run(&format!("solve shogi {position} --evaluation best")).expect(2);
    wrong.complains(&["paper-1"]);
    let other = hasami.run("solve chomp rows=2 columns=2 --evaluation learned").expect(2);
    other.complains(&["chomp has no evaluations to choose from"]);
    hasami.write("s.toml", "name = 's'\nproblem = 'chomp'\n[search]\nevaluation = 'thumb'\n");
    let sweep = hasami.run("run s.toml --dry-run").expect(2);
    sweep.complains(&["s.toml:3:1: search: evaluation=thumb", "chomp has no evaluations"]);
}
