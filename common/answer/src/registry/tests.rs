use hasami_spec::{ParamError, Question, SearchSettings};

use super::*;

fn question(name: &str, words: &str) -> Result<Question, ParamError> {
    let spec = CATALOG.find(name).unwrap();
    let pairs = spec.read_words(words.split_whitespace()).unwrap();
    spec.question(&pairs, SearchSettings::default())
}

#[test]
fn the_example_of_every_entry_works() {
    for spec in CATALOG.iter() {
        let (name, words) = spec.example.split_once(' ').unwrap();
        assert_eq!(name, spec.name);
        let asked = question(name, words);
        assert!(asked.is_ok(), "{}: {asked:?}", spec.example);
    }
}

#[test]
fn every_entry_has_a_name_and_keys_of_its_own() {
    for (at, entry) in ENTRIES.iter().enumerate() {
        let spec = entry.spec;
        assert!(ENTRIES[..at].iter().all(|other| other.spec.name != spec.name));
        assert!(!spec.about.contains('\n') && !spec.about.is_empty());
        assert!(spec.words.is_none_or(|words| spec.params.iter().any(|p| p.name == words)));
        for (at, param) in spec.params.iter().enumerate() {
            assert!(spec.params[..at].iter().all(|other| other.name != param.name));
            assert!(!param.help.is_empty());
        }
    }
}

/// Verdicts in the store hold on every path, so a game whose states repeat can be split too. The
/// shortest mate cannot: its searches come one after the other.
#[test]
fn every_game_can_be_split_and_one_question_cannot() {
    struct Splits;
    impl Visitor for Splits {
        type Output = bool;
        fn visit<G: Game>(self, _: G, params: &Params) -> bool {
            G::SPEC.splits(params)
        }
    }
    let set = |key: &str, value: &str| [(key.to_string(), value.to_string())];
    assert!(visit("graph", &set("shape", "cyclic"), Splits).unwrap());
    for game in games() {
        assert!(visit(game.spec.name, &[], Splits).unwrap(), "{}", game.spec.name);
    }
    assert!(!visit("shogi", &set("within", "shortest"), Splits).unwrap());
}

#[test]
fn plain_words_are_the_value_of_the_parameter_that_takes_them() {
    let read = |name, words: &str| CATALOG.find(name).unwrap().read_words(words.split(' '));
    let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
    assert_eq!(
        read("paving", "I board=6x6 ##/##"),
        Ok(vec![pair("board", "6x6"), pair("shapes", "I,##/##")])
    );
    assert_eq!(
        read("chomp", "rows=3 many").unwrap_err(),
        "game chomp: found \"many\"; expected KEY=VALUE with one of the keys rows, columns"
    );
}

#[test]
fn equal_sets_of_shapes_are_one_question() {
    let key = |words| question("pair", words).unwrap().settled_key();
    assert_eq!(key("shapes=Square,W"), key("shapes=w,##/##"));
    assert_ne!(key("shapes=Square,W"), key("shapes=Square,Z"));
    let asked = question("polyomino", "shapes=I,square stones=5").unwrap();
    assert_eq!(asked.params[0].1, "Square,I");
}

#[test]
fn the_order_of_a_pair_is_that_of_the_table_of_yakuwa_et_al() {
    let spelled = question("pair", "shapes=ZZ,Z").unwrap().spelled();
    assert_eq!(spelled, "pair shapes=Z,ZZ most-stones=12");
}

#[test]
fn refusals_say_what_was_expected() {
    for (name, words, expected) in [
        (
            "pair",
            "shapes=Square",
            "shapes=Square: expected two different shapes with a comma between",
        ),
        ("pair", "shapes=I,L most-stones=0", "most-stones=0: expected a whole number from 1 to 60"),
        (
            "pair",
            "",
            "parameter \"shapes\" is missing; expected shapes=TEXT (two polyominoes, names or pictures with a comma between: Square,W)",
        ),
        ("pave", "shapes=I max-area=5000", "max-area=5000: expected a whole number from 1 to 4096"),
        (
            "pavings",
            "shapes=I period=4x",
            "period=4x: expected ROWSxCOLUMNS or ROWSxCOLUMNS+SHIFT, like 2x4 or 1x4+1 (\"\" is no number of columns)",
        ),
        ("pavings", "shapes=I period=4x4 list=on", "list=on: expected one of yes, no"),
        ("chomp", "rows=99", "rows=99: expected a whole number from 1 to 16"),
        ("mancala", "replies=pass database=x", "database=x: expected replies=real with it"),
    ] {
        assert_eq!(question(name, words).unwrap_err().to_string(), expected);
    }
    let wrong = entry("polyonimo").err().unwrap().to_string();
    assert!(wrong.starts_with("found \"polyonimo\"; expected one of polyomino, paving"), "{wrong}");
    assert!(wrong.ends_with("value; did you mean \"polyomino\"?"), "{wrong}");
}

#[test]
fn a_check_needs_no_file_and_finds_what_the_rules_would_refuse() {
    // A missing database is found when the game is built.
    assert!(question("mancala", "database=/nowhere/at/all").is_ok());
    assert!(question("pyonpyon-database", "directory=/nowhere slices=2 stage=0 slice=0").is_ok());
    for (name, words) in [
        ("pyonpyon", "position=GG.SS.G.S/GGG...SSS"),
        ("pyonpyon", "position=GGG...SSX/GGG...SSS/GGG...SSS"),
        ("pyonpyon", "within=0"),
        ("mancala", "position=1,2/3"),
        ("quarto", "position=0000............,1"),
        ("polyomino", "shapes=Nothing"),
        ("polyomino", "board=99x99"),
        ("graph", "branching=0"),
        ("mnk", "width=9 height=9"),
    ] {
        assert!(question(name, words).is_err(), "{name} {words}");
    }
}
