//! Thermographs by definition: the walls are the stops of the game cooled, step by step.

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
