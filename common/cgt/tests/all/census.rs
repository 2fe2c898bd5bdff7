//! The number of values born by day n: 1, 4, 22, 1474 (Winning Ways; Conway 1976).

use std::collections::BTreeSet;

use hasami_cgt::{Games, Order, Value};

/// All values with options among these: on each side only antichains count.
fn next_day(games: &mut Games, born: &[Value]) -> Vec<Value> {
    let mut antichains: Vec<Vec<Value>> = vec![Vec::new()];
    for &value in born {
        for at in 0..antichains.len() {
            let apart = antichains[at]
                .iter()
                .all(|&other| games.compare(value, other).unwrap() == Order::Confused);
            if apart {
                let mut larger = antichains[at].clone();
                larger.push(value);
                antichains.push(larger);
            }
        }
    }
    let mut values = BTreeSet::new();
    for left in &antichains {
        for right in &antichains {
            values.insert(games.make(left, right).unwrap());
        }
    }
    values.into_iter().collect()
}

#[test]
fn as_many_values_are_born_by_each_day_as_are_known() {
    let mut games = Games::new();
    let mut born = vec![games.zero()];
    for expected in [4, 22, 1474] {
        born = next_day(&mut games, &born);
        assert_eq!(born.len(), expected);
    }
    // Equal values have equal ids: no two of the last day compare as equal.
    for (i, &a) in born.iter().enumerate() {
        for &b in &born[..i] {
            assert!(!(games.le(a, b).unwrap() && games.le(b, a).unwrap()));
        }
    }
}
