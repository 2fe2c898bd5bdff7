//! Lengths without futile interpositions: small cases by hand, and random positions against the rule
//! written down a second time over the second program.

use hasami_andor::certificate::{Asked, Strategy};
use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, Table, Verdict};
use hasami_game::Game;
use hasami_shogi::solution::{Solution, Wanted, length_of_certificate, solution};
use hasami_shogi::{Shogi, sfen};
use hasami_spec::Params;

use crate::plain::{Plain, futile_length};
use crate::{plain, random};

const NODES: u64 = 100_000;

/// The certified solution of a question; `None` if there is no mate.
pub fn solved(position: &str, within: &str, attacker: &str) -> Option<(Shogi, Solution, u32)> {
    let given = [("position", position), ("within", within), ("attacker", attacker)];
    let params = Params::new(Shogi::params(), &given).expect("parameters");
    let problem = Shogi::from_params(&params).expect("a question");
    let table = Table::with_entries(1 << 18, false);
    let job = Job::settle(problem.root());
    let control = Control::with_budget(100_000);
    let outcome =
        Search::new(Kernel::Dfpn, &problem, &table, Options::default(), job).run(&control);
    if outcome.numbers.verdict()? != Verdict::Proven {
        return None;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("mate.cert");
    let asked: Asked = problem.asked(&params);
    let control = Control::unlimited();
    hasami_andor::certificate::extract(&problem, &table, &control, &asked, Verdict::Proven, &file)
        .expect("a certificate");
    let strategy = Strategy::load(&file, &problem, &asked).expect("a proof");
    let wanted = Wanted { nodes: NODES, variations: 100 };
    let found = solution(&problem, &strategy, &control, wanted).expect("a solution");
    let played = length_of_certificate(&problem, &strategy).expect("a length");
    Some((problem, found, played))
}

fn exact(position: &str) -> Solution {
    let (_, found, _) = solved(position, "any", "mover").expect("a mate");
    assert!(found.exact, "{position}");
    found
}

fn shown(found: &Solution) -> String {
    found.line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A rook from afar mates at once: what can be put between is taken, square by square. The king on
/// 1a has no flight, a gold guards 1b and a knight 2a.
#[test]
fn a_distant_rook_mates_in_one_whatever_is_put_between() {
    // Of three different pieces the attacker needs only what he takes first: 5 plies, not 7.
    for (hand, plies) in [("p", 3), ("2p", 5), ("gsl", 5)] {
        let text = format!("8k/9/6NG1/9/R8/9/9/9/9 b {hand} 1");
        let found = exact(&text);
        assert_eq!(found.without_futile, 1, "{text}: {}", shown(&found));
        assert_eq!(found.line.len(), 1);
        assert_eq!(plain::shortest(&text, 7, 1_000_000), Ok(Some(plies)), "every piece counted");
    }
}

/// Nobody guards 2a: a pawn there is taken, and the king takes the rook. The mate goes another way,
/// in which a rook that takes and promotes is needed for the plies of a book.
#[test]
fn an_interposition_that_saves_the_king_counts() {
    let text = "8k/9/7G1/9/R8/9/9/9/9 b p 1";
    let found = exact(text);
    assert_eq!(found.without_futile, 5, "{}", shown(&found));
    assert_eq!(by_rule(text, 7), Ok(Some(5)));
    assert_eq!(plain::shortest(text, 9, 1_000_000), Ok(Some(7)));
}

/// The lance takes without promotion and still gives check; promoted on 1c it would not. On 1b it
/// checks either way.
#[test]
fn a_lance_need_not_promote_to_take() {
    let text = "8k/9/6NGS/9/9/9/9/9/8L b p 1";
    let found = exact(text);
    assert_eq!(Ok(Some(found.without_futile)), by_rule(text, 5), "{}", shown(&found));
}

/// The length by the rule written down a second time.
fn by_rule(text: &str, most: u32) -> Result<Option<u32>, ()> {
    futile_length(&Plain::read(text), true, most, &mut Default::default(), &mut 3_000)
}

#[test]
fn random_positions_have_the_lengths_of_the_rule() {
    let mut random = fastrand::Rng::with_seed(17);
    let (mut same, mut shorter, mut useful) = (0, 0, 0);
    for _ in 0..1000 {
        let text = sfen::write(&random::problem(&mut random));
        let Ok(Some(expected)) = by_rule(&text, 5) else { continue };
        let full = plain::shortest(&text, 7, 5_000).ok().flatten();
        let Some((problem, found, played)) = solved(&text, "any", "mover") else { continue };
        if !found.exact {
            continue;
        }
        assert_eq!(found.without_futile, expected, "{text}: {}", shown(&found));
        assert_eq!(found.line.len() as u32, expected, "{text}: {}", shown(&found));
        assert!(played >= expected || full.is_none(), "{text}: {played}");
        check_line(&problem, &found);
        match full {
            Some(full) => {
                assert!(expected <= full, "{text}: {expected} of {full}");
                same += u32::from(expected == full);
                shorter += u32::from(expected < full);
                useful += u32::from(expected == full && full > 1);
            }
            None => shorter += 1,
        }
    }
    eprintln!("{same} as long, {shorter} shorter, {useful} longer than one ply");
    assert!(same > 40 && shorter > 2, "{same} {shorter}");
}

/// Every move of a line is legal, every second one a check; variations branch off where they say.
fn check_line(problem: &Shogi, found: &Solution) {
    let follow = |start: hasami_shogi::Position, line: &[hasami_shogi::Move]| {
        let mut state = start;
        for &mv in line {
            assert!(state.is_legal(mv), "{mv} in {}", sfen::write(&state));
            state = state.play(mv);
            let attacked = state.turn() != problem.attacker();
            assert!(!attacked || state.in_check(state.turn()), "{mv} gives no check");
        }
        state
    };
    follow(problem.root(), &found.line);
    for (before, variation) in &found.variations {
        let state = follow(problem.root(), &found.line[..*before]);
        assert_ne!(variation.first(), found.line.get(*before));
        follow(state, variation);
        assert!(before + variation.len() <= found.line.len(), "longer than the line");
    }
}

#[test]
fn nothing_between_changes_nothing() {
    let text = "9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1";
    let found = exact(text);
    let full = plain::shortest(text, 5, 1_000_000).expect("patience");
    assert!(Some(found.without_futile) <= full, "{full:?}: {}", shown(&found));
    assert_eq!(Ok(Some(found.without_futile)), by_rule(text, 5));
}
