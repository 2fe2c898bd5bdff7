//! First numbers: every evaluation finds the same verdicts, what the features see does not depend on
//! the side or on left and right, and texts of weights are read as they were written.

use std::sync::Arc;

use hasami_andor::{Moves, Numbers, Problem, Verdict};
use hasami_game::Game as _;
use hasami_shogi::evaluation::features::{Features, Set};
use hasami_shogi::evaluation::linear::{Function, Linear, Target};
use hasami_shogi::evaluation::scene::{self, FEATURES};
use hasami_shogi::evaluation::tables::Curve;
use hasami_shogi::evaluation::{FirstNumbers, Tables};
use hasami_shogi::question::EVALUATIONS;
use hasami_shogi::{Move, Origin, Piece, Position, Side, Square, sfen};
use hasami_spec::Evaluation;

use crate::asked::{asked, search};
use crate::random;

/// The position and a way to move it, with left and right exchanged, or from the other side.
type Other = (fn(Square) -> Square, bool);
const OTHERS: [Other; 2] = [
    (|square| Square::at(8 - square.file(), square.rank()), false),
    (|square| Square::at(8 - square.file(), 8 - square.rank()), true),
];

fn moved(position: &Position, (to, turned): Other) -> Position {
    let side = |side: Side| if turned { side.other() } else { side };
    let mut other = Position::empty();
    for file in 0..9 {
        for rank in 0..9 {
            let square = Square::at(file, rank);
            if let Some(piece) = position.piece_on(square) {
                other.put(Piece { side: side(piece.side), kind: piece.kind }, to(square));
            }
        }
    }
    for one in Side::BOTH {
        other.set_hand(side(one), position.hand(one));
    }
    other.set_turn(side(position.turn()));
    other
}

/// The move of the other position that is this one.
fn moved_move(mv: Move, list: &[Move], (to, _): Other) -> Move {
    let origin = |mv: Move| match mv.origin() {
        Origin::Board(from) => (Some(from), None),
        Origin::Hand(kind) => (None, Some(kind)),
    };
    let (from, kind) = origin(mv);
    let wanted = (from.map(to), kind, to(mv.to()), mv.promotes());
    let own = |one: &&Move| {
        let (from, kind) = origin(**one);
        (from, kind, one.to(), one.promotes()) == wanted
    };
    *list.iter().find(own).expect("the same move")
}

#[test]
fn features_do_not_depend_on_side_or_on_left_and_right() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut count = 0;
    while count < 300 {
        let position = random::problem(&mut random);
        // On the middle file nothing says which side is left.
        let king = position.king(Side::White).expect("a king");
        let problem = asked(&position, "any");
        let mut moves = Moves::new();
        problem.expand(&position, &mut moves);
        let Some(mv) = moves.iter().next() else { continue };
        if king.file() == 4 {
            continue;
        }
        for other in OTHERS {
            let there = moved(&position, other);
            let attacker = there.turn();
            assert_eq!(Features::of(&position, Side::Black), Features::of(&there, attacker));
            let mut list = Vec::new();
            there.legal_moves(&mut list);
            let same = moved_move(mv, &list, other);
            let (after, there_after) = (position.play(mv), there.play(same));
            assert_eq!(
                scene::of(&position, mv, &after, Side::Black),
                scene::of(&there, same, &there_after, attacker),
                "{} {mv}",
                sfen::write(&position)
            );
            list.clear();
            after.legal_moves(&mut list);
            let Some(&reply) = list.first() else { continue };
            let answered = after.play(reply);
            // The reply may bring the king to the middle. Where there is a mate in one, checks are
            // counted up to it only, and no numbers are asked for.
            let in_the_middle = answered.king(Side::White).is_none_or(|king| king.file() == 4);
            if in_the_middle || answered.mate_in_one().is_some() {
                continue;
            }
            let mut list = Vec::new();
            there_after.legal_moves(&mut list);
            let same = moved_move(reply, &list, other);
            assert_eq!(
                scene::of(&after, reply, &after.play(reply), Side::Black),
                scene::of(&there_after, same, &there_after.play(same), attacker),
                "{} {mv} {reply}",
                sfen::write(&position)
            );
        }
        count += 1;
    }
}

#[test]
fn every_evaluation_finds_the_same_verdicts() {
    let set = include_str!("../data/mates.sfen").lines().filter(|line| !line.starts_with('#'));
    for line in set {
        let (text, length) = line.split_once('\t').expect("a position and a length");
        let position = sfen::read(text).expect("an SFEN");
        let expected = if length == "-" { Verdict::Disproven } else { Verdict::Proven };
        for &evaluation in EVALUATIONS {
            let problem = asked(&position, "any").with_evaluation(evaluation);
            let found = search(&problem, 1_000_000).0;
            assert_eq!(found, Some(expected), "{line} {}", evaluation.word());
        }
    }
}

#[test]
fn a_value_favours_one_side_and_the_other_number_grows_with_it() {
    let mut random = fastrand::Rng::with_seed(9);
    let position = random::problem(&mut random);
    let value = |constant: f64| {
        let mut weights = vec![0.0; Set::Hand.weights() + 1];
        weights[0] = constant;
        Linear::Value(Function { set: Set::Hand, weights }).numbers(&position, Side::Black)
    };
    assert_eq!(value(0.0), Numbers::open(1, 1));
    assert_eq!(value(1.0), Numbers::open(1, 64));
    assert_eq!(value(-1.0), Numbers::open(64, 1));
    assert_eq!(value(-7.0), Numbers::open(64, 1));
    assert!(value(0.5).disproof > value(0.2).disproof);
    assert!(value(-0.5).proof > value(-0.2).proof);
    let size = |target: Target, constant: f64| {
        let mut weights = vec![0.0; Set::Place.weights() + 1];
        weights[0] = constant;
        let proof = Some((target, Function { set: Set::Place, weights }));
        Linear::Sizes { proof, disproof: None }.numbers(&position, Side::Black)
    };
    assert_eq!(size(Target::Size, 12.4), Numbers::open(12, 1));
    assert_eq!(size(Target::Size, -3.0), Numbers::open(1, 1));
    assert_eq!(size(Target::LogSize, 2.0), Numbers::open(7, 1));
    assert_eq!(size(Target::LogSize, 1e9).disproof, 1);
}

#[test]
fn weights_are_read_as_they_were_written_and_nonsense_is_refused() {
    let weights: Vec<[i16; 3]> = (0..FEATURES).map(|at| [at as i16, -3, 7]).collect();
    let proof = Curve { effort: 0.25, risk: 1.0, lift: -2.0 };
    let disproof = Curve { effort: 1.5, risk: 0.0, lift: 3.125 };
    let tables = Tables::new(weights, proof, disproof).expect("a weight for each feature");
    assert_eq!(Tables::read(&tables.write()).as_ref(), Ok(&tables));
    let text = tables.write();
    for (broken, expected) in [
        (String::new(), "line 0: expected proof, effort, risk and lift"),
        (text.replace("proof 0.25", "proof nan"), "line 1: expected proof, effort, risk and lift"),
        (text.replace("disproof 1.5", "disproof 99"), "line 2: expected disproof, effort"),
        (text.replace("\n5 -3 7", "\n5 -3"), "line 8: expected three whole numbers"),
        (text.replace("\n5 -3 7", "\n40000 -3 7"), "line 8: expected three whole numbers"),
        (format!("{text}1 2 3\n"), "lines of weights; expected"),
    ] {
        let error = Tables::read(&broken).expect_err("nonsense");
        assert!(error.contains(expected), "{error}");
    }
    for evaluation in EVALUATIONS {
        let FirstNumbers::Linear(linear) = FirstNumbers::shipped(*evaluation) else { continue };
        assert_eq!(Linear::read(&linear.write()), Ok(Arc::unwrap_or_clone(linear)));
    }
    let zeros = "0,0,0,0,0,0,0,0";
    for broken in [
        "",
        "size:1:0",
        "proof:size:9:0",
        "proof:sizes:1:0",
        "value:1:0,1",
        "value:1:0,0,0,0,0,0,0,inf",
        &format!("proof:size:1:{zeros};proof:log:1:{zeros}"),
        &format!("value:1:{zeros};proof:size:1:{zeros}"),
    ] {
        assert!(Linear::read(broken).is_err(), "{broken}");
    }
    assert!(matches!(FirstNumbers::shipped(Evaluation::Learned), FirstNumbers::Tables(_)));
}
