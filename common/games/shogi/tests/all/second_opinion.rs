//! Legal moves, checks, mates and keys against `shogi_legality_lite`, a generator that shares no code
//! with this crate.

use std::collections::BTreeSet;

use hasami_shogi::{Kind, Move, Position, Side, sfen};
use shogi_core::{PartialPosition, ToUsi};
use shogi_usi_parser::FromUsi;

use crate::{data, random};

fn theirs(position: &Position) -> PartialPosition {
    let sfen = format!("sfen {}", sfen::write(position));
    PartialPosition::from_usi(&sfen).unwrap_or_else(|why| panic!("{sfen}: {why:?}"))
}

fn names(moves: &[Move]) -> BTreeSet<String> {
    let names: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), moves.len(), "no move twice: {moves:?}");
    names
}

/// Compares everything about one position.
fn compare(position: &Position) {
    let other = theirs(position);
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let expected = shogi_legality_lite::all_legal_moves_partial(&other);
    let expected: BTreeSet<String> = expected.iter().map(|mv| mv.to_usi_owned()).collect();
    // The other program forbids a pawn drop that leaves no move without being a check. The rule is
    // about mate only.
    let stifles = |mv: &Move| {
        let next = position.play(*mv);
        let mut replies = Vec::new();
        next.legal_moves(&mut replies);
        *mv == Move::drop(Kind::Pawn, mv.to()) && replies.is_empty() && !next.in_check(next.turn())
    };
    let common: Vec<Move> = legal.iter().filter(|mv| !stifles(mv)).copied().collect();
    assert_eq!(names(&common), expected, "legal moves of {}", sfen::write(position));

    let us = position.turn();
    if position.king(us.other()).is_some() {
        // By brute force: a legal move after which the other king is attacked.
        let gives_check = |mv: &&Move| position.play(**mv).in_check(us.other());
        let brute: Vec<Move> = legal.iter().filter(gives_check).copied().collect();
        let mut checks = Vec::new();
        position.checks(&mut checks);
        assert_eq!(names(&checks), names(&brute), "checks of {}", sfen::write(position));
        assert_eq!(position.has_check(), !brute.is_empty());
        let mates = |mv: &&Move| {
            let next = position.play(**mv);
            let mut replies = Vec::new();
            next.legal_moves(&mut replies);
            replies.is_empty()
        };
        let mating: Vec<Move> = brute.iter().filter(mates).copied().collect();
        match position.mate_in_one() {
            Some(mv) => assert!(mating.contains(&mv), "{mv} {}", sfen::write(position)),
            None => assert!(mating.is_empty(), "{mating:?} {}", sfen::write(position)),
        }
    }
    assert_eq!(position.in_check(us) && legal.is_empty(), position.is_mated());
    for mv in legal {
        let next = position.play(mv);
        let again = sfen::read(&sfen::write(&next)).expect("own SFEN");
        assert_eq!(again, next, "{mv} at {}", sfen::write(position));
        assert_eq!(position.after(mv, us), (next.family(), next.rank(us)));
        assert_eq!(position.after(mv, us.other()), (next.family(), next.rank(us.other())));
    }
}

#[test]
fn random_positions_have_the_same_moves() {
    let mut random = fastrand::Rng::with_seed(17);
    for _ in 0..2000 {
        let position = random::problem(&mut random);
        compare(&position);
        compare(&random::turned(&position));
        // A few checks and evasions further on.
        let mut position = position;
        for _ in 0..6 {
            let mut moves = Vec::new();
            if position.turn() == Side::Black {
                position.checks(&mut moves);
            } else {
                position.legal_moves(&mut moves);
            }
            let Some(&mv) = random.choice(&moves) else { break };
            position = position.play(mv);
            compare(&position);
        }
    }
}

#[test]
fn positions_of_real_games_have_the_same_moves() {
    for game in data::games().iter().step_by(400) {
        for position in data::positions(game) {
            compare(&position);
        }
    }
}

#[test]
fn problems_have_the_same_moves() {
    for name in ["mate03.sfen", "mate11.sfen", "classics.sfen"] {
        for (text, _, _) in data::problems(name) {
            compare(&sfen::read(&text).expect("a position"));
        }
    }
}

/// A pawn drop that would be mate is no move, though the same pawn may be pushed to that square.
#[test]
fn a_pawn_drop_is_never_mate() {
    let position = sfen::read("7nk/9/6G1S/9/9/9/9/9/9 b P2r2b3g3s3n4l17p 1").expect("a position");
    let mut checks = Vec::new();
    position.checks(&mut checks);
    let drop = Move::drop(Kind::Pawn, hasami_shogi::Square::named("1b").expect("a square"));
    assert!(!checks.contains(&drop), "{checks:?}");
    let escape = sfen::read("8k/9/6G1S/9/9/9/9/9/9 b P2r2b3g3s4n4l17p 1").expect("a position");
    checks.clear();
    escape.checks(&mut checks);
    assert!(checks.contains(&drop), "{checks:?}");
}
