//! `puzzles` makes sheets and certificates, and merges what the workers of a sweep have made.

use std::collections::HashSet;

use hasami_tests::Hasami;
use serde_json::Value;

fn lines(hasami: &Hasami, file: &str) -> Vec<Value> {
    let text = String::from_utf8(hasami.read(file)).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn twenty_medium_puzzles_of_five_plies_are_on_the_sheet_and_certified() {
    let hasami = Hasami::new();
    let order = "puzzles make quarto --count 20 --plies 5 --grade medium --seed 7";
    hasami.run(&format!("{order} -o sheet.jsonl --certificates certs")).expect(0);
    let puzzles = lines(&hasami, "sheet.jsonl");
    let keys: HashSet<&str> = puzzles.iter().map(|p| p["key"].as_str().unwrap()).collect();
    assert_eq!((puzzles.len(), keys.len()), (20, 20));
    for puzzle in &puzzles {
        assert_eq!(puzzle["plies"], 5);
        assert_eq!(puzzle["grade"], "medium");
        assert_eq!(puzzle["solutions"].as_array().unwrap().len(), 1);
        assert_eq!(puzzle["line"].as_array().unwrap().len(), 5);
        let file = puzzle["certificate"].as_str().unwrap();
        let checked = hasami.run(&format!("verify certs/{file} --output json")).expect(0).json();
        assert_eq!(checked["verdict"], "proven");
    }
    // The sheet to print has the same puzzles, and nothing else is made of the seed.
    hasami.run(&format!("{order} -o sheet.html --no-certificates")).expect(0);
    let page = String::from_utf8(hasami.read("sheet.html")).unwrap();
    assert_eq!(page.matches("<figure>").count(), 20);
    // A sheet names cells by letter and row: `6 gives 0101` is c2 and a drawn piece.
    let first = puzzles[19]["line"].as_array().unwrap()[0].as_str().unwrap();
    let cell: u8 = first.split(' ').next().unwrap().parse().unwrap();
    let name = format!("{}{}", char::from(b'a' + cell % 4), cell / 4 + 1);
    let solution = page.split("<b>20)</b>").nth(1).expect("the last solution");
    assert!(solution.contains(&format!("<i>1.</i> {name} gives <svg")), "{first}: {solution}");
}

#[test]
fn a_puzzle_can_be_played() {
    let hasami = Hasami::new();
    let answer =
        hasami.run("puzzles make mancala --count 1 --plies 3 --output json").expect(0).json();
    let file = answer["puzzles"][0]["certificate"].as_str().unwrap();
    let played = hasami.run(&format!(
        "play hasami-data/certificates/{file} --opponent random --games 50 --output json"
    ));
    played.expect(0);
}

#[test]
fn puzzles_of_a_sweep_are_merged_each_once() {
    let hasami = Hasami::new();
    hasami.write(
        "small.toml",
        "name='small'\nproblem='puzzles'\n[parameters]\ngame='pyonpyon'\nrules='rows=2;columns=6;home=2'\nplies=5\ncount=10\nbatch='0..4'",
    );
    let run = hasami.run("run small.toml --output json").expect(0);
    hasami.write("results.json", &run.stdout);
    let merged = hasami
        .run("puzzles merge pyonpyon results.json --plies 5 --count 1000 -o all.jsonl")
        .expect(0);
    let puzzles = lines(&hasami, "all.jsonl");
    let keys: HashSet<String> = puzzles.iter().map(|p| p["key"].to_string()).collect();
    assert!(keys.len() == puzzles.len() && puzzles.len() > 10, "{merged:#?}");
    // A merged file can be merged again and printed.
    hasami.run("puzzles merge pyonpyon all.jsonl all.jsonl --plies 5 --count 4 -o s.svg").expect(0);
    assert!(hasami.read("s.svg").starts_with(b"<svg "));
}

#[test]
fn a_sweep_draws_from_a_database() {
    let hasami = Hasami::new();
    let made = "database build pyonpyon --rows 2 --columns 7 --home 2 --threads 1";
    hasami.run(&format!("{made} -o pass.db")).expect(0);
    let sweep = "name='drawn'\nproblem='puzzles'\n[parameters]\ngame='pyonpyon'\nrules='rows=2;columns=7;home=2'\nplies=15\ncount=3\nbatch='0..2'\ndatabase='pass.db'\n";
    hasami.write("s.toml", sweep);
    let run = hasami.run("run s.toml --output json").expect(0);
    hasami.write("results.json", &run.stdout);
    let merged = "puzzles merge pyonpyon results.json --plies 15 --count 6";
    hasami.run(&format!("{merged} -o all.jsonl")).expect(0);
    let digest = blake3::hash(&hasami.read("pass.db")).to_string();
    for puzzle in lines(&hasami, "all.jsonl") {
        assert_eq!((&puzzle["proof"], &puzzle["plies"]), (&"database".into(), &15.into()));
        assert_eq!(puzzle["database"]["blake3"], digest);
    }
    for (change, part) in
        [("method='b'", "method=b: expected no method beside a database"), ("method='usual'", "")]
    {
        hasami.write("m.toml", format!("{sweep}{change}\n"));
        let run = hasami.run("run m.toml --dry-run");
        assert!(run.stderr.contains(part), "{run:#?}");
    }
    hasami.write("gone.toml", sweep.replace("pass.db", "gone.db"));
    let run = hasami.run("run gone.toml").expect(1);
    assert!(run.stderr.contains("gone.db"), "{run:#?}");
}

#[test]
fn what_cannot_be_made_is_said() {
    let hasami = Hasami::new();
    for (words, part) in [
        ("qarto", "did you mean \"quarto\"?"),
        ("chomp", "expected one of pyonpyon, mancala, quarto"),
        ("quarto --plies 9-5", "expected plies like 5, or a range like 5-9"),
        ("quarto --plies 2", "with an odd number in it"),
        ("quarto -o sheet.pdf", "ends in .html, .svg, .txt or .jsonl"),
        ("quarto --method passing", "nobody passes in quarto"),
        ("quarto colour=red", "unknown parameter \"colour\""),
    ] {
        let run = hasami.run(&format!("puzzles make {words}")).expect(2);
        assert!(run.stderr.contains(part), "{words}: {run:#?}");
    }
    hasami.run("puzzles merge quarto nowhere.jsonl").is_bad_input(&["nowhere.jsonl"]);
    hasami.write("bad.jsonl", "{\"game\":\"quarto\"}\n");
    let run = hasami.run("puzzles merge quarto bad.jsonl").expect(2);
    assert!(run.stderr.contains("bad.jsonl: line 1: expected a puzzle with"), "{run:#?}");
    // Few positions are won in thirteen plies: two attempts find none.
    let order = "puzzles make quarto --plies 13 --attempts 2";
    let none = hasami.run(&format!("{order} -o none.html")).expect(3);
    assert!(none.stdout.is_empty() && none.stderr.contains("found 0 of 20 puzzles"), "{none:#?}");
    assert!(!hasami.path("none.html").exists(), "an empty sheet is of no use");
    assert_eq!(hasami.run(order).expect(3).stdout, "");
    let told = hasami.run(&format!("{order} --output json")).expect(3).json();
    assert_eq!(told["puzzles"].as_array().map(Vec::len), Some(0));
}

#[test]
fn puzzles_are_drawn_from_a_database_and_say_what_proves_them() {
    let hasami = Hasami::new();
    for rule in ["pass", "draw"] {
        let made = "database build pyonpyon --rows 2 --columns 7 --home 2 --threads 1";
        hasami.run(&format!("{made} --no-move {rule} -o {rule}.db")).expect(0);
    }
    let order = "puzzles make pyonpyon rows=2 columns=7 home=2 --plies 9 --count 5";
    let order = format!("{order} --database pass.db --database draw.db --rule-proof");
    hasami.run(&format!("{order} -o all.jsonl --certificates certs")).expect(0);
    let puzzles = lines(&hasami, "all.jsonl");
    assert_eq!(puzzles.len(), 5);
    for puzzle in &puzzles {
        assert_eq!(
            (&puzzle["proof"], puzzle["rule_proof"].as_bool()),
            (&"certificate".into(), Some(true))
        );
        let file = puzzle["certificate"].as_str().unwrap();
        hasami.run(&format!("verify certs/{file}")).expect(0);
    }
    // Where the search has no time, the database is the proof, and the sheet says so.
    hasami.run(&format!("{order} --nodes 1 -o few.jsonl")).expect(0);
    let sum = puzzles[0]["database"]["blake3"].as_str().unwrap();
    for (puzzle, same) in lines(&hasami, "few.jsonl").iter().zip(&puzzles) {
        assert_eq!((&puzzle["proof"], &puzzle["certificate"]), (&"database".into(), &Value::Null));
        assert_eq!(
            (&puzzle["key"], puzzle["database"]["blake3"].as_str()),
            (&same["key"], Some(sum))
        );
    }
    let merged = "--plies 9 --rule-proof";
    let sheet = hasami.run(&format!("puzzles merge pyonpyon few.jsonl {merged}")).expect(0);
    assert!(sheet.stdout.contains(&format!("No certificate for 1, 2, 3, 4, 5: the proof is the database pyonpyon rows=2 columns=7 home=2 no-move=pass, BLAKE3 {sum}.")), "{sheet:#?}");
    let sheet = hasami.run(&format!("puzzles merge pyonpyon all.jsonl {merged}")).expect(0);
    assert!(!sheet.stdout.contains("BLAKE3"), "{sheet:#?}");
    for (words, part) in [
        ("pyonpyon --database pass.db", "expected pyonpyon rows=3 columns=9 home=3 no-move=pass"),
        ("pyonpyon rows=2 columns=7 home=2 --database pass.db --rule-proof", "no-move=draw"),
        ("pyonpyon --database nowhere.db", "nowhere.db"),
        ("quarto --database pass.db", "puzzles of quarto are not drawn from a database"),
        ("pyonpyon --database pass.db --method b", "cannot be used with"),
    ] {
        let run = hasami.run(&format!("puzzles make {words}")).expect(2);
        assert!(run.stderr.contains(part), "{words}: {run:#?}");
    }
}
