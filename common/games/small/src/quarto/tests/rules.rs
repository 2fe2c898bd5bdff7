//! Rules, notation and bytes; the figures of Ogawa, Koizumi and Otsuki.

use hasami_andor::{Expansion, Moves, Problem, Turn, Verdict, oracle};
use proptest::prelude::*;

use super::plain::random_position;
use crate::quarto::{Ply, Quarto, Solver, State, Value, notation};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_spec::Params;

fn made(spelling: &str) -> Quarto {
    Quarto::from_params(&Params::parse(Quarto::params(), spelling).unwrap()).unwrap()
}

fn refused(spelling: &str) -> String {
    let params = Params::parse(Quarto::params(), spelling).unwrap();
    Quarto::from_params(&params).unwrap_err().to_string()
}

fn list(game: &Quarto, state: &State) -> (Expansion, Vec<Ply>) {
    let mut moves = Moves::new();
    let expansion = game.expand(state, &mut moves);
    (expansion, moves.iter().collect())
}

fn follow(game: &Quarto, plies: &[&str]) -> State {
    plies.iter().fold(game.root(), |state, name| {
        let (_, moves) = list(game, &state);
        let ply = moves.into_iter().find(|&ply| game.show_move(&state, ply) == *name);
        game.play(&state, ply.unwrap_or_else(|| panic!("no ply {name}")))
    })
}

#[test]
fn figure_1b_is_a_finished_game() {
    // Its last row but one is read from the figure: 1000 at cell 10.
    let text = "9..0.fd1..8276.5,a";
    let wrong = notation::read(text).unwrap_err();
    assert!(wrong.contains("the game is over"), "{wrong}");
}

#[test]
fn figure_12_solves_figure_5_in_three_plies() {
    let game = made("position=...0.fd1...2....,c within=shortest");
    let end = follow(&game, &["0:e", "15:3", "4"]);
    assert_eq!(list(&game, &end).0, Expansion::Settled(Verdict::Proven));
    assert_eq!(game.rest(&end), Some(0));
    assert_eq!(notation::write(end.position()), "c..03fd1...2...e,-");
}

#[test]
fn where_a_line_can_be_completed_only_that_is_offered() {
    let game = made("position=012.............,8");
    let (_, moves) = list(&game, &game.root());
    assert_eq!(moves, [Ply { cell: 3, gift: None }]);
}

#[test]
fn the_last_piece_ends_the_game_in_a_draw_or_a_win() {
    let mut random = SplitMix::new(6);
    let mut draws = 0;
    for _ in 0..200 {
        let plain = random_position(15, &mut random);
        for (ask, of_draw) in [("win", Verdict::Disproven), ("not-lose", Verdict::Proven)] {
            let game = made(&format!("position={} ask={ask}", plain.spelled()));
            let (_, moves) = list(&game, &game.root());
            let end = game.play(&game.root(), moves[0]);
            let draw = plain.value() == Value::Draw;
            let verdict = if draw { of_draw } else { Verdict::Proven };
            assert_eq!(list(&game, &end).0, Expansion::Settled(verdict));
            draws += u32::from(draw);
        }
    }
    assert!((1..400).contains(&draws));
}

#[test]
fn the_oracle_answers_every_question_as_the_solver_does() {
    let mut random = SplitMix::new(7);
    for _ in 0..30 {
        let plain = random_position(11 + random.below(3) as usize, &mut random);
        let value = Solver::new(1).value(&plain.position()).unwrap();
        for within in 1..=6u8 {
            for ask in ["win", "not-lose"] {
                let spelling = format!("position={} ask={ask} within={within}", plain.spelled());
                let answer = oracle::solve(&made(&spelling), 1_000_000).unwrap();
                let proven = match ask {
                    "win" => matches!(value, Value::Win(plies) if plies <= within),
                    _ => !matches!(value, Value::Loss(plies) if plies <= within),
                };
                assert_eq!(answer.root == Verdict::Proven, proven, "{spelling} {value:?}");
            }
        }
    }
}

#[test]
fn the_fewest_plies_are_asked_for_one_after_the_other() {
    let params =
        Params::parse(Quarto::params(), "position=...0.fd1...2....,c within=shortest").unwrap();
    let within = |stage| {
        let asked = Quarto::SPEC.stage(&params, stage).unwrap();
        asked.map(|asked| asked.text("within").unwrap().to_string())
    };
    let stages: Vec<Option<String>> = (0..7).map(within).collect();
    let expected = ["1", "3", "5", "7", "9", "11"].map(|n| Some(n.to_string()));
    assert_eq!(stages[..6], expected);
    assert_eq!((&stages[6], within(u32::MAX)), (&None, None));
}

#[test]
fn wrong_parameters_are_refused_with_what_was_expected() {
    for (spelling, part) in [
        ("position=...0", "found 4 of these 17 signs"),
        ("position=...0.fd1...2....", "found 16 of these 17 signs"),
        ("position=...0.fd1...2....,.", "found no piece in hand"),
        ("position=...0.fd1...2....,cc", "found more from character 19 on"),
        ("position=...g.fd1...2....,c", "found 'g' at character 4"),
        ("position=...0.fd1...0....,c", "found 0 again at character 12"),
        ("position=...0.fd1...2....,f", "found f again at character 18"),
        ("position=0123............,f", "the game is over"),
        ("within=17", "a number from 1 to 16, any or shortest"),
        ("within=0", "a number from 1 to 16, any or shortest"),
        ("ask=not-lose within=shortest", "ask=win with it"),
    ] {
        let wrong = refused(spelling);
        assert!(wrong.contains(part), "{spelling}: {wrong}");
    }
}

#[test]
fn a_position_may_be_written_in_several_ways() {
    let expected = notation::read("...0.fd1...2....,c").unwrap();
    for text in ["...0.fd1...2....c", "...0/.FD1/...2/..../C", "...0 .fd1 ...2 .... : c"] {
        assert_eq!(notation::read(text), Ok(expected), "{text}");
    }
    assert_eq!(
        made("position=...0/.fd1/...2/....:c").id(),
        made("position=...0.fd1...2....,c").id()
    );
}

#[test]
fn bytes_that_are_no_state_of_the_question_are_refused() {
    let game = made("position=...0.fd1...2....,c within=3");
    let mut root = Vec::new();
    game.encode(&game.root(), &mut root);
    assert_eq!(game.decode(&root), Ok(game.root()));
    let changed = |at: usize, byte: u8| {
        let mut bytes = root.clone();
        bytes[at] = byte;
        game.decode(&bytes)
    };
    for (at, byte) in [(0, 1), (0, 2), (1, 3), (1, 15), (1, 16), (1, 17), (2, 0), (4, 1), (5, 1)] {
        assert!(changed(at, byte).is_err(), "{at} {byte}");
    }
    // A fourth ply is more than the question allows.
    let (three, five) = (made("within=3"), made("within=5"));
    let state = follow(&five, &["0:1", "1:2", "6:3", "11:4"]);
    let mut bytes = Vec::new();
    five.encode(&state, &mut bytes);
    assert!(five.decode(&bytes).is_ok() && three.decode(&bytes).is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9a-gA-F./,: -]{0,20}") {
        if let Ok(position) = notation::read(&text) {
            prop_assert_eq!(notation::read(&notation::write(&position)), Ok(position));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..14)) {
        let game = made("position=...0.fd1...2....,c");
        if let Ok(state) = game.decode(&bytes) {
            let mut again = Vec::new();
            game.encode(&state, &mut again);
            prop_assert_eq!(again, bytes);
        }
    }

    #[test]
    fn states_of_random_games_survive_their_bytes(seed in any::<u64>()) {
        let mut random = SplitMix::new(seed);
        let game = made("");
        let mut state = game.root();
        loop {
            let mut bytes = Vec::new();
            game.encode(&state, &mut bytes);
            prop_assert_eq!(game.decode(&bytes), Ok(state));
            let (expansion, moves) = list(&game, &state);
            if expansion != Expansion::Open {
                break;
            }
            let ply = moves[random.below(moves.len() as u32) as usize];
            let next = game.play(&state, ply);
            prop_assert_eq!(game.turn(&next) == Turn::Or, game.turn(&state) == Turn::And);
            state = next;
        }
    }
}
