//! Thermographs by definition: the walls are the stops of the cooled game, step by step.

use hasami_cgt::{Dyadic, Games};

use crate::plain::{Dice, Plain};

#[test]
fn walls_are_the_stops_of_the_cooled_game() {
    let mut dice = Dice::new(11);
    let mut games = Games::new();
    for _ in 0..300 {
        let game = Plain::random(&mut dice, 4, 2, 4).value(&mut games);
        let thermograph = games.thermograph(game).unwrap();
        for step in 1..40 {
            // Not at corners, which are at multiples of small powers of two.
            let t = Dyadic::new(2 * step * 37 + 1, 9);
            let cooled = games.cool(game, &t).unwrap();
            let (left, right) = games.stops(cooled);
            assert_eq!((&thermograph.left.at(&t), &thermograph.right.at(&t)), (left, right));
            assert_eq!(left > right, t < thermograph.temperature, "{}", games.show(game));
        }
        let (left, right) = games.stops(game);
        assert_eq!(
            (&thermograph.left.at(&Dyadic::ZERO), &thermograph.right.at(&Dyadic::ZERO)),
            (left, right)
        );
    }
}

#[test]
fn walls_have_slopes_of_their_side_only() {
    let mut dice = Dice::new(12);
    let mut games = Games::new();
    for _ in 0..2000 {
        let game = Plain::random(&mut dice, 5, 2, 5).value(&mut games);
        let thermograph = games.thermograph(game).unwrap();
        for (wall, falls) in [(&thermograph.left, true), (&thermograph.right, false)] {
            for two in wall.points().windows(2) {
                let (run, rise) = (&two[1].t - &two[0].t, &two[1].v - &two[0].v);
                assert!(run > Dyadic::ZERO);
                assert!(rise.signum() == 0 || (if falls { -&rise } else { rise.clone() }) == run);
            }
            assert_eq!(wall.top(), thermograph.mast());
        }
    }
}

/// Steps of 1/64 up to temperature 7.
const STEPS: i64 = 7 * 64;

/// Both walls at every step, from the plain tree and the definition alone: taxed stops of the
/// options, until the left one is no longer greater.
fn by_steps(games: &mut Games, game: &Plain) -> Vec<(Dyadic, Dyadic)> {
    let value = game.value(games);
    if let Some(number) = games.number(value) {
        return vec![(number.clone(), number.clone()); STEPS as usize];
    }
    let left: Vec<_> = game.left.iter().map(|option| by_steps(games, option)).collect();
    let right: Vec<_> = game.right.iter().map(|option| by_steps(games, option)).collect();
    let mut walls = Vec::new();
    let mut mast: Option<Dyadic> = None;
    for step in 0..STEPS {
        let t = Dyadic::new(step, 6);
        let high = left.iter().map(|walls| &walls[step as usize].1 - &t).max().unwrap();
        let low = right.iter().map(|walls| &walls[step as usize].0 + &t).min().unwrap();
        if mast.is_none() && high <= low {
            assert_eq!(high, low, "the steps are fine enough to meet where the walls do");
            mast = Some(high.clone());
        }
        match &mast {
            Some(mast) => walls.push((mast.clone(), mast.clone())),
            None => walls.push((high, low)),
        }
    }
    walls
}

#[test]
fn walls_are_those_of_the_definition_step_by_step() {
    let mut dice = Dice::new(13);
    let mut games = Games::new();
    let mut hot = 0;
    for _ in 0..400 {
        let game = Plain::random(&mut dice, 4, 2, 4);
        let walls = by_steps(&mut games, &game);
        let value = game.value(&mut games);
        let thermograph = games.thermograph(value).unwrap();
        hot += u32::from(thermograph.temperature > Dyadic::ZERO);
        for (step, (left, right)) in walls.iter().enumerate() {
            let t = Dyadic::new(step as i64, 6);
            assert_eq!((&thermograph.left.at(&t), &thermograph.right.at(&t)), (left, right));
        }
    }
    assert!(hot > 100, "{hot}");
}
