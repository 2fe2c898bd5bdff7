//! `play`: the certificate at the other side of the board, with moves piped in as a user types them.

use hasami_forge::{Node, Part, file, parts};
use hasami_tests::{Hasami, Run};

/// A program that has solved this question.
fn solved(question: &str) -> Hasami {
    let hasami = Hasami::new();
    let _ = hasami.solve(question);
    hasami
}

#[track_caller]
fn says(run: &Run, words: &[&str]) {
    for word in words {
        assert!(run.stdout.contains(word), "no {word:?} on standard output: {run:#?}");
    }
}

#[test]
fn a_polyomino_is_completed_against_stones_on_the_board_beyond_it_and_elsewhere() {
    let hasami = solved("polyomino Square W");
    let run = hasami.run_with("play polyomino Square W", "e6\n0,-3\nelsewhere\n").expect(0);
    says(
        &run,
        &[
            "winner: Square & W, infinite board, strong game: Black wins with at most 5 stones",
            "plays Black; you play White.",
            "Black plays f6\n     a  b  c",
            "  6  .  .  .  .  . (X) .",
            "White? e6\nWhite plays e6\n",
            "White plays 0,-3\n",
            // Outside the window, and still on the board.
            "\n -3  O\n",
            "O far away on ",
            "[X]",
        ],
    );
    assert!(run.stdout.ends_with("\n\nBlack wins with 4 stones\n"), "{run:#?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn wrong_input_is_explained_and_asked_for_again() {
    let hasami = solved("polyomino Square W");
    let typed = "f6\nz\nf6,1\n\nhelp\nmoves\nshow\nundo\ng6\nundo\nquit\na1\n";
    let run = hasami.run_with("play polyomino Square W", typed).expect(0);
    says(
        &run,
        &[
            "Black has a stone on f6; expected an empty cell, like a1;",
            "found \"z\"; expected an empty cell",
            "found \"f6,1\"; expected",
            "type an empty cell, like a1; or column,row of any other, like 0,-3 (a1 is 1,1)",
            "  undo   take your last move back",
            "121 elsewhere",
            "there is no move of yours to take back",
            "White plays g6\nBlack plays ",
        ],
    );
    // The move that was taken back is gone, and nothing is read after `quit`.
    assert!(run.stdout.ends_with("quit\nthe game ends here, after 1 moves\n"), "{run:#?}");
}

#[test]
fn the_end_of_the_input_ends_the_game_politely() {
    let hasami = solved("chomp rows=2 columns=2");
    let run = hasami.run_with("play chomp rows=2 columns=2", "").expect(0);
    says(&run, &["OR plays row 2 column 2\n##\n#\n", "the game ends here, after 1 moves"]);
    let json = hasami.run_with("play chomp rows=2 columns=2 --output json", "nonsense\n").expect(0);
    let answer = json.json();
    assert_eq!(answer["finished"], false, "{answer}");
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(1), "{answer}");
    assert!(json.stderr.contains("found \"nonsense\"; expected one of 2 moves"), "{json:#?}");
}

#[test]
fn moves_go_by_their_names_or_their_numbers() {
    let hasami = solved("chomp rows=2 columns=2");
    for typed in ["row 1 column 2", "ROW 1 COLUMN 2", "1"] {
        let run = hasami.run_with("play chomp rows=2 columns=2 --output json", typed).expect(0);
        let answer = run.json();
        assert_eq!(answer["finished"], true, "{answer}");
        assert_eq!(answer["end"], "the rules settle it: proven", "{answer}");
        assert_eq!(answer["moves"][1], "row 1 column 2", "{answer}");
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn the_program_takes_the_side_of_the_certificate() {
    let hasami = solved("mnk width=3 height=2 line=2");
    let run = hasami.run_with("play mnk width=3 height=2 line=2 --output quiet", "a1\na2\n");
    assert_eq!(run.expect(0).stdout, "Maker wins with 2 stones\n");
    let hasami = solved("polyomino Square board=3x3 stones=any");
    let run = hasami.run_with("play polyomino Square --board 3x3 stones=any", "b2\n").expect(0);
    says(&run, &["plays White; you play Black", "Black? b2\nBlack plays b2\nWhite plays "]);
}

#[test]
fn a_paving_answers_in_the_partner_cell_wherever_black_plays() {
    let hasami = solved("polyomino Square I");
    let run = hasami.run_with("play polyomino Square I --output json", "30,30\n26,30\n").expect(0);
    let answer = run.json();
    assert_eq!(answer["program"], "White", "{answer}");
    let moves: Vec<(i32, i32)> = (0..4)
        .filter_map(|at| answer["moves"][at].as_str()?.split_once(','))
        .filter_map(|(column, row)| Some((column.parse().ok()?, row.parse().ok()?)))
        .collect();
    let [first, one, second, other] = moves[..] else { panic!("{answer}") };
    let step = |(a, b): (i32, i32), (c, d): (i32, i32)| (c - a, d - b);
    // The period of the paving is four columns wide: the same step again, to a cell beside it.
    assert_eq!(step(first, one), step(second, other), "{answer}");
    let (right, down) = step(first, one);
    assert_eq!(right.abs() + down.abs(), 1, "{answer}");
}

#[test]
fn a_random_opponent_loses_thousands_of_games_and_the_same_ones_for_a_seed() {
    let hasami = solved("polyomino Square R");
    let line = "play polyomino Square R --opponent random --games 2000 --output json --seed";
    let answer = hasami.run(&format!("{line} 1")).expect(0).json();
    assert_eq!(answer["games"], 2000, "{answer}");
    let ends = answer["ends"].as_object().expect("ends by count");
    assert!(ends.keys().all(|end| end.starts_with("Black wins with ")), "{answer}");
    assert_eq!(ends.values().filter_map(|count| count.as_u64()).sum::<u64>(), 2000, "{answer}");
    assert_eq!(hasami.run(&format!("{line} 1")).expect(0).json(), answer);
    let other = hasami.run(&format!("{line} 2")).expect(0).json();
    assert_ne!(other["ends"], answer["ends"], "another seed plays other games");
    let one = hasami.run("play polyomino Square R --opponent random").expect(0);
    says(&one, &["Black plays f6", "White plays ", "[X]", "1 games against a random opponent"]);
}

#[test]
fn every_game_can_be_played() {
    let hasami = Hasami::new();
    for question in [
        "polyomino Tippy",
        "mnk width=3 height=3 line=3",
        "chomp rows=3 columns=4",
        "paving I L board=5x5 pairs=any",
        "graph nodes=300 shape=cyclic sharing=0.4 leaves=0.15 seed=8",
        "synthetic depth=8 branching=3 width=100 seed=1",
    ] {
        let _ = hasami.solve(question);
        let run =
            hasami.run(&format!("play {question} --opponent random --games 50 --output json"));
        assert_eq!(run.expect(0).json()["games"], 50, "{question}");
    }
}

#[test]
fn a_question_without_a_certificate_says_how_to_get_one() {
    let hasami = Hasami::new();
    hasami.run("play polyomino Square W").is_bad_input(&[
        "hasami-data/certificates/polyomino-",
        "no such certificate yet; make it with\n  hasami solve polyomino shapes=Square,W",
    ]);
    hasami.run("play nothing.cert").is_bad_input(&["nothing.cert: no such file", "chomp"]);
    hasami.run("play").is_bad_input(&["nothing to do", "FILE"]);
    hasami.run("play chomp rows=99").is_bad_input(&["expected a whole number from 1 to 16"]);
    let _ = hasami.solve("chomp rows=2 columns=2 --certificate c.cert");
    hasami.run("play c.cert --games 5").is_bad_input(&["--opponent random"]);
    assert_eq!(
        hasami.run("play c.cert --opponent random --output quiet").expect(0).stdout,
        "1 the rules settle it: proven\n"
    );
}

#[test]
fn a_certificate_that_does_not_hold_is_not_played() {
    let hasami = solved("chomp rows=3 columns=3 --certificate c.cert");
    let mut forged = Part::parse(&parts(&hasami.path("c.cert"))[0]);
    // The answer to the first move is left out.
    *forged.root.at(1).unwrap() = Node::Leaf(1, Vec::new());
    hasami.write("forged.cert", file(&[forged.bytes()]));
    let run = hasami.run_with("play forged.cert", "1\n").expect(1);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("refused at node"), "{run:#?}");
    hasami.write("damaged.cert", &hasami.read("c.cert")[..40]);
    hasami.run("play damaged.cert").is_bad_input(&["damaged.cert"]);
}
