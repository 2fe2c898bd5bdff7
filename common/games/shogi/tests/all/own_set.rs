//! The repository's own problems: random positions whose lengths the second program has found.

use hasami_andor::{Control, Job, Kernel, Options, Search, Table, Verdict};
use hasami_shogi::sfen;
use hasami_trials::certified::certify;

use crate::asked::{asked, search, settle};
use crate::{plain, random};

const SET: &str = include_str!("../data/mates.sfen");

/// How many of each length the set has.
const EACH: usize = 20;

/// Makes the set anew: `cargo test --release -p hasami-shogi -- --ignored make_the_set --nocapture`.
#[test]
#[ignore = "prints a new set"]
fn make_the_set() {
    let mut random = fastrand::Rng::with_seed(2026);
    let mut found: [Vec<String>; 5] = Default::default();
    while found.iter().any(|list| list.len() < EACH) {
        let position = random::problem(&mut random);
        let text = sfen::write(&position);
        let Ok(length) = plain::shortest(&text, 7, 5_000) else { continue };
        let list = &mut found[length.map_or(4, |length| length as usize / 2)];
        // Without a mate only where that holds for every length.
        let none = || search(&asked(&position, "any"), 200_000).0 == Some(Verdict::Disproven);
        let worth = position.has_check() && (length.is_some() || none());
        if list.len() < EACH && worth {
            list.push(text);
        }
    }
    println!("# sfen<TAB>shortest mate in plies, or -");
    for (list, length) in found.iter().zip(["1", "3", "5", "7", "-"]) {
        list.iter().for_each(|text| println!("{text}\t{length}"));
    }
}

#[test]
fn the_own_problems_have_their_lengths() {
    let lines = SET.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        let (text, length) = line.split_once('\t').expect("a position and a length");
        let position = sfen::read(text).expect("an SFEN");
        let length: Option<u32> = length.parse().ok();
        for plies in [1, 3, 5, 7] {
            let problem = asked(&position, &plies.to_string());
            let expected = length.is_some_and(|length| length <= plies);
            let expected = if expected { Verdict::Proven } else { Verdict::Disproven };
            assert_eq!(search(&problem, 1_000_000).0, Some(expected), "{line} within {plies}");
            if plies < 5 {
                assert_eq!(settle(&problem, &problem_root(&problem)).0, expected, "{line}");
            }
        }
        let (verdict, _) = search(&asked(&position, "any"), 200_000);
        let wrong = if length.is_some() { Verdict::Disproven } else { Verdict::Proven };
        assert_ne!(verdict, Some(wrong), "{line}");
        count += 1;
    }
    assert_eq!(count, 5 * EACH);
}

/// Certificates of both verdicts, with and without a limit, hold; their lengths are bounds.
#[test]
fn the_own_problems_have_certificates() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("mate.cert");
    let lines = SET.lines().filter(|line| !line.starts_with('#'));
    for line in lines.step_by(2) {
        let (text, length) = line.split_once('\t').expect("a position and a length");
        let position = sfen::read(text).expect("an SFEN");
        let length: Option<u32> = length.parse().ok();
        for within in ["any", "1", "3", "5", "7"] {
            let problem = asked(&position, within);
            let table = Table::with_entries(1 << 18, false);
            let job = Job::settle(problem_root(&problem));
            let mut search = Search::new(Kernel::Dfpn, &problem, &table, Options::default(), job);
            let outcome = search.run(&Control::with_budget(200_000));
            let Some(verdict) = outcome.numbers.verdict() else {
                assert_eq!(within, "any", "{line}");
                continue;
            };
            let verified = certify(&problem, &table, verdict, &file);
            match verdict {
                Verdict::Proven => {
                    let found = verified.length.expect("a mate has a length");
                    assert!(Some(found) >= length, "{line} within {within}: {found}");
                    let limit = within.parse().unwrap_or(u32::MAX);
                    assert!(found <= limit, "{line} within {within}: {found}");
                }
                Verdict::Disproven => assert_eq!(verified.length, None),
            }
        }
    }
}

fn problem_root(problem: &hasami_shogi::Shogi) -> hasami_shogi::Position {
    hasami_andor::Problem::root(problem)
}
