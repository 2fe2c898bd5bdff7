//! The solver against exhaustive search.

use super::plain::random_position;
use crate::quarto::solver::{Exhausted, plies};
use crate::quarto::{Solver, Value};
use hasami_game::random::SplitMix;

/// Compares this many random endings; 9 in 10 of them with four or five empty cells, otherwise six.
fn compare(endings: usize, seed: u64) {
    let mut random = SplitMix::new(seed);
    let mut solver = Solver::new(4);
    let mut seen = [0u32; 3];
    for at in 0..endings {
        let pieces = if at % 10 == 0 { 10 } else { 11 + at % 2 };
        let plain = random_position(pieces, &mut random);
        let value = plain.value();
        assert_eq!(solver.value(&plain.position()), Ok(value), "{}", plain.spelled());
        seen[match value {
            Value::Win(1) => 0,
            Value::Draw => 1,
            _ => 2,
        }] += 1;
    }
    assert!(seen.iter().all(|&count| count as usize > endings / 20), "{seen:?}");
}

#[test]
fn random_endings_have_the_values_of_exhaustive_search() {
    compare(400, 1);
}

#[test]
#[ignore = "minutes"]
fn a_hundred_thousand_random_endings_have_the_values_of_exhaustive_search() {
    compare(100_000, 2);
}

#[test]
fn bounds_agree_with_the_value() {
    let mut random = SplitMix::new(3);
    for _ in 0..200 {
        let position = random_position(8 + random.below(4) as usize, &mut random).position();
        let value = Solver::new(4).value(&position).unwrap();
        // A new solver each time: the order of questions must not matter.
        for most in (1..=16).rev() {
            let mut solver = Solver::new(1);
            let wins = matches!(value, Value::Win(plies) if plies <= most);
            let loses = matches!(value, Value::Loss(plies) if plies <= most);
            assert_eq!(solver.wins_within(&position, most), Ok(wins));
            assert_eq!(solver.loses_within(&position, most), Ok(loses));
        }
    }
}

#[test]
fn the_value_is_that_of_the_best_ply() {
    let mut random = SplitMix::new(4);
    let mut solver = Solver::new(4);
    for _ in 0..100 {
        let position = random_position(9, &mut random).position();
        let value = solver.value(&position).unwrap();
        let rank = |value| match value {
            Value::Win(plies) => 100 - i32::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i32::from(plies) - 100,
        };
        let best = plies(&position).map(|ply| rank(solver.value_of(&position, ply).unwrap())).max();
        assert_eq!(best, Some(rank(value)));
    }
}

#[test]
fn a_solver_that_may_not_work_says_so() {
    let mut solver = Solver::new(1);
    solver.allow(0);
    let position = crate::quarto::notation::read("...0.fd1...2....,c").unwrap();
    assert_eq!(solver.value(&position), Err(Exhausted));
    solver.allow(u64::MAX);
    assert_eq!(solver.value(&position), Ok(Value::Win(3)));
}
