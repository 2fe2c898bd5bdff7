//! Positions and games in SFEN, USI, KIF and CSA, and back; what is refused, and why.

use hasami_shogi::record::{self, Game};
use hasami_shogi::{Position, Side, csa, drawing, japanese, kif, legality, sfen};

use crate::{data, random};

/// The text of a position in CSA.
fn in_csa(position: &Position) -> String {
    let mut text = String::new();
    for rank in 0..9 {
        text.push_str(&format!("P{}", rank + 1));
        for file in (0..9).rev() {
            match position.piece_on(hasami_shogi::Square::at(file, rank)) {
                None => text.push_str(" * "),
                Some(piece) => {
                    text.push(if piece.side == Side::Black { '+' } else { '-' });
                    text.push_str(csa::word(piece.kind));
                }
            }
        }
        text.push('\n');
    }
    for (side, head) in [(Side::Black, "P+"), (Side::White, "P-")] {
        for kind in hasami_shogi::Kind::HELD {
            for _ in 0..position.hand(side).count(kind) {
                text.push_str(&format!("{head}00{}\n", csa::word(kind)));
            }
        }
    }
    text.push_str(if position.turn() == Side::Black { "+\n" } else { "-\n" });
    text
}

#[test]
fn random_positions_survive_every_notation() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let one = random::problem(&mut random);
        for position in [one, random::turned(&one)] {
            let text = sfen::write(&position);
            assert_eq!(sfen::read(&text), Ok(position));
            assert_eq!(sfen::read(text.trim_end_matches(" 1")), Ok(position));
            assert_eq!(sfen::read(&text.replace(' ', "_")), Ok(position));
            assert_eq!(record::read(&text).map(|game| game.last()), Ok(position));
            let diagram = drawing::diagram(&position);
            assert_eq!(record::read(&diagram).map(|game| game.last()), Ok(position), "{diagram}");
            let csa = in_csa(&position);
            assert_eq!(record::read(&csa).map(|game| game.last()), Ok(position), "{csa}");
        }
    }
}

#[test]
fn games_survive_kif_and_csa() {
    for line in data::games().iter().step_by(1000) {
        let game = record::read(line).expect("USI");
        assert_eq!(game.after(0), Some(game.start));
        assert_eq!(game.after(game.moves.len()), Some(game.last()));
        let text = kif::write(&game, "投了");
        assert_eq!(record::read(&text).as_ref(), Ok(&game));
        // The same bytes as older programs write them.
        let (bytes, _, lossy) = encoding_rs::SHIFT_JIS.encode(&text);
        assert!(!lossy);
        assert_eq!(record::decode(&bytes).as_deref(), Ok(text.as_str()));
        let mut csa = "V2.2\nPI\n+\n".to_string();
        let mut position = game.start;
        for &mv in &game.moves {
            csa.push_str(&format!("{}\nT1\n", csa::spell(&position, mv)));
            position = position.play(mv);
        }
        csa.push_str("%TORYO\n");
        assert_eq!(record::read(&csa).as_ref(), Ok(&game));
    }
}

#[test]
fn a_short_game_is_read_from_kif() {
    let text = "手合割：平手\n先手：甲\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:16/00:00:16)\n\
                   2 ３四歩(33)\n*a comment\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ４五角打\n   6 中断\n";
    let game = record::read(text).expect("KIF");
    let usi = "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e";
    assert_eq!(record::read(usi), Ok(game.clone()));
    assert_eq!(
        game.after(2),
        record::read("startpos moves 7g7f 3c3d").ok().map(|game| game.last())
    );
    assert_eq!(game.after(6), None);
    let before = game.after(3).expect("three moves");
    assert_eq!(japanese::spell(&before, game.moves[3], Some(game.moves[2].to())), "同　銀(31)");
    assert_eq!(csa::spell(&before, game.moves[3]), "-3122GI");
    // Without the square of origin, as in books.
    let book = "手合割：二枚落ち\n   1 △６二銀\n   2 ▲７六歩\n";
    let game = record::read(book).expect("KIF");
    assert_eq!(game.start.turn(), Side::White);
    assert_eq!(game.moves.len(), 2);
}

#[test]
fn pieces_that_are_left_out_can_be_filled_in() {
    let text = "後手の持駒：残り全部\n|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n";
    let rows = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8);
    let game = record::read(&format!("{text}{rows}先手の持駒：金二\n")).expect("a diagram");
    assert_eq!(sfen::write(&game.start), "k8/9/9/9/9/9/9/9/9 b 2G2r2b2g4s4n4l18p 1");
    let csa = record::read("P-11OU\nP+00KI00KI\nP-00AL\n+\n").expect("CSA");
    assert_eq!(sfen::write(&csa.start), "8k/9/9/9/9/9/9/9/9 b 2G2r2b2g4s4n4l18p 1");
    let removed = record::read("PI82HI22KA\n-\n").expect("CSA");
    assert_eq!(removed.start.turn(), Side::White);
    assert_eq!(Ok(removed.start), record::read("手合割：二枚落ち\n").map(|game: Game| game.start));
}

#[test]
fn illegal_positions_are_refused_with_what_is_wrong_and_where() {
    for (text, expected) in [
        ("8k/9/9/8P/8P/9/9/9/9 b - 1", "2 unpromoted pawns of Black on file 1: 1d, 1e"),
        ("8k/9/9/8p/8p/9/9/9/9 b - 1", "2 unpromoted pawns of White on file 1: 1d, 1e"),
        ("P7k/9/9/9/9/9/9/9/9 b - 1", "Black's pawn on 9a can never move"),
        ("8k/N8/9/9/9/9/9/9/9 b - 1", "Black's knight on 9b can never move"),
        ("8k/9/9/9/9/9/9/9/l8 b - 1", "White's lance on 9i can never move"),
        ("9/9/9/9/9/9/9/9/8K b - 1", "no king of White, the side to be mated"),
        (
            "7Gk/9/9/9/9/9/9/9/9 b - 1",
            "the king of White on 1a is in check by the piece on 2a, but Black is to move",
        ),
        ("7k1/9/9/9/9/9/9/9/9 b 5G 1", "5 of kind gold in the hand of Black; a set has 4"),
        (
            "GG5k1/9/9/9/9/9/9/9/9 b 2Gg 1",
            "5 pieces of kind gold, promoted and in hand included; a set has 4",
        ),
        ("k7k/9/9/9/9/9/9/9/9 b - 1", "two kings of White, on 9a and 1a"),
        ("8k/9/9/9/9/9/9/9 b - 1", "8 ranks in \"8k/9/9/9/9/9/9/9\"; expected 9"),
        ("7k/9/9/9/9/9/9/9/9 b - 1", "rank a: \"7k\" has 8 files; expected 9"),
        ("8x/9/9/9/9/9/9/9/9 b - 1", "rank a: 'x' is no piece"),
        ("8k/9/+G8/9/9/9/9/9/9 b - 1", "rank c: a gold does not promote"),
        ("8k/9/9/9/9/9/9/9/9 x - 1", "side to move \"x\"; expected b or w"),
        ("8k/9/9/9/9/9/9/9/9 b K 1", "a king in hand"),
        ("8k/9/9/9/9/9/9/9/9 b 0P 1", "hands \"0P\"; expected as in 2Pg, or -"),
        ("8k/9/9/9/9/9/9/9/9 b - one", "\"one\" after the hands; expected a move number"),
    ] {
        let found = sfen::read(text).and_then(|position| legality::check(&position, Side::Black));
        assert_eq!(found.map_err(|fault| fault.to_string()), Err(expected.to_string()), "{text}");
    }
}

#[test]
fn the_problems_with_two_pawns_on_a_file_are_all_refused() {
    for (text, _, name) in data::problems("illegal-start.sfen") {
        let position = sfen::read(&text).expect("an SFEN");
        let fault = legality::check(&position, position.turn()).expect_err(&name).to_string();
        assert!(fault.contains("pawns of") && fault.contains("on file"), "{name}: {fault}");
    }
}

#[test]
fn broken_records_are_refused_with_the_line() {
    for (text, expected) in [
        ("手合割：平手\n   1 ７六歩(78)\n", "line 2: \"７六歩(78)\": no pawn on 7h"),
        ("手合割：平手\n   1 ７五歩(77)\n", "line 2: 7g7e is not legal for the pawn here"),
        ("PI\n+\n+7775FU\n", "line 3: 7g7e is not legal for the pawn here"),
        ("PI\n+\n-3334FU\n", "line 3: \"-3334FU\", but Black is to move"),
        ("startpos moves 7g7f 7g7f", "move 2: 7g7f is not legal: no piece on 7g"),
        ("|v玉|", "9 ranks"),
    ] {
        let fault = record::read(text).expect_err(text).to_string();
        assert!(fault == expected || expected == "9 ranks", "{text}: {fault}");
    }
}
