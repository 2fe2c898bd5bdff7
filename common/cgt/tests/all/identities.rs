//! Random identities. `HASAMI_CGT_IDENTITIES` sets how many; 20,000 by default.

use std::collections::HashMap;

use hasami_cgt::{Convention, Dyadic, Games, Order, Value};

use crate::plain::{self, Dice, Plain, order};

fn how_many() -> u64 {
    let asked = std::env::var("HASAMI_CGT_IDENTITIES").ok();
    asked.map_or(20_000, |asked| asked.parse().expect("a number of identities"))
}

/// Three games, as plain trees and as values.
struct Three {
    plain: [Plain; 3],
    values: [Value; 3],
}

fn draw(games: &mut Games, dice: &mut Dice, depth: u32) -> Three {
    let integers = 1 + dice.below(5) as i64;
    let plain = [(); 3].map(|()| Plain::random(dice, depth, 2, integers));
    let values = [0, 1, 2].map(|i| plain[i].value(games));
    Three { plain, values }
}

#[test]
fn sums_order_and_cooling_keep_their_laws() {
    let mut dice = Dice::new(5);
    let mut games = Games::new();
    let mut checked = 0u64;
    let wanted = how_many();
    while checked < wanted {
        if games.len() > 2_000_000 {
            games = Games::new();
        }
        let depth = 2 + dice.below(3) as u32;
        let Three { plain, values: [a, b, c] } = draw(&mut games, &mut dice, depth);
        checked += laws_of_sums(&mut games, a, b, c);
        if size(&plain[0]) * size(&plain[1]) < 10_000 {
            let sum = plain::sum(&mut games, &mut HashMap::new(), a, b);
            assert_eq!(games.add(a, b).unwrap(), sum);
            checked += 1;
        }
        checked += laws_of_order(&mut games, a, b, c);
        checked += laws_of_cooling(&mut games, &mut dice, a, b);
        // Playing the sum out takes long: only for small games.
        if size(&plain[0]) * size(&plain[1]) < 400 {
            let sign = games.compare(a, b).unwrap().sign();
            assert_eq!(sign, order(&plain[0], &plain[1]), "{:?} {:?}", plain[0], plain[1]);
            checked += 1;
        }
    }
    println!("{checked} identities, {} values", games.len());
}

fn size(game: &Plain) -> usize {
    1 + game.left.iter().chain(&game.right).map(size).sum::<usize>()
}

fn laws_of_sums(games: &mut Games, a: Value, b: Value, c: Value) -> u64 {
    let ab = games.add(a, b).unwrap();
    assert_eq!(games.add(b, a).unwrap(), ab);
    let bc = games.add(b, c).unwrap();
    assert_eq!(games.add(ab, c).unwrap(), games.add(a, bc).unwrap());
    assert_eq!(games.sub(a, a).unwrap(), games.zero());
    let negative = games.neg(a).unwrap();
    assert_eq!(games.neg(negative).unwrap(), a);
    assert_eq!(games.sub(ab, b).unwrap(), a);
    // Built again from its options, a canonical form is itself.
    let (left, right) = (games.left(ab).unwrap(), games.right(ab).unwrap());
    assert_eq!(games.make(&left, &right).unwrap(), ab);
    // Means add up.
    let (mean_a, mean_b) = (games.mean(a).unwrap(), games.mean(b).unwrap());
    assert_eq!(games.mean(ab).unwrap(), mean_a + mean_b);
    7
}

fn laws_of_order(games: &mut Games, a: Value, b: Value, c: Value) -> u64 {
    let order = games.compare(a, b).unwrap();
    let difference = games.sub(a, b).unwrap();
    let zero = games.zero();
    assert_eq!(games.compare(difference, zero).unwrap(), order);
    let (minus_a, minus_b) = (games.neg(a).unwrap(), games.neg(b).unwrap());
    assert_eq!(games.compare(minus_b, minus_a).unwrap(), order);
    // Equal values have one id.
    assert_eq!(order == Order::Equal, a == b);
    let (ac, bc) = (games.add(a, c).unwrap(), games.add(b, c).unwrap());
    assert_eq!(games.compare(ac, bc).unwrap(), order);
    // The temperature of a sum is at most the higher one.
    let mut temperature = |value| games.temperature(value, Convention::Zero).unwrap();
    let highest = temperature(a).max(temperature(b));
    assert!(temperature(difference) <= highest);
    5
}

/// Cooling is additive below and past the temperatures (Conway 1976), and cooling twice is cooling
/// by both.
fn laws_of_cooling(games: &mut Games, dice: &mut Dice, a: Value, b: Value) -> u64 {
    let draw = |dice: &mut Dice| Dyadic::new(1 + dice.below(7) as i64, 2);
    let (s, t) = (draw(dice), draw(dice));
    let sum = games.add(a, b).unwrap();
    let (cold_a, cold_b) = (games.cool(a, &t).unwrap(), games.cool(b, &t).unwrap());
    assert_eq!(games.cool(sum, &t).unwrap(), games.add(cold_a, cold_b).unwrap());
    let (chill_a, chill_b) = (games.chill(a).unwrap(), games.chill(b).unwrap());
    assert_eq!(games.chill(sum).unwrap(), games.add(chill_a, chill_b).unwrap());
    let colder = games.cool(cold_a, &s).unwrap();
    assert_eq!(games.cool(a, &(&s + &t)).unwrap(), colder);
    // Cooling preserves the order.
    if games.le(a, b).unwrap() {
        assert!(games.le(cold_a, cold_b).unwrap());
    }
    assert_eq!(games.mean(cold_a).unwrap(), games.mean(a).unwrap());
    5
}
