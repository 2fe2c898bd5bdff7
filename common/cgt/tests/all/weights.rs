//! Atomic weights, birthdays, incentives, heating and products against known results.

use hasami_cgt::{Games, Value};

fn same(games: &mut Games, a: &str, b: &str) {
    let (left, right) = (games.parse(a).unwrap(), games.parse(b).unwrap());
    assert_eq!(left, right, "{a} is {}, not {b}", games.show(left));
}

#[test]
fn atomic_weights_count_ups() {
    let mut games = Games::new();
    for n in -5..=5 {
        for star in ["", "+*", "+*2", "+*5"] {
            same(&mut games, &format!("aw({n}.^{star})"), &n.to_string());
        }
    }
    // Uptimals and others (Winning Ways, chapter 8).
    same(&mut games, "aw({^|v})", "0");
    same(&mut games, "aw({^2|v2})", "*");
    same(&mut games, "aw({^4|v4})", "{2|-2}");
    assert!(games.parse("aw(1)").is_err());
    assert!(games.parse("aw(tiny(1))").is_err());
}

#[test]
fn atomic_weights_add_up() {
    let mut games = Games::new();
    // All values with options among these, and once more: all are all-small.
    let seeds: Vec<Value> = ["0", "*", "^", "v", "^*", "v*", "*2", "^2", "v2*"]
        .map(|text| games.parse(text).unwrap())
        .to_vec();
    let mut small = seeds.clone();
    for &a in &seeds {
        for &b in &seeds {
            small.push(games.make(&[a], &[b]).unwrap());
            small.push(games.make(&[a, Value::ZERO], &[b]).unwrap());
        }
    }
    let mut all_small = Vec::new();
    for value in small {
        if games.is_all_small(value).unwrap() {
            all_small.push(value);
        }
    }
    assert!(all_small.len() > 90);
    for &a in &all_small {
        let weight_a = games.atomic_weight(a).unwrap().unwrap();
        for &b in &all_small[..40] {
            let sum = games.add(a, b).unwrap();
            let weight_b = games.atomic_weight(b).unwrap().unwrap();
            let weights = games.add(weight_a, weight_b).unwrap();
            assert_eq!(games.atomic_weight(sum).unwrap(), Some(weights), "{}", games.show(sum));
        }
        // The two-ahead rule.
        let two = games.integer(2).unwrap();
        if games.le(two, weight_a).unwrap() {
            assert!(a != Value::ZERO && games.le(Value::ZERO, a).unwrap());
        }
    }
}

#[test]
fn birthdays_are_depths() {
    let mut games = Games::new();
    for (game, day) in [
        ("0", 0),
        ("-7", 7),
        ("3/2", 3),
        ("5/4", 4),
        ("-3/8", 4),
        ("*3", 3),
        ("^", 2),
        ("^2", 3),
        ("±1", 2),
        ("tiny(2)", 4),
        ("1/2+*", 3),
    ] {
        same(&mut games, &format!("birthday({game})"), &day.to_string());
    }
}

#[test]
fn heating_undoes_cooling_of_switches_and_products_multiply_numbers() {
    let mut games = Games::new();
    same(&mut games, "heat(*,1)", "±1");
    same(&mut games, "heat(1/2,1)", "1/2");
    same(&mut games, "heat(2^,1)", "3||2|0");
    same(&mut games, "overheat(1/2,1,1)", "1|0");
    same(&mut games, "norton(3,^)", "^3");
    same(&mut games, "norton(1/2,1)", "1/2");
    for (a, b) in [("1/2", "3/4"), ("*", "1/2"), ("±2", "^"), ("1/2", "-1/2"), ("2*", "{3|1/2}")] {
        for u in ["^", "2", "1*", "1/2", "{2|1}", "tiny(1)"] {
            let sum = format!("norton({a},{u})+norton({b},{u})");
            same(&mut games, &sum, &format!("norton({a}+{b},{u})"));
        }
    }
    same(&mut games, "ordinal(1,1)", "2");
    same(&mut games, "ordinal(*,1)", "{0,*|0}");
    same(&mut games, "ordinal(1,-1)", "1/2");
    same(&mut games, "left(^*,1)", "0");
    same(&mut games, "ls(3||2|0)+rs(3||2|0)", "5");
}
