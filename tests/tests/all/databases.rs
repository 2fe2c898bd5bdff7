//! `database` and `query`: building, looking up, going on after a kill, refusing what is damaged.
//! Values of the figures are those of Ogawa, Koizumi and Otsuki.

use hasami_tests::Hasami;
use serde_json::Value;

#[test]
fn a_position_is_looked_up_with_all_its_moves() {
    let hasami = Hasami::new();
    let built =
        "database build pyonpyon --rows 1 --no-move draw --threads 2 -o one.db --output json";
    let built = hasami.run(built).expect(0).json();
    assert_eq!(built["values"], 1680);
    assert_eq!(built["rules"], "rows=1 columns=9 home=3 no-move=draw");
    // The row of figure 7 that is not home yet: five plies, and only one move wins.
    let told = hasami.run("database query one.db GG.SS.G.S:first --output json").expect(0).json();
    assert_eq!((&told["outcome"], &told["plies"]), (&"win".into(), &5.into()));
    let wins: Vec<_> =
        told["moves"].as_array().unwrap().iter().filter(|mv| mv["outcome"] == "win").collect();
    assert_eq!(wins.len(), 1);
    assert_eq!(wins[0]["move"], "4");
    let quiet = hasami.run("database query one.db GG.SS.G.S --output quiet").expect(0);
    assert_eq!(quiet.stdout, "win in 5 plies\n");
    let human = hasami.run("database query one.db GG.SS.G.S").expect(0).stdout;
    assert!(
        human.contains("GG.SS.G.S\nfirst player to move\nwin in 5 plies\n     4  win"),
        "{human}"
    );
    hasami.run("database query one.db GG.SS.G.X").is_bad_input(&["column 9", "expected S, G or ."]);
    hasami.run("database query one.db GG.SS.G.S/GGG...SSS").is_bad_input(&["expected", "1 rows"]);
}

#[test]
fn endings_of_mancala_are_looked_up_and_settle_a_search() {
    let hasami = Hasami::new();
    hasami.run("database build mancala --seeds 8 -o endings.db").expect(0);
    let told =
        hasami.run("database query endings.db 1,0,1,1,1,0/0,1,0,1,0,1 --output quiet").expect(0);
    assert_eq!(told.stdout, "win in 7 plies\n");
    hasami
        .run("database query endings.db start")
        .is_bad_input(&["expected at most 8 seeds, not 48"]);
    let question = "position=2,0,1,1,1,0/0,2,0,1,0,2 goal=either";
    let plain = hasami.solve(&format!("mancala {question}"));
    let helped = hasami.solve(&format!("mancala {question} database=endings.db"));
    assert_eq!(plain["verdict"], helped["verdict"]);
    // The certificate says what it rests on, and is checked with that file and no other.
    let digest = blake3::hash(&hasami.read("endings.db")).to_string();
    assert_eq!(
        (&helped["database"]["blake3"], &plain["database"]),
        (&digest.as_str().into(), &Value::Null)
    );
    assert!(helped["claim"].as_str().unwrap().ends_with("is right"), "{helped}");
    let line =
        format!("solve mancala {question} database=endings.db --certificate c --output json");
    hasami.run(&line).expect(0);
    hasami.run("verify c").is_bad_input(&[&digest, "--database"]);
    let verified = hasami.run("verify c --database endings.db --output json").expect(0).json();
    assert_eq!(verified["database"]["blake3"], digest);
    assert_eq!(verified["database"]["about"], "mancala pits=6 goal=either up-to=8");
    std::fs::rename(hasami.path("endings.db"), hasami.path("moved.db")).unwrap();
    hasami.run("verify c --database endings.db").is_bad_input(&["endings.db", "No such file"]);
    hasami.run("verify c --database moved.db").expect(0);
    hasami.run("database build mancala --seeds 7 -o endings.db").expect(0);
    hasami.run("verify c --database endings.db").is_bad_input(&[&digest]);
    hasami.run("solve mancala position=0,1,0,2,0,1/0,0,0,1,0,1 --certificate plain").expect(0);
    hasami.run("verify plain --database moved.db").is_bad_input(&["--database", "rests on none"]);
    std::fs::rename(hasami.path("moved.db"), hasami.path("endings.db")).unwrap();
    hasami
        .run("solve mancala goal=own database=endings.db")
        .is_bad_input(&["database", "expected mancala pits=6 goal=own"]);
}

#[test]
fn a_killed_build_goes_on_to_the_same_file() {
    let hasami = Hasami::new();
    let line = "database build mancala --seeds 13 --threads 1 -o";
    hasami.run(&format!("{line} straight.db")).expect(0);
    for _ in 0..3 {
        let process = hasami.spawn("building", &[], &format!("{line} broken.db"));
        std::thread::sleep(std::time::Duration::from_millis(100));
        process.kill();
    }
    if !hasami.path("broken.db").exists() {
        hasami.run(&format!("{line} broken.db")).expect(0);
    }
    assert_eq!(hasami.read("broken.db"), hasami.read("straight.db"));
    hasami.run(&format!("{line} broken.db")).is_bad_input(&["there already"]);
}

#[test]
fn what_is_damaged_is_refused() {
    let hasami = Hasami::new();
    hasami.run("database build pyonpyon --rows 2 --columns 7 --home 2 -o two.db").expect(0);
    let bytes = hasami.read("two.db");
    hasami.write("cut.db", &bytes[..bytes.len() - 1]);
    hasami.run("database query cut.db start").is_bad_input(&["cut.db", "not whole"]);
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    hasami.write("changed.db", changed);
    hasami.run("database query changed.db start").is_bad_input(&["changed.db", "damaged"]);
    hasami.write("text.db", "no database");
    hasami.run("database query text.db start").is_bad_input(&["text.db", "no database"]);
    hasami.run("database query nothing.db start").is_bad_input(&["nothing.db"]);
    hasami
        .run("database build pyonpyon --columns 6 -o x.db")
        .is_bad_input(&["--home 3", "expected at most 2"]);
}

#[test]
fn the_shortest_win_comes_with_both_halves_and_can_be_played() {
    let hasami = Hasami::new();
    for question in [
        "pyonpyon position=GG.SS.G.S/GGG...SSS/GGG...SSS within=shortest",
        "mancala position=0,1,0,2,0,1/0,0,0,1,0,1 within=shortest",
    ] {
        let answer =
            hasami.run(&format!("solve {question} --certificate c --output json")).expect(0);
        assert_eq!(answer.json()["verdict"], "proven");
        let both = hasami.run("verify c --output json").expect(0).json();
        assert_eq!((&both["verdict"], &both["claim"]), (&"proven".into(), &"least".into()));
        assert!(!hasami.path("c.below").exists(), "both halves are in one file");
        hasami.run("play c --opponent random --games 20").expect(0);
    }
}

/// A value of a small database changed, in blocks with right checksums: the bytes are those of
/// `docs/certificates-values.md`.
#[test]
fn a_database_is_checked_by_its_rules_alone() {
    let hasami = Hasami::new();
    hasami.run("database build mancala --pits 2 --seeds 9 --goal own -o good.db").expect(0);
    let whole = hasami.run("database check good.db --all --output json").expect(0).json();
    assert_eq!((&whole["consistent"], &whole["all"]), (&true.into(), &true.into()));
    // C(9 + 4, 4).
    assert_eq!((&whole["values"], &whole["checked"]), (&715.into(), &715.into()));
    assert_eq!(whole["blake3"], blake3::hash(&hasami.read("good.db")).to_string());
    let human = hasami.run("database check good.db --sample 1000 --seed 5").expect(0).stdout;
    for words in ["consistent: 1,000 of 715 values, drawn with --seed 5", "at most 0.6884 %"] {
        assert!(human.contains(words), "{human}");
    }
    let quiet = hasami.run("database check good.db --all --output quiet").expect(0);
    assert_eq!(quiet.stdout, "consistent\n");

    let bytes = hasami.read("good.db");
    let length = u32::from_le_bytes(bytes[16..20].try_into().unwrap()) as usize;
    let header = &bytes[..36 + length];
    let block = u32::from_le_bytes(bytes[header.len()..][..4].try_into().unwrap()) as usize;
    let packed = &bytes[header.len() + 12..][..block];
    let mut values = zstd::bulk::decompress(packed, 715).unwrap();
    values[700] ^= 2;
    let packed = zstd::bulk::compress(&values, 1).unwrap();
    let sum = |parts: &[&[u8]], length: usize| {
        blake3::hash(&parts.concat()).as_bytes()[..length].to_vec()
    };
    let mut forged = header.to_vec();
    forged.extend((packed.len() as u32).to_le_bytes());
    forged.extend(sum(&[&0u64.to_le_bytes(), &packed], 8));
    forged.extend(&packed);
    let end = (forged.len() as u64).to_le_bytes();
    let index = [(header.len() as u64).to_le_bytes(), end].concat();
    let tail = sum(&[header, &index], 16);
    forged.extend(index);
    forged.extend(tail);
    forged.extend(b"end of database\n");
    hasami.write("forged.db", &forged);
    hasami
        .run("database check forged.db --all")
        .expect(1)
        .complains(&["forged.db: mancala pits=2 goal=own up-to=9: value 700, of", "follows"]);
    hasami.write("cut.db", &bytes[..bytes.len() - 1]);
    hasami.run("database check cut.db").is_bad_input(&["cut.db"]);
    hasami.run("database check good.db --all --sample 3").expect(2);
}
