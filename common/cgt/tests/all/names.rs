//! Names agree with the values they stand for, computed by sums.

use std::collections::HashMap;

use hasami_cgt::Games;

use crate::plain::{self, Dice, Plain};

#[test]
fn ups_and_stars_are_sums_of_up_and_star() {
    let mut games = Games::new();
    let zero = games.zero();
    let star = games.make(&[zero], &[zero]).unwrap();
    let up = games.make(&[zero], &[star]).unwrap();
    let mut known = HashMap::new();
    for number in ["0", "3", "-5/4"] {
        let base = games.parse(number).unwrap();
        for ups in -7..=7i32 {
            for size in 0..7u32 {
                // The nim-heap built from its options.
                let mut heaps = vec![zero];
                for _ in 0..size {
                    heaps.push(games.make(&heaps, &heaps).unwrap());
                }
                let one = if ups < 0 { games.neg(up).unwrap() } else { up };
                let mut sum = plain::sum(&mut games, &mut known, base, heaps[size as usize]);
                for _ in 0..ups.abs() {
                    sum = plain::sum(&mut games, &mut known, sum, one);
                }
                let name = games.show(sum);
                assert_eq!(games.parse(&name).unwrap(), sum, "{name}");
                assert!(!name.contains('{'), "{name} of {number} {ups} {size}");
                let mut fresh = Games::new();
                let direct = fresh.up(ups, size).unwrap();
                let direct = fresh.show(direct);
                assert_eq!(games.parse(&format!("{number}+{direct}")).unwrap(), sum);
            }
        }
    }
}

#[test]
fn tinies_minies_and_switches_have_names() {
    let mut games = Games::new();
    for (game, name) in [
        ("{0||0|-1}", "tiny(1)"),
        ("{3/2|0||0}", "miny(3/2)"),
        ("2+tiny(1/4)", "2+tiny(1/4)"),
        ("-1/2-tiny(4)", "-1/2+miny(4)"),
        ("{1|-1}", "±1"),
        ("+-5/2", "±5/2"),
        ("{5|-1}", "{5|-1}"),
        ("^^", "^2"),
        ("⇓∗", "v2*"),
        ("1+-1+*", "*"),
        ("+_{1}", "tiny(1)"),
        ("-_{2}", "miny(2)"),
        ("2±1", "{3|1}"),
    ] {
        let value = games.parse(game).unwrap();
        assert_eq!(games.show(value), name, "{game}");
    }
}

#[test]
fn what_is_shown_reads_back_in_another_arena_as_the_same_text() {
    let mut dice = Dice::new(3);
    let mut games = Games::new();
    let mut other = Games::new();
    for _ in 0..3000 {
        let value = Plain::random(&mut dice, 4, 3, 3).value(&mut games);
        let text = games.show(value);
        assert_eq!(games.parse(&text).unwrap(), value, "{text}");
        let read = other.parse(&text).unwrap();
        assert_eq!(other.show(read), text);
        let bars = games.show_bars(value);
        assert_eq!(games.parse(&bars).unwrap(), value, "{bars}");
    }
}
