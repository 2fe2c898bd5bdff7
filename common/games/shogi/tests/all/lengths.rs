//! Verdicts, lengths and proof hands against the second program.

use hasami_andor::{Problem, Verdict};
use hasami_shogi::{Position, Rank, Side, sfen};

use crate::asked::{asked, attacks, search, settle};
use crate::plain::{self, Memo, Plain};
use crate::{data, random};

const PATIENCE: u64 = 3_000;

/// Compares the verdicts within 1, 3, … plies with the second program, and the hands that the
/// verdicts are said to hold for. Returns the length if there is a mate.
fn compare(position: &Position, most: u32, patience: u64) -> Result<Option<u32>, ()> {
    let text = sfen::write(position);
    let shortest = plain::shortest(&text, most, patience)?;
    for plies in (1..=most).step_by(2) {
        let problem = asked(position, &plies.to_string());
        let expected = shortest.is_some_and(|length| length <= plies);
        let (verdict, bound) = settle(&problem, &problem.root());
        assert_eq!(verdict == Verdict::Proven, expected, "{text} within {plies}");
        let own = problem.rank(&problem.root());
        let rank = bound.0;
        let good = if expected { own.dominates(rank) } else { rank.dominates(own) };
        assert!(good, "{text} within {plies}: {own:?} and {rank:?}");
        hold(&problem.root(), problem.attacker(), rank, expected, most, patience);
        if expected {
            assert_eq!(u32::from(rank.left), plies, "{text}: the length of the mate");
            break;
        }
    }
    Ok(shortest)
}

/// Checks that a verdict holds for the rank of its bound, by the second program.
fn hold(root: &Position, attacker: Side, rank: Rank, mates: bool, most: u32, patience: u64) {
    let text = sfen::write(root);
    let other = root.with_rank(attacker, rank);
    let other = other.unwrap_or_else(|| panic!("{text}: {rank:?} has pieces that are not there"));
    let plies = u32::from(rank.left).min(most | 1);
    if plies == 0 {
        return;
    }
    let mut memo = Memo::new(patience * 4);
    if let Some(found) = Plain::read(&sfen::write(&other)).mates(plies, &mut memo) {
        assert_eq!(found, mates, "{text}: also {} within {plies}", sfen::write(&other));
    }
}

/// Positions, mates among them, and those that were too much for the second program.
#[derive(Default, Debug)]
struct Tally {
    positions: u32,
    mates: u32,
    given_up: u32,
}

impl Tally {
    fn add(&mut self, found: Result<Option<u32>, ()>) {
        self.positions += 1;
        match found {
            Ok(Some(_)) => self.mates += 1,
            Ok(None) => {}
            Err(()) => self.given_up += 1,
        }
    }
}

#[test]
fn random_positions_have_the_same_lengths_and_hands() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut tally = Tally::default();
    for round in 0..1500 {
        let position = random::problem(&mut random);
        let position = if round % 2 == 0 { position } else { random::turned(&position) };
        tally.add(compare(&position, 5, PATIENCE));
    }
    eprintln!("{tally:?}");
    assert!(tally.mates > 100 && tally.given_up < 300, "{tally:?}");
}

#[test]
#[ignore = "minutes; the same with more positions and longer mates"]
fn many_random_positions_have_the_same_lengths_and_hands() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut tally = Tally::default();
    for _ in 0..20_000 {
        tally.add(compare(&random::problem(&mut random), 5, 20_000));
    }
    eprintln!("{tally:?}");
}

/// Positions of games: the side to move, and the other side after a pass, if that is legal.
#[test]
fn positions_of_games_have_the_same_lengths() {
    let games = data::games();
    let mut tally = Tally::default();
    for game in games.iter().step_by(200) {
        let all = data::positions(game);
        for position in all.iter().rev().take(24).step_by(3) {
            if position.king(position.turn().other()).is_some() {
                tally.add(compare(position, 5, PATIENCE));
            }
        }
    }
    eprintln!("{tally:?}");
}

#[test]
#[ignore = "an hour; HASAMI_SHOGI_STEP chooses every n-th game"]
fn positions_of_all_games_have_the_same_verdict_within_seven() {
    let step = std::env::var("HASAMI_SHOGI_STEP").ok().and_then(|step| step.parse().ok());
    let mut tally = Tally::default();
    for game in data::games().iter().step_by(step.unwrap_or(10)) {
        for position in data::positions(game).iter().rev().take(40).step_by(3) {
            let text = sfen::write(position);
            let found = plain::shortest(&text, 7, 20_000);
            if let Ok(shortest) = found {
                let (verdict, _) = search(&asked(position, "7"), 5_000_000);
                let mates = verdict.expect("a verdict") == Verdict::Proven;
                assert_eq!(mates, shortest.is_some(), "{text}");
            }
            tally.add(found);
            if tally.positions % 1000 == 0 {
                eprintln!("{tally:?}");
            }
        }
    }
    eprintln!("{tally:?}");
}

/// Known lengths: the second program, the recursion and the kernel agree on all.
#[test]
fn problems_have_the_lengths_that_are_known() {
    for (file, most) in [("mate01.sfen", 1), ("mate03.sfen", 3), ("mate05.sfen", 5)] {
        for (text, length, name) in data::problems(file) {
            let position = sfen::read(&text).expect("a position");
            assert_eq!(length, Some(most));
            if let Ok(found) = compare(&position, most, 100_000) {
                assert_eq!(found, length, "{name}");
            }
        }
    }
    for file in ["mate05.sfen", "mate07.sfen", "mate09.sfen", "mate11.sfen"] {
        let (mut all, mut open) = (0, 0);
        for (text, length, name) in data::problems(file) {
            let position = sfen::read(&text).expect("a position");
            let length = length.expect("a length");
            for (within, expected) in [(length, Verdict::Proven), (length - 2, Verdict::Disproven)]
            {
                let problem = asked(&position, &within.to_string());
                assert!(attacks(&problem));
                let (verdict, nodes) = search(&problem, 20_000_000);
                assert_eq!(verdict, Some(expected), "{name} within {within}");
                all += nodes;
            }
            // Without a limit the search may wander off; it must not be wrong.
            let (verdict, nodes) = search(&asked(&position, "any"), 100_000);
            assert_ne!(verdict, Some(Verdict::Disproven), "{name}");
            open += u32::from(verdict.is_none());
            all += nodes;
        }
        eprintln!("{file}: {all} nodes, {open} left open without a limit");
    }
}

#[test]
fn the_second_program_finds_the_known_lengths() {
    for (text, length, name) in data::problems("mate07.sfen") {
        if let Ok(found) = plain::shortest(&text, 7, 30_000) {
            assert_eq!(found, length, "{name}");
        }
    }
}
