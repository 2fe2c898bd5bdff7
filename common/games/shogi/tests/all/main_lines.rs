//! Main lines: as long as the shortest mate says, and played by a second library from start to mate.

use hasami_andor::certificate::hold;
use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, Table, Verdict};
use hasami_shogi::{Move, Position, Shogi, check_line, main_line, sfen};
use hasami_trials::certified;
use shogi_core::{PartialPosition, ToUsi};
use shogi_usi_parser::FromUsi;

use crate::asked::asked;
use crate::data;

const SET: &str = include_str!("../data/mates.sfen");

/// The main line and its length, from a proof that was made and checked in memory.
fn proven_line(problem: &Shogi, budget: u64) -> Option<(Vec<Move>, u32)> {
    let table = Table::with_entries(1 << 18, false);
    let job = Job::settle(problem.root());
    let mut search = Search::new(Kernel::Dfpn, problem, &table, Options::default(), job);
    let outcome = search.run(&Control::with_budget(budget));
    if outcome.numbers.verdict() != Some(Verdict::Proven) {
        return None;
    }
    let (asked, control) = (certified::asked(problem), Control::unlimited());
    let held = hold(problem, &table, &control, &asked, Verdict::Proven).expect("a certificate");
    let counted = held.verify(problem, &asked, &control).expect("a certificate that holds");
    let strategy = held.strategy(problem, &asked, &control).expect("a certificate that holds");
    assert_eq!(*strategy.checked(), counted);
    let line = main_line(problem, &strategy, &|| false).expect("a line");
    assert!(Some(line.length) <= counted.length, "the proof bounds the line");
    assert_eq!(line.moves.len(), line.length as usize);
    check_line(problem, &line.moves).expect("a line that holds");
    Some((line.moves, line.length))
}

/// Plays a line with the second library: every move legal there, at the end no legal move in check.
fn second_library_agrees(start: &Position, line: &[Move]) {
    let text = sfen::write(start);
    let attacker = start.turn();
    let mut position = PartialPosition::from_usi(&format!("sfen {text}")).expect("an SFEN");
    for mv in line {
        let all = shogi_legality_lite::all_legal_moves_partial(&position);
        let found = all.iter().find(|other| other.to_usi_owned() == mv.to_string());
        let found = *found.unwrap_or_else(|| panic!("{text}: {mv} of {line:?} is not legal"));
        position.make_move(found).expect("a legal move is made");
    }
    let end = line.iter().fold(*start, |position, &mv| position.play(mv));
    assert!(end.turn() != attacker && end.in_check(end.turn()), "{text}: {line:?}");
    assert!(shogi_legality_lite::all_legal_moves_partial(&position).is_empty(), "{text}: {line:?}");
}

#[test]
fn lines_of_the_own_problems_are_as_long_as_the_shortest_mates() {
    let mut long = 0;
    for line in SET.lines().filter(|line| !line.starts_with('#')) {
        let (text, length) = line.split_once('\t').expect("a position and a length");
        let Ok(length) = length.parse::<u32>() else { continue };
        let position = sfen::read(text).expect("an SFEN");
        let (moves, found) =
            proven_line(&asked(&position, &length.to_string()), 1_000_000).expect("a mate");
        assert_eq!(found, length, "{line}");
        second_library_agrees(&position, &moves);
        if let Some((moves, found)) = proven_line(&asked(&position, "any"), 200_000) {
            assert!(found >= length, "{line}");
            second_library_agrees(&position, &moves);
            long += u32::from(found > length);
        }
    }
    assert!(long > 0, "some first mates are not the shortest");
}

#[test]
fn lines_of_known_problems_are_as_long_as_they_should_be() {
    for file in ["mate07.sfen", "mate09.sfen", "mate11.sfen"] {
        for (text, length, name) in data::problems(file) {
            let position = sfen::read(&text).expect("a position");
            let length = length.expect("a length");
            let problem = asked(&position, &length.to_string());
            let (moves, found) = proven_line(&problem, 20_000_000).expect("a mate");
            assert_eq!(found, length, "{name}");
            second_library_agrees(&position, &moves);
        }
    }
}

#[test]
fn a_line_that_is_no_mate_is_refused() {
    let position = sfen::read("9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1").expect("an SFEN");
    let problem = asked(&position, "5");
    let (moves, _) = proven_line(&problem, 100_000).expect("a mate");
    assert!(check_line(&problem, &moves[..4]).is_err(), "cut off");
    assert!(check_line(&problem, &moves[..3]).is_err(), "cut off, the defender to move");
    assert!(check_line(&problem, &[]).is_err(), "nothing");
    let mut other = moves.clone();
    other.swap(0, 2);
    assert!(check_line(&problem, &other).is_err(), "moves in another order: {other:?}");
}

#[test]
fn making_and_checking_in_memory_stops_when_asked() {
    let position = sfen::read("9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1").expect("an SFEN");
    let problem = asked(&position, "5");
    let table = Table::with_entries(1 << 16, false);
    let job = Job::settle(problem.root());
    Search::new(Kernel::Dfpn, &problem, &table, Options::default(), job).run(&Control::unlimited());
    let (asked, control) = (certified::asked(&problem), Control::unlimited());
    let held = hold(&problem, &table, &control, &asked, Verdict::Proven).expect("a certificate");
    assert!(held.bytes() > 0);
    control.cancel();
    assert!(hold(&problem, &table, &control, &asked, Verdict::Proven).is_err());
    let stopped = |error: hasami_andor::certificate::ExtractError| error.to_string();
    let expected = "stopped before the certificate was complete";
    assert_eq!(held.verify(&problem, &asked, &control).map_err(stopped).unwrap_err(), expected);
    let strategy = held.clone().strategy(&problem, &asked, &control);
    assert_eq!(strategy.map(drop).map_err(stopped).unwrap_err(), expected);
    control.resume();
    let mut other = asked.clone();
    other.lines.clear();
    assert!(held.verify(&problem, &other, &control).is_err(), "another question");
}
