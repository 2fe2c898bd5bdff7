use super::*;
use hasami_andor::{Verdict, oracle};

fn made(spelling: &str) -> Pyonpyon {
    let params = Params::parse(PARAMS, spelling).unwrap();
    Pyonpyon::from_params(&params).unwrap()
}

fn refused(spelling: &str) -> String {
    let params = Params::parse(PARAMS, spelling).unwrap();
    Pyonpyon::from_params(&params).unwrap_err().to_string()
}

/// The state after moving the pieces on these cells in order.
fn after(game: &Pyonpyon, cells: &[&str]) -> Position {
    let mut state = game.root();
    for cell in cells {
        let mut moves = Moves::new();
        assert_eq!(game.expand(&state, &mut moves), Expansion::Open);
        let mv = moves.iter().find(|&mv| game.show_move(&state, mv) == *cell);
        state = game.play(&state, mv.unwrap_or_else(|| panic!("no move {cell}")));
    }
    state
}

#[test]
fn figure_3_the_first_move_jumps_over_two_own_pieces() {
    let game = made("");
    let start = "SSS...GGG/SSS...GGG/SSS...GGG:first";
    assert_eq!(game.board.spell(&game.root()), start);
    let next = after(&game, &["9"]);
    assert_eq!(game.board.spell(&next), "SSS...GGG/.SSS..GGG/SSS...GGG:second");
    // Figure 3 (c): won by the first player.
    let won = game.board.parse("G.GG..SSS/GGG...SSS/GGG...SSS:second").unwrap();
    let expansion = game.expand(&won, &mut Moves::new());
    assert_eq!(expansion, Expansion::Settled(Verdict::Proven));
}

#[test]
fn figures_7_and_14_the_solution_in_five_plies() {
    for rule in ["pass", "loses", "draw"] {
        let game = made(&format!("no-move={rule} position=GG.SS.G.S/GGG...SSS/GGG...SSS"));
        let figures = [
            (vec!["4"], "GG.S.SG.S"),
            (vec!["4", "6"], "GG.SGS..S"),
            (vec!["4", "6", "3"], "GG..GSS.S"),
            (vec!["4", "6", "3", "4"], "GG.G.SS.S"),
            (vec!["4", "6", "3", "4", "5"], "GG.G..SSS"),
        ];
        for (cells, row) in figures {
            let shown = game.show(&after(&game, &cells));
            assert!(shown.starts_with(&format!("{row}\nGGG...SSS\nGGG...SSS\n")), "{shown}");
        }
        let end = after(&game, &["4", "6", "3", "4", "5"]);
        let expansion = game.expand(&end, &mut Moves::new());
        assert_eq!(expansion, Expansion::Settled(Verdict::Proven));
    }
}

#[test]
fn the_bounded_question_finds_the_five_plies_of_figure_7() {
    for (within, verdict) in [("3", Verdict::Disproven), ("5", Verdict::Proven)] {
        let spelling = format!("position=GG.SS.G.S/GGG...SSS/GGG...SSS within={within}");
        let answer = oracle::solve(&made(&spelling), 10_000).unwrap();
        assert_eq!(answer.root, verdict, "{within}");
    }
}

#[test]
fn a_side_without_a_move_passes_loses_or_draws() {
    // No S can move; once G has left the corner, S is home with one move.
    for (rule, win, not_lose) in [
        ("pass", Verdict::Proven, Verdict::Proven),
        ("loses", Verdict::Disproven, Verdict::Disproven),
        ("draw", Verdict::Disproven, Verdict::Proven),
    ] {
        for (ask, verdict) in [("win", win), ("not-lose", not_lose)] {
            let spelling = format!("rows=1 no-move={rule} ask={ask} position=GG...SSSG");
            let game = made(&spelling);
            let mut moves = Moves::new();
            let expansion = game.expand(&game.root(), &mut moves);
            match rule {
                "pass" => assert_eq!(moves.iter().collect::<Vec<_>>(), [Step::Pass]),
                _ => assert_eq!(expansion, Expansion::Settled(verdict)),
            }
            assert_eq!(oracle::solve(&game, 100).unwrap().root, verdict, "{spelling}");
        }
    }
}

#[test]
fn rows_can_be_exchanged_and_sides_too() {
    let key = |position: &str| {
        let game = made(&format!("position={position}"));
        game.key(&game.root())
    };
    let one = key("GG.SS.G.S/GGG...SSS/.GGG..SSS:first");
    assert_eq!(one, key("GGG...SSS/.GGG..SSS/GG.SS.G.S:first"));
    assert_eq!(one, key("G.S.GG.SS/GGG...SSS/GGG..SSS.:second"));
    assert_ne!(one, key("GG.SS.G.S/GGG...SSS/.GGG..SSS:second"));
    assert_ne!(one, key("GG.S.SG.S/GGG...SSS/.GGG..SSS:first"));
}

#[test]
fn what_is_no_position_is_refused_with_its_place() {
    for (spelling, expected) in [
        ("position=GGG/SSS", "3 rows with / between them, not 2"),
        ("position=GGG...SSS/GGG...SSS/GG...SSS", "9 cells, not 8, in row 3"),
        ("position=GGG...SSS/GGX...SSS/GGG...SSS", "S, G or . in column 3, not 'X', in row 2"),
        (
            "position=SSSSGGGG./GGG...SSS/GGG...SSS",
            "3 S and 3 G (pieces stay in their row), not 4 and 4, in row 1",
        ),
        ("position=.GGG..SSS/GGG...SSS/GGG...SSS", "the first player has won already"),
        ("position=start:third", "first or second after the colon, not \"third\""),
        ("home=5", "a whole number from 1 to 4"),
        ("columns=6 home=3", "a whole number from 1 to 2"),
        ("within=0", "any, shortest, or a whole number from 1 to 9999"),
    ] {
        let wrong = refused(spelling);
        assert!(wrong.contains(expected), "{wrong}");
    }
}

#[test]
fn the_spelling_of_a_position_does_not_change_the_question() {
    let id = |spelling: &str| made(spelling).id();
    let start = "SSS...GGG/SSS...GGG/SSS...GGG";
    assert_eq!(id(""), id(&format!("position={start}")));
    assert_eq!(id(""), id("position=start:first"));
    assert_ne!(id(""), id("position=start:second"));
    assert_ne!(id(""), id("within=9"));
    assert_ne!(id(""), id("no-move=draw"));
    assert_ne!(id(""), id("ask=not-lose"));
}
