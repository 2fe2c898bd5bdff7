//! `hasami usi` with a GUI that is as strict as GUIs are. Lines of mates are played by a second
//! library, which shares no code with the program; lengths are those of the repository's own set.

use hasami_tests::{Engine, Hasami};
use shogi_core::{Color, PartialPosition, ToUsi};
use shogi_legality_lite::prelegality;
use shogi_usi_parser::FromUsi;

const SET: &str = include_str!("../../../common/games/shogi/tests/data/mates.sfen");

/// Mate in five plies.
const FIVE: &str = "9/9/8k/7R1/7G1/9/9/9/9 b r2b3g4s4n4l18p 1";
/// A bare king: more than any of these tests waits for.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b 2G2SNLP2r2b2g2s3n3l17p 1";
/// The same board and attacker's hand: mate if the defender has nothing to drop, otherwise none.
const POOR: &str = "9/3+L3n1/4+R+S2k/5r3/3b4S/7n1/9/9/9 b - 1";
const RICH: &str = "9/3+L3n1/4+R+S2k/5r3/3b4S/7n1/9/9/9 b b4g2s2n3l18p 1";

/// Positions of the set and the lengths of their shortest mates; `None` for no mate.
fn problems() -> impl Iterator<Item = (&'static str, Option<usize>)> {
    let lines = SET.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (sfen, length) = line.split_once('\t').expect("a position and a length");
        (sfen, length.parse().ok())
    })
}

/// Plays a line with the second library: every move is legal there, each of the attacker's leaves
/// the other king in check, and the last one leaves no legal move.
#[track_caller]
fn is_mate(sfen: &str, line: &[String]) {
    let mut position = PartialPosition::from_usi(&format!("sfen {sfen}")).expect("an SFEN");
    let attacker = position.side_to_move();
    for word in line {
        let all = shogi_legality_lite::all_legal_moves_partial(&position);
        let found = all.iter().find(|mv| mv.to_usi_owned() == *word);
        let found = *found.unwrap_or_else(|| panic!("{sfen}: {word} of {line:?} is not legal"));
        let mover = position.side_to_move();
        position.make_move(found).expect("a legal move is made");
        assert!(mover != attacker || is_in_check(&position), "{sfen}: {word} is no check");
    }
    assert_ne!(position.side_to_move(), attacker, "{sfen}: {line:?}");
    let left = shogi_legality_lite::all_legal_moves_partial(&position);
    assert!(left.is_empty() && is_in_check(&position), "{sfen}: {line:?} is no mate");
}

/// Whether the side to move could lose its king if it passed.
fn is_in_check(position: &PartialPosition) -> bool {
    let side: Color = position.side_to_move();
    let mut passed = position.clone();
    passed.side_to_move_set(side.flip());
    prelegality::will_king_be_captured(&passed) == Some(true)
}

/// The value of a key in the last report that has it.
#[track_caller]
fn last(said: &[String], key: &str) -> String {
    let value = |line: &String| {
        let mut words = line.split(' ').skip_while(|word| *word != key).skip(1);
        words.next().map(String::from)
    };
    let reports = said.iter().rev().filter(|line| !line.starts_with("info string"));
    let mut reports = reports.filter_map(value);
    reports.next().unwrap_or_else(|| panic!("no {key} in {said:#?}"))
}

fn engine(options: &[(&str, &str)]) -> (Hasami, Engine) {
    let hasami = Hasami::new();
    let mut engine = hasami.engine();
    engine.begin(options);
    (hasami, engine)
}

#[test]
fn a_gui_is_told_the_name_and_all_options() {
    let hasami = Hasami::new();
    let mut engine = hasami.engine();
    let said = engine.begin(&[]);
    assert!(said[0].starts_with("id name hasami ") && said[1].starts_with("id author "));
    for name in ["USI_Hash", "USI_Ponder", "Threads", "NodesLimit", "DepthLimit", "PostSearch"] {
        let declared = format!("option name {name} type ");
        assert!(said.iter().any(|line| line.starts_with(&declared)), "{name}: {said:#?}");
    }
    engine.send("quit");
    assert_eq!(engine.end(), (Some(0), Vec::new()));
}

#[test]
fn the_own_problems_are_mated_in_the_fewest_plies() {
    let (_hasami, mut engine) = engine(&[("NodesLimit", "200000"), ("USI_Hash", "64")]);
    let mut refuted = 0;
    for (sfen, length) in problems() {
        let (said, answer) = engine.mate(sfen, "infinite");
        let Some(length) = length else {
            refuted += u32::from(answer == ["nomate"]);
            assert!(["nomate", "timeout"].contains(&answer[0].as_str()), "{sfen}: {answer:?}");
            continue;
        };
        assert_eq!(answer.len(), length, "{sfen}: {answer:?}");
        is_mate(sfen, &answer);
        assert_eq!(last(&said, "mate"), length.to_string(), "{sfen}: {said:#?}");
        let pv = said.iter().rev().find_map(|line| line.split_once(" pv ")).unwrap().1;
        assert_eq!(pv, answer.join(" "));
    }
    assert!(refuted >= 15, "{refuted} of 20");
    engine.send("quit");
    assert_eq!(engine.end().0, Some(0));
}

#[test]
fn a_second_question_finds_the_table_as_the_first_one_left_it() {
    let (_hasami, mut engine) = engine(&[]);
    let (said, answer) = engine.mate(FIVE, "infinite");
    is_mate(FIVE, &answer);
    assert_ne!(last(&said, "nodes"), "0");
    let (said, again) = engine.mate(FIVE, "infinite");
    assert_eq!((last(&said, "nodes").as_str(), again), ("0", answer));
}

#[test]
fn what_holds_for_one_hand_of_the_defender_is_not_used_for_another() {
    let (_hasami, mut engine) = engine(&[]);
    for _ in 0..2 {
        let (_, answer) = engine.mate(POOR, "infinite");
        is_mate(POOR, &answer);
        assert_eq!(engine.mate(RICH, "infinite").1, ["nomate"]);
    }
}

#[test]
fn a_search_is_stopped_and_the_next_question_is_answered() {
    let (_hasami, mut engine) = engine(&[("PvInterval", "20")]);
    for threads in ["1", "2"] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("position sfen {HARD}"));
        engine.send("go mate infinite");
        engine.until("info depth");
        engine.until("info string mate proof number");
        // Commands that come meanwhile are obeyed, or wait for the next search.
        engine.send("isready");
        engine.until("readyok");
        engine.send(&format!("position sfen {FIVE}"));
        engine.send("go mate infinite");
        engine.until("info string error line");
        engine.send("stop");
        assert_eq!(engine.until("checkmate").pop().unwrap(), "checkmate timeout");
        engine.send("go mate infinite");
        let mut said = engine.until("checkmate");
        assert_eq!(said.pop().unwrap().split(' ').count(), 1 + 5);
    }
    engine.send(&format!("position sfen {HARD}"));
    engine.send("go mate infinite");
    engine.until("info depth");
    engine.send("quit");
    let (code, lines) = engine.end();
    assert_eq!(code, Some(0));
    assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:#?}");
}

#[test]
fn time_nodes_and_plies_are_limits_and_none_of_them_is_a_proof() {
    let (_hasami, mut engine) = engine(&[]);
    assert_eq!(engine.mate(HARD, "100").1, ["timeout"]);
    assert_eq!(engine.mate(HARD, "0").1, ["timeout"]);
    engine.send("setoption name NodesLimit value 1000");
    assert_eq!(engine.mate(HARD, "infinite").1, ["timeout"]);
    engine.send("setoption name NodesLimit value 0");
    engine.send("setoption name DepthLimit value 3");
    let (said, answer) = engine.mate(FIVE, "infinite");
    assert_eq!(answer, ["timeout"]);
    assert!(said.iter().any(|line| line.contains("no mate within 3 plies")), "{said:#?}");
    engine.send("setoption name DepthLimit value 5");
    assert_eq!(engine.mate(FIVE, "infinite").1.len(), 5);
    engine.send("setoption name DepthLimit value 0");
    engine.send("setoption name PostSearch value none");
    let (said, answer) = engine.mate(FIVE, "infinite");
    is_mate(FIVE, &answer);
    assert!(!said.iter().any(|line| line.contains("shortest")), "{said:#?}");
}

#[test]
fn a_plain_go_is_answered_with_the_first_move_of_the_mate() {
    let (_hasami, mut engine) = engine(&[]);
    engine.send(&format!("position sfen {FIVE}"));
    engine.send("go btime 600000 wtime 600000 byoyomi 0");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove 2e1d");
    engine.send("position startpos moves 7g7f 3c3d");
    engine.send("go byoyomi 60000");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove resign");
    // Analysis: the answer waits for the user.
    engine.send(&format!("position sfen {FIVE}"));
    engine.send("go infinite");
    engine.until("info string shortest:");
    engine.send("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.send("stop");
    assert_eq!(engine.until("bestmove"), ["bestmove 2e1d"]);
    engine.send("go ponder btime 0 wtime 0 byoyomi 60000");
    engine.until("info string shortest:");
    engine.send("ponderhit");
    assert_eq!(engine.until("bestmove"), ["bestmove 2e1d"]);
}

#[test]
fn a_defender_in_check_can_be_asked_about() {
    let (_hasami, mut engine) = engine(&[]);
    // FIVE after its first move; and a position with an escape.
    let checked = "9/9/8k/7RG/9/9/9/9/9 w r2b3g4s4n4l18p 1";
    let escapes = "9/9/8k/8G/7R1/9/9/9/9 w r2b3g4s4n4l18p 1";
    let (said, answer) = engine.mate(checked, "infinite");
    assert_eq!(answer, ["notimplemented"], "nobody to mate");
    assert!(said.iter().any(|line| line.contains("RootIsAndNodeIfChecked")), "{said:#?}");
    engine.send("setoption name RootIsAndNodeIfChecked value true");
    let (said, answer) = engine.mate(checked, "infinite");
    assert_eq!((answer.len(), last(&said, "mate").as_str()), (4, "-4"), "{said:#?}");
    is_mate(FIVE, &[&["2e1d".to_string()], &answer[..]].concat());
    assert_eq!(engine.mate(escapes, "infinite").1, ["nomate"]);
    engine.send("go movetime 60000");
    assert_ne!(engine.until("bestmove").pop().unwrap(), "bestmove resign");
    let mated = "8k/8G/8G/9/9/9/9/9/9 w - 1";
    let (said, answer) = engine.mate(mated, "infinite");
    assert_eq!(answer, ["notimplemented"], "no move to answer with");
    assert!(said.iter().any(|line| line.contains("mated already")), "{said:#?}");
}

#[test]
fn hostile_lines_are_refused_with_their_number_and_change_nothing() {
    let (_hasami, mut engine) = engine(&[]);
    let long = "x".repeat(3 << 20);
    // Three lines have been sent before: usi, isready, usinewgame.
    for (number, (line, said)) in (4..).zip([
        ("frobnicate", "\"frobnicate\""),
        (&*long, "at most 1048576"),
        ("setoption name USI_Hash value 99999999999999999999", "USI_Hash"),
        ("setoption name Threads value -1", "Threads"),
        ("setoption name Colour value red", "Colour"),
        ("setoption name MultiPV value 3", "MultiPV"),
        ("position", "startpos or sfen"),
        ("position sfen", "empty"),
        ("position sfen 9/9/9/9/9/9/9/9/8z b - 1", "rank i"),
        ("position sfen 9/9/9/9/9/9/9/9/9 b 99999999999P 1", "99999999999P"),
        ("position sfen 8k/8p/8p/9/9/9/9/9/9 b - 1", "file 1"),
        ("position startpos moves 7g7f 7g7f", "move 2"),
        ("position startpos moves 7g7f \u{1b}[2J", "move 2"),
        ("position sfen kkkkkkkkk/9/9/9/9/9/9/9/9 b - 1", "two kings"),
    ]) {
        engine.send(line);
        let told = engine.until("info string error").pop().unwrap();
        assert!(told.contains(&format!("error line {number}:")), "{told}");
        assert!(told.contains(said) && told.len() < 600, "{said}: {told}");
        assert!(!told.contains('\u{1b}'), "{told}");
    }
    engine.send_bytes(b"position sfen \xff\xfe\n\n   \n\r\n\0\n");
    assert!(engine.until("info string error").pop().unwrap().contains("not UTF-8 at byte 15"));
    engine.until("info string error");
    // The position before is gone: a question about it is not answered by mistake.
    for go in ["go mate 1000", "go mate soon", "go mate"] {
        engine.send(go);
        let said = engine.until("checkmate");
        assert_eq!(said.last().unwrap(), "checkmate notimplemented");
        assert!(said[0].starts_with("info string error line"), "{said:#?}");
    }
    engine.send("go searchmoves 7g7f");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove resign");
    assert_eq!(engine.mate("9/9/9/9/9/9/9/9/9 b - 1", "1000").1, ["notimplemented"]);
    is_mate(FIVE, &engine.mate(FIVE, "infinite").1);
    engine.send("stop");
    engine.send("gameover win");
    engine.send("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let (_hasami, mut engine) = engine(&[]);
    engine.send(&format!("position sfen {HARD}"));
    engine.send("go mate infinite");
    engine.hang_up();
    assert_eq!(engine.end().0, Some(0));
}
