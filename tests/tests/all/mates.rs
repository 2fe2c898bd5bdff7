//! Mate problems as a composer has them: collections with broken lines, both lengths, other
//! solutions, records and diagrams.

use hasami_tests::Hasami;
use serde_json::Value;

/// Five plies; the second program of `common/games/shogi/tests` finds the same.
const FIVE: &str = "9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1";
/// The rook mates from afar, on the rank or on the file; a pawn between is taken.
const DISTANT: &str = "8k/9/6NG1/9/R8/9/9/9/9 b p 1";

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

#[test]
fn a_collection_goes_on_after_broken_lines() {
    let hasami = Hasami::new();
    let text = format!(
        "# comment\n{FIVE}\t5\tfive\nnonsense\tbroken\n\n{DISTANT}\t3\tdistant\n\
         9/9/8k/8P/8P/9/9/9/9 b - 1\ttwo pawns\n8k/9/9/9/9/9/9/9/9 b P 1\t-\tnone\n"
    );
    hasami.write("p.sfen", text);
    let line = "solve shogi --file p.sfen within=shortest --budget 100k --certificates c";
    let run = hasami.run(&format!("{line} --output json -o t.csv")).expect(2);
    let run = run.complains(&["2 of 5 problems were refused"]);
    let found = rows(&run.stdout);
    let column = |name: &str| found.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("line"), [2, 3, 5, 6, 7]);
    assert_eq!(column("verdict"), ["proven", "refused", "proven", "refused", "disproven"]);
    assert_eq!(column("name")[0], "five");
    assert_eq!((&column("moves")[0], &column("moves")[2]), (&5.into(), &3.into()));
    assert_eq!(column("moves_without_futile")[2], 1);
    assert_eq!(
        column("as_expected"),
        [true.into(), Value::Null, true.into(), Value::Null, true.into()]
    );
    assert!(found[3]["error"].as_str().is_some_and(|why| why.contains("file 1")), "{}", found[3]);
    let csv = String::from_utf8(hasami.read("t.csv")).expect("text");
    assert_eq!(csv.lines().count(), 6, "{csv}");

    let people = hasami.run(line).expect(2);
    let people = people.complains(&["p.sfen:3: ", "p.sfen:6: "]);
    assert!(people.stdout.contains("5 problems: 2 proven, 1 disproven, 0 unknown, 2 refused"));
    let quiet = hasami.run(&format!("{line} --output quiet")).expect(2);
    assert_eq!(quiet.stdout, "proven\nrefused\nproven\nrefused\ndisproven\n");
}

#[test]
fn a_line_comes_with_both_lengths_and_its_record_can_be_read_again() {
    let hasami = Hasami::new();
    let position = FIVE.replace(' ', "_");
    let line = format!("solve shogi position={position} within=shortest --output json");
    let answer = hasami.run(&format!("{line} -o mate.kif")).expect(0).json();
    assert_eq!(answer["moves"], 5);
    let without = answer["moves_without_futile"].as_u64().expect("a length");
    let solution = answer["solution"].as_array().expect("a line");
    assert_eq!(solution.len() as u64, without);
    let kif = String::from_utf8(hasami.read("mate.kif")).expect("text");
    assert!(kif.contains("詰み") && kif.contains("変化："), "{kif}");
    // The record asks about the position before its moves.
    let again = hasami.run("solve shogi --file mate.kif within=shortest --output json").expect(0);
    let again = rows(&again.stdout).swap_remove(0);
    assert_eq!(again["id"], answer["id"]);
    let certificate = answer["certificate"].as_str().expect("a file");
    let verify = |out: &str| hasami.run(&format!("verify {certificate} -o {out}"));
    let _ = (verify("a.kif").expect(0), verify("a.svg").expect(0));
    assert!(hasami.read("a.svg").starts_with(b"<svg "));
    let _ = verify("a.csv").expect(2);
}

#[test]
fn other_solutions_have_certificates() {
    let hasami = Hasami::new();
    let position = DISTANT.replace(' ', "_");
    let line = format!("solve shogi position={position} --output json --certificates c");
    let _ = hasami.run(&format!("{line} --flaws")).expect(2);
    let answer =
        hasami.run(&format!("{line} within=shortest --flaws --budget 100k")).expect(0).json();
    // The rook mates on the rank and on the file, and that is the last move.
    assert_eq!(answer["flaws"], Value::Array(Vec::new()), "{answer}");
    assert_eq!(answer["unique"], true, "{answer}");
    let tolerated = answer["tolerated"].as_array().expect("a list");
    assert!(tolerated.len() >= 2, "{answer}");
    for mate in tolerated {
        assert_eq!((&mate["ply"], &mate["kind"]), (&1.into(), &"last move".into()));
        let file = mate["certificate"].as_str().expect("a file");
        let checked = hasami.run(&format!("verify {file} --output json")).expect(0).json();
        assert_eq!(checked["verdict"], "proven");
        let after = checked["problem"].as_str().expect("a question");
        assert!(after.contains("attacker=other"), "{after}");
    }
}

#[test]
fn a_sweep_takes_the_lines_of_a_file() {
    let hasami = Hasami::new();
    hasami.write("p.sfen", format!("{FIVE}\t5\n# no\n{DISTANT}\t3\n"));
    let sweep = |value: &str| {
        format!(
            "name = \"lines\"\nproblem = \"shogi\"\nkind = \"map\"\n[[zip]]\n\
             position = {{ lines = \"p.sfen\" }}\nwithin = {{ lines = \"p.sfen\", column = {value} }}\n"
        )
    };
    hasami.write("s.toml", sweep("2"));
    let _ = hasami.run("run s.toml -o t.csv").expect(0);
    let csv = String::from_utf8(hasami.read("t.csv")).expect("text");
    assert_eq!(csv.lines().filter(|line| line.contains(",proven,")).count(), 2, "{csv}");
    assert!(csv.lines().next().is_some_and(|head| head.contains("moves_without_futile")), "{csv}");
    hasami.write("p.sfen", format!("{FIVE}\t5\n8k/9 b - 1\t3\n"));
    let _ = hasami.run("run s.toml").expect(2).complains(&["p.sfen:2:1: "]);
}
