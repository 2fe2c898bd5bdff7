//! Every lie about every entry is refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_andor::Control;
use hasami_andor::certificate::read_asked;
use hasami_answer::{Doubt, Place, answer};
use hasami_game::random::SplitMix;
use hasami_sweep::{Answer, Basis, Verdict};

use super::{CASES, Case, checked};

const VERDICTS: [Verdict; 4] =
    [Verdict::Proven, Verdict::Disproven, Verdict::Answered, Verdict::Open];

/// Asserts that an answer is refused.
fn refused(case: &Case, lie: &str, answer: &Answer, files: &[PathBuf]) {
    match checked(&case.question, answer, files) {
        Err(Doubt::Refused(_)) => {}
        other => panic!("{}: {lie}: {other:?}\n{answer:?}", case.words),
    }
}

/// The honest answer with another list of certificates.
fn with_files(case: &Case, lie: &str, files: Vec<PathBuf>) {
    let certificate = case.answer.certificates.first().cloned();
    let certificate = certificate.unwrap_or_else(|| hasami_sweep::Certificate {
        name: "c".to_string(),
        digest: [0; 32],
        bytes: 0,
    });
    let answer = Answer { certificates: vec![certificate; files.len()], ..case.answer.clone() };
    refused(case, lie, &answer, &files);
}

#[test]
fn another_verdict_is_refused() {
    for case in CASES.iter() {
        for verdict in VERDICTS.into_iter().filter(|verdict| *verdict != case.answer.verdict) {
            let answer = Answer { verdict, ..case.answer.clone() };
            refused(case, verdict.word(), &answer, &case.files);
        }
    }
}

#[test]
fn other_words_are_refused() {
    for case in CASES.iter() {
        let claim = &case.answer.claim;
        let digits = claim.char_indices().filter(|(_, sign)| sign.is_ascii_digit());
        let counted = digits.map(|(at, digit)| {
            let other = if digit == '9' { "8" } else { "9" };
            format!("{}{other}{}", &claim[..at], &claim[at + 1..])
        });
        let mut words: Vec<String> = counted.collect();
        words.push(String::new());
        words.push(format!("{claim} "));
        words.push(format!("{claim}\u{202e}"));
        words.push(claim.replace("not ", "").replace("winner", "loser") + "!");
        for claim in words {
            refused(case, "words", &Answer { claim, ..case.answer.clone() }, &case.files);
        }
    }
}

type Fields = Vec<(String, String)>;

#[test]
fn other_columns_are_refused() {
    for case in CASES.iter() {
        let fields = &case.answer.fields;
        let lie = |what: &str, change: &dyn Fn(&mut Fields)| {
            let mut answer = case.answer.clone();
            change(&mut answer.fields);
            if answer != case.answer {
                refused(case, what, &answer, &case.files);
            }
        };
        lie("a column more", &|fields| fields.push(("more".to_string(), "1".to_string())));
        for at in 0..fields.len() {
            let name = &fields[at].0;
            lie(&format!("{name} left out"), &|fields| drop(fields.remove(at)));
            lie(&format!("{name} twice"), &|fields| fields.insert(at, fields[at].clone()));
            lie(&format!("{name} renamed"), &|fields| fields[at].0.push('s'));
            lie(&format!("{name} first"), &|fields| fields.swap(0, at));
            // Nobody can know these.
            if is_trusted(case, name) {
                continue;
            }
            lie(&format!("{name} longer"), &|fields| fields[at].1.push('1'));
            lie(&format!("{name} empty"), &|fields| fields[at].1.clear());
            lie(&format!("{name} with a sign"), &|fields| fields[at].1.insert(0, '+'));
        }
    }
}

/// Columns that only the sender knows, and that the words do not repeat.
fn is_trusted(case: &Case, name: &str) -> bool {
    match case.question.problem.as_str() {
        "trial" => ["expanded", "references"].contains(&name),
        "learning" => ["broken", "unsettled", "moves"].contains(&name),
        "self-play" => name == "mates",
        "value" => case.answer.verdict == Verdict::Open,
        "mancala-database" | "pyonpyon-database" => ["bytes", "blake3"].contains(&name),
        _ => false,
    }
}

#[test]
fn certificates_left_out_exchanged_or_added_are_refused() {
    for case in CASES.iter().filter(|case| !case.files.is_empty()) {
        let refused_with = |lie: &str, files: Vec<PathBuf>| with_files(case, lie, files);
        refused_with("none", Vec::new());
        for at in 0..case.files.len() {
            let mut files = case.files.clone();
            files.remove(at);
            refused_with("one left out", files);
            let mut files = case.files.clone();
            files.push(files[at].clone());
            refused_with("one twice", files);
        }
        if case.files.len() > 1 {
            let mut files = case.files.clone();
            files.reverse();
            refused_with("exchanged", files);
        }
        let answer = Answer { certificates: Vec::new(), ..case.answer.clone() };
        refused(case, "none listed", &answer, &case.files);
    }
}

#[test]
fn certificates_of_other_questions_are_refused() {
    let mut random = SplitMix::new(16);
    for case in CASES.iter() {
        for other in CASES.iter().filter(|other| other.words != case.words) {
            // Making puzzles again takes long.
            if case.question.problem == "puzzles" && random.below(8) > 0 {
                continue;
            }
            for file in &other.files {
                // Those of the same game in every place, others in one.
                let places = match other.question.problem == case.question.problem {
                    true => (0..case.files.len().max(1)).collect(),
                    false => vec![random.below(case.files.len().max(1) as u32) as usize],
                };
                for place in places {
                    let mut files = case.files.clone();
                    files.truncate(place);
                    files.push(file.clone());
                    files.extend(case.files.iter().skip(place + 1).cloned());
                    if !is_about_the_same(case.files.get(place), file) {
                        with_files(case, other.words, files);
                    }
                }
            }
        }
    }
}

/// Two questions may share a part, such as the square of a pair.
fn is_about_the_same(one: Option<&PathBuf>, other: &Path) -> bool {
    let asked = |file: &Path| read_asked(file).ok().map(|(_, headers)| headers[0].asked.clone());
    one.is_some_and(|one| asked(one).is_some() && asked(one) == asked(other))
}

#[test]
fn the_whole_answer_to_another_question_is_refused() {
    let mut random = SplitMix::new(17);
    for case in CASES.iter() {
        for other in CASES.iter().filter(|other| other.words != case.words) {
            let same_problem = other.question.problem == case.question.problem;
            if !same_problem && random.below(8) > 0 {
                continue;
            }
            if other.sign == '?' {
                // What rests on its sender's word may fit two questions. It counts as no more.
                let found = checked(&case.question, &other.answer, &other.files);
                let believed = found.is_ok_and(|found| found.basis != Basis::Unproved);
                assert!(!believed, "{}: {}", case.words, other.words);
            } else {
                refused(case, other.words, &other.answer, &other.files);
            }
        }
    }
}

#[test]
fn a_verdict_without_a_certificate_is_refused_where_the_search_found_none() {
    for case in CASES.iter().filter(|case| case.files.is_empty()) {
        for verdict in [Verdict::Proven, Verdict::Disproven] {
            for claim in [case.answer.claim.clone(), verdict.word().to_string()] {
                let answer = Answer { verdict, claim, fields: Vec::new(), ..case.answer.clone() };
                refused(case, "no certificate", &answer, &[]);
            }
        }
    }
}

#[test]
fn whoever_gives_up_a_question_without_a_limit_has_not_answered_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut given_up = 0;
    // The budget of a pair has a default.
    let unlimited =
        |case: &&Case| case.question.search.budget.is_none() && case.question.problem != "pair";
    for (at, case) in CASES.iter().enumerate().filter(|(_, case)| unlimited(case)) {
        for budget in [1, 20] {
            let mut question = case.question.clone();
            question.search.budget = Some(budget);
            let place = Place::alone(directory.path().join(format!("{at}-{budget}")), 16);
            // Jobs may be unable to do anything with so little.
            let limited = answer(&question, &place, &Arc::new(Control::unlimited()));
            let Ok(limited) = limited else { continue };
            let open = limited.answer.verdict == Verdict::Open;
            if open && limited.answer.claim != case.answer.claim {
                refused(case, "given up", &limited.answer, &limited.files);
                given_up += 1;
            }
        }
    }
    assert!(given_up > 10, "{given_up}");
}
