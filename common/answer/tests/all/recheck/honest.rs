//! What an honest worker says is believed.

use std::sync::Arc;

use hasami_andor::{Control, Verdict};
use hasami_answer::split::{Alone, split};
use hasami_answer::tables::HotTables;
use hasami_answer::{AllowedFiles, Doubt, Limits, Place, answer, check_answer, registry};
use hasami_game::Resources;
use hasami_race::subject::Subject;
use hasami_sweep::Basis;

use super::{CASES, checked, question};

#[test]
fn every_entry_is_among_the_questions() {
    for entry in registry::ENTRIES {
        let name = entry.spec.name;
        assert!(CASES.iter().any(|case| case.question.problem == name), "{name}");
    }
}

#[test]
fn honest_answers_are_believed_for_what_they_rest_on() {
    for case in CASES.iter() {
        let found = checked(&case.question, &case.answer, &case.files);
        let found = found.unwrap_or_else(|doubt| panic!("{}: {doubt}", case.words));
        let expected = match case.sign {
            '=' => Basis::Proved,
            '~' => Basis::Recomputed,
            _ => Basis::Unproved,
        };
        assert_eq!(found.basis, expected, "{}: {found:?}", case.words);
    }
}

#[test]
fn what_no_certificate_proves_is_named() {
    let unproved = |words: &str| {
        let case = CASES.iter().find(|case| case.words == words).unwrap();
        checked(&case.question, &case.answer, &case.files).unwrap().unproved
    };
    // The least number of stones is part of the certificate on a finite board only.
    assert_eq!(unproved("polyomino shapes=El board=4x4"), [""; 0]);
    assert_eq!(unproved("polyomino shapes=Tic board=smallest"), ["board=smallest"]);
    assert_eq!(unproved("quarto position=...0.fd1...2....,c within=shortest"), [""; 0]);
    assert_eq!(unproved("pair shapes=Square,W"), ["none_within"]);
    assert_eq!(unproved("pair shapes=X,I"), [""; 0]);
    let trial = "trial game=mnk rules=width=5;height=3;line=3 kernel=multipath base=10 table=8";
    assert_eq!(unproved(trial), ["expanded", "references"]);
    assert_eq!(unproved("pave shapes=Square,I"), ["smallest period"]);
}

#[test]
fn the_answer_of_a_split_search_is_believed_like_that_of_one_worker() {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), 16);
    for (words, verdict) in [
        ("mnk width=4 height=4 line=3", Verdict::Proven),
        ("mnk width=3 height=2 line=3", Verdict::Disproven),
        ("polyomino shapes=I,L stones=4 window=5x5", Verdict::Disproven),
    ] {
        let question = question(words, directory.path());
        let split = split(&question, &Resources::default()).unwrap();
        let tables = HotTables::new(64, 1);
        let made = split.certify(verdict, &place, &tables, &Control::unlimited(), &Alone).unwrap();
        checked(&question, &made.answer, &made.files).unwrap_or_else(|e| panic!("{words}: {e}"));
    }
}

#[test]
fn a_database_that_is_not_here_makes_the_check_impossible_not_the_answer_false() {
    let directory = tempfile::tempdir().unwrap();
    let goal = hasami_race::mancala::Goal::Either;
    let plan = Subject::Mancala { pits: 6, goal, seeds: 5 }.plan();
    let shards = hasami_database::Shards::new(plan, directory.path(), 1).unwrap();
    let watch = hasami_database::Watch { stop: &|| false, progress: &|_| {} };
    for stage in 0..shards.stages() {
        shards.make(stage, 0, &watch).unwrap();
    }
    shards.join(1, &watch).unwrap();
    let database = shards.target();
    let words =
        format!("mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first database={}", database.display());
    let question = question(&words, directory.path());
    let place = Place::alone(directory.path().join("certificates"), 16);
    let made = answer(&question, &place, &Arc::new(Control::unlimited())).unwrap();
    assert!(made.answer.claim.contains("BLAKE3"), "{}", made.answer.claim);
    let found = checked(&question, &made.answer, &made.files).unwrap();
    assert_eq!(found.basis, Basis::Proved);
    // Nor if the owner of this machine has not allowed it to be opened.
    let limits = Limits::new(1 << 20, &|| false);
    let (resources, nothing) = (Resources::default(), AllowedFiles::default());
    let found = check_answer(&question, &made.answer, &made.files, &resources, &nothing, &limits);
    assert!(matches!(&found, Err(Doubt::Unable(why)) if why.contains("allow-files")), "{found:?}");
    std::fs::rename(database, directory.path().join("elsewhere")).unwrap();
    let found = checked(&question, &made.answer, &made.files);
    assert!(matches!(found, Err(Doubt::Unable(_))), "{found:?}");
}
