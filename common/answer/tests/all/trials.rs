//! Trials: one question in every setting has one verdict, and costs the same every time.

use std::sync::Arc;

use hasami_andor::Control;
use hasami_answer::{Answered, JobError, Place, answer, entry};
use hasami_spec::{ParamError, Question, SearchSettings};
use hasami_sweep::Verdict;

fn question(words: &str) -> Result<Question, ParamError> {
    let spec = entry("trial").unwrap().spec;
    let given = spec.read_words(words.split(' ')).unwrap();
    spec.question(&given, SearchSettings::default())
}

fn tried(words: &str, table_mib: u32) -> Result<Answered, JobError> {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), table_mib);
    answer(&question(words).unwrap(), &place, &Arc::new(Control::unlimited()))
}

const SETTINGS: &[&str] = &[
    "kernel=dfpn",
    "kernel=dfpn epsilon=0 seed=7",
    "kernel=dfpn sum=hybrid",
    "kernel=pds",
    "kernel=pn",
    "kernel=wpns",
    "kernel=multipath",
    "kernel=multipath threads=2 optimized=no amount=constant base=20 leader=1",
    "kernel=multipath threads=4 amount=pn base=50 weight=0.05",
    "kernel=multipath method=dfpn base=20",
    "kernel=multipath adapt=yes threads=6 base=20",
    "kernel=multipath adapt=yes threads=6 base=20 method=dfpn sum=weak",
];

/// The costs too: whoever runs a sweep again gets the same table.
#[test]
fn every_setting_has_the_same_verdict_and_the_same_cost_again() {
    let mut costs = Vec::new();
    for (game, verdict) in [
        ("game=mnk rules=width=4;height=3;line=4", Verdict::Disproven),
        ("game=polyomino rules=shapes=El;board=5x5", Verdict::Proven),
        ("game=shogi rules=position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p", Verdict::Proven),
    ] {
        for setting in SETTINGS {
            let words = format!("{game} {setting} table=8");
            let first = tried(&words, 16).unwrap().answer;
            assert_eq!(first.verdict, verdict, "{words}");
            let mut again = tried(&words, 64).unwrap().answer;
            assert_eq!(again.measures.nodes, first.measures.nodes);
            again.measures = first.measures;
            assert_eq!(first, again, "{words}");
            let cost = |name: &str| {
                let found = first.fields.iter().find(|(key, _)| key == name);
                found.unwrap_or_else(|| panic!("{words}: {name}")).1.parse::<u64>().unwrap()
            };
            assert_eq!(cost("expanded"), first.measures.nodes, "{words}");
            assert!(cost("references") > 0 && cost("proof") > 0, "{words}");
            costs.push((game, cost("expanded")));
        }
    }
    // The settings do reach the search.
    costs.sort_unstable();
    costs.dedup();
    assert!(costs.len() > 10, "{costs:?}");
}

#[test]
fn settings_are_part_of_the_question() {
    let key = |words: &str| question(words).unwrap().settled_key();
    let mut keys: Vec<_> =
        SETTINGS.iter().map(|setting| key(&format!("game=mnk {setting}"))).collect();
    keys.extend(
        ["game=mnk budget=7", "game=mnk seed=3", "game=shogi", "game=shogi evaluation=learned"]
            .map(key),
    );
    let count = keys.len();
    keys.sort_unstable_by_key(ToString::to_string);
    keys.dedup();
    assert_eq!(keys.len(), count);
    assert_eq!(key("game=mnk epsilon=0.50"), key("game=mnk epsilon=0.5"));
    assert_eq!(
        key("game=mnk kernel=multipath leader=1.0"),
        key("game=mnk kernel=multipath leader=1")
    );
}

#[test]
fn a_budget_ends_a_trial_and_says_what_it_has_cost() {
    let open = tried("game=mnk rules=width=5;height=5;line=4 kernel=pds budget=300 table=8", 8);
    let open = open.unwrap().answer;
    assert_eq!(
        (open.verdict, open.claim.as_str()),
        (Verdict::Open, "not settled within 300 nodes")
    );
    assert_eq!(open.fields[0], ("expanded".to_string(), "300".to_string()));
    assert!(open.certificates.is_empty());
}

#[test]
fn what_cannot_be_tried_as_asked_is_not_tried_otherwise() {
    let small = tried("game=mnk table=64", 32).unwrap_err();
    assert!(matches!(&small, JobError::Memory(why) if why.contains("table=64")), "{small}");
    let refused = |words: &str| question(words).unwrap_err().to_string();
    let unknown = refused("game=mnk evaluation=best");
    assert!(unknown.starts_with("evaluation=best: expected usual, or one of none, "), "{unknown}");
    let none = refused("game=mnk evaluation=learned");
    assert!(none.ends_with("mnk has no evaluations to choose from"), "{none}");
    let mut limited = question("game=mnk").unwrap();
    limited.search.budget = Some(7);
    let place = Place::alone(std::env::temp_dir(), 256);
    let other = answer(&limited, &place, &Arc::new(Control::unlimited())).unwrap_err();
    let expected = "trial: budget as a search setting; expected the parameter budget";
    assert_eq!(other.to_string(), expected);
}

#[test]
fn refusals_say_what_was_expected() {
    for (words, expected) in [
        ("game=trial", "game=trial: expected one of polyomino, paving, pyonpyon, mancala, shogi, "),
        ("game=mnk rules=width=99", "rules=width=99: expected width=99: expected a whole number "),
        ("game=mnk rules=wide=4", "rules=wide=4: expected unknown parameter \"wide\"; "),
        ("game=mnk rules=4", "rules=4: expected game mnk: found \"4\"; expected KEY=VALUE "),
        (
            "game=mnk kernel=threads",
            "kernel=threads: expected one of dfpn, pds, multipath, wpns, pn",
        ),
        ("game=mnk threads=2", "threads=2: expected kernel=multipath with it"),
        ("game=mnk kernel=pds adapt=yes", "adapt=yes: expected kernel=multipath with it"),
        (
            "game=mnk kernel=multipath threads=17",
            "threads=17: expected a whole number from 1 to 16",
        ),
        ("game=mnk kernel=multipath weight=-1", "weight=-1: expected a number from 0 to 1000"),
        ("game=mnk kernel=multipath leader=0", "leader=0: expected a number from 0.01 to 1000"),
        ("game=mnk kernel=multipath leader=nan", "leader=nan: expected a number from 0"),
        ("game=mnk kernel=multipath amount=dn", "amount=dn: expected one of constant, pn, pn+dn"),
        (
            "game=mnk kernel=wpns sum=hybrid",
            "sum=hybrid: expected weak, or usual, with kernel=wpns",
        ),
        ("game=mnk epsilon=17", "epsilon=17: expected a number from 0 to 16"),
        ("game=mnk budget=0", "budget=0: expected a whole number from 1"),
    ] {
        let found = question(words).unwrap_err().to_string();
        assert!(found.starts_with(expected), "{words}: {found}");
    }
}
