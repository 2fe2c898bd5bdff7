use super::*;
use hasami_andor::{Verdict, oracle};

fn made(spelling: &str) -> Mancala {
    let params = Params::parse(PARAMS, spelling).unwrap();
    Mancala::from_params(&params).unwrap()
}

fn refused(spelling: &str) -> String {
    let params = Params::parse(PARAMS, spelling).unwrap();
    Mancala::from_params(&params).unwrap_err().to_string()
}

/// The state after sowing these pockets in order.
fn after(game: &Mancala, pockets: &[&str]) -> Position {
    let mut state = game.root();
    for pocket in pockets {
        let mut moves = Moves::new();
        assert_eq!(game.expand(&state, &mut moves), Expansion::Open);
        let mv = moves.iter().find(|&mv| game.show_move(&state, mv) == *pocket);
        state = game.play(&state, mv.unwrap_or_else(|| panic!("no pocket {pocket}")));
    }
    state
}

#[test]
fn figure_2_the_first_sowing_of_a_game() {
    let game = made("");
    let next = after(&game, &["1"]);
    assert_eq!(game.ring.spell(&next), "5,0,4,4,4,4/4,4,4,4,5,5:second");
}

#[test]
fn figures_6_and_13_five_sowings_are_one_ply() {
    for goal in ["either", "own"] {
        let game = made(&format!("goal={goal} position=4,2,2,4,0,0/4,4,4,4,4,4:first"));
        let figures = [
            (vec!["1"], "5,0,2,4,0,0/4,4,4,4,4,4:first"),
            (vec!["1", "3"], "6,1,3,0,0,0/4,4,4,4,4,4:first"),
            (vec!["1", "3", "2"], "7,2,0,0,0,0/4,4,4,4,4,4:first"),
            (vec!["1", "3", "2", "1"], "8,0,0,0,0,0/4,4,4,4,4,4:first"),
            // Through both goals: the eighth seed falls into the other one.
            (vec!["1", "3", "2", "1", "0"], "0,0,0,0,0,0/5,5,5,5,5,5:second"),
        ];
        let mut plies = 0;
        for (pockets, expected) in figures {
            let (last, before) = pockets.split_last().unwrap();
            let state = after(&game, before);
            let mv = Sowing::Pocket(last.parse().unwrap());
            plies += game.length(&state, mv).unwrap();
            assert_eq!(game.ring.spell(&game.play(&state, mv)), expected);
        }
        assert_eq!(plies, 1);
        let bounded = made(&format!("goal={goal} within=1 position=4,2,2,4,0,0/4,4,4,4,4,4"));
        assert_eq!(oracle::solve(&bounded, 100_000).unwrap().root, Verdict::Proven);
    }
}

#[test]
fn figures_8_and_15_are_three_plies_only_if_the_opponent_passes() {
    let position = "position=0,1,0,0,0,0/4,4,4,4,4,4:first";
    let game = made(&format!("{position} replies=pass"));
    let won = after(&game, &["1", "pass", "0"]);
    assert_eq!(game.ring.spell(&won), "0,0,0,0,0,0/4,4,4,4,4,4:second");
    for (spelling, verdict) in [
        (format!("{position} replies=pass within=1"), Verdict::Disproven),
        (format!("{position} replies=pass within=3"), Verdict::Proven),
        (format!("{position} replies=real within=3"), Verdict::Disproven),
    ] {
        assert_eq!(oracle::solve(&made(&spelling), 1_000_000).unwrap().root, verdict, "{spelling}");
    }
}

#[test]
fn a_lap_fills_the_pocket_it_began_in() {
    let game = made("position=0,0,15,0,0,0/0,0,0,0,0,1:first");
    let next = after(&game, &["2"]);
    assert_eq!(game.ring.spell(&next), "1,2,1,1,1,1/1,1,1,1,1,2:second");
    // Fourteen seeds end where they began; with two pits six do.
    let small = made("pits=2 position=0,6/1,0:first");
    assert_eq!(small.ring.spell(&after(&small, &["1"])), "1,1/2,1:second");
}

#[test]
fn whose_goal_it_is_matters_only_under_own() {
    // Nine seeds from pocket 1 end in goal 6, the opponent's.
    let position = "position=1,9,0,0,0,0/0,0,0,0,1,0:first";
    let on = after(&made(&format!("{position} goal=either")), &["1"]);
    assert_eq!(on.mover, Player::First);
    let over = after(&made(&format!("{position} goal=own")), &["1"]);
    assert_eq!(over.mover, Player::Second);
    // The second player's own goal is 6: one seed from pocket 7 falls into it.
    let second = made("position=1,0,0,0,0,0/1,0,0,0,1,0:second goal=own");
    assert_eq!(after(&second, &["7"]).mover, Player::Second);
}

#[test]
fn sides_can_be_exchanged() {
    let key = |position: &str| {
        let game = made(&format!("position={position}"));
        game.key(&game.root())
    };
    let one = key("1,2,0,0,0,5/0,3,0,0,0,0:first");
    assert_eq!(one, key("0,3,0,0,0,0/1,2,0,0,0,5:second"));
    assert_eq!(one, key("1,2,0,0,0,5,99,0,3,0,0,0,0,7"));
    assert_ne!(one, key("1,2,0,0,0,5/0,3,0,0,0,0:second"));
}

#[test]
fn what_is_no_position_is_refused_with_its_place() {
    for (spelling, expected) in [
        ("position=1,2,3", "start, or 6 pockets / 6 pockets"),
        ("position=1,2,3,4,5,x/0,0,0,0,0,1", "0 to 255 seeds in pocket 5, not \"x\""),
        ("position=1,2,3,4,5,6/0,0,0,-1,0,1", "0 to 255 seeds in pocket 10, not \"-1\""),
        ("position=0,0,0,0,0,0/0,0,0,0,0,1", "the first player's pits are empty"),
        ("position=0,0,0,0,0,9/0,0,0,0,0,0", "the second player's pits are empty"),
        ("position=200,0,0,0,0,0/56,0,0,0,0,0", "at most 255 seeds in all, not 256"),
        ("position=start:nobody", "first or second after the colon"),
        ("pits=7", "a whole number from 1 to 6"),
    ] {
        let wrong = refused(spelling);
        assert!(wrong.contains(expected), "{wrong}");
    }
}
