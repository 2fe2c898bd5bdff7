//! Hostile input ends quickly, in an answer or an error.

use std::time::{Duration, Instant};

use hasami_cgt::{Dyadic, Games, Order};
use proptest::prelude::*;

const DEEP: usize = 100_000;

fn soon<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let answer = work();
    assert!(started.elapsed() < Duration::from_secs(20), "{what} took {:?}", started.elapsed());
    answer
}

#[test]
fn deep_braces_are_integers_fractions_or_towers() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    for (what, text) in [
        ("integer", nested("{", "", "|}")),
        ("negative", nested("{|", "", "}")),
        ("stars", nested("{", "0", "|0}")),
        ("fraction", nested("{0|", "1", "}")),
        ("ups", nested("{0|", "*", "}")),
        ("tower", nested("{1|", "*", "}")),
        ("falling tower", nested("{", "*", "|-1}")),
        ("switches", nested("{", "1", "|-1}")),
        ("parentheses", nested("(", "^", ")")),
        ("minus", nested("-", "^", "")),
        ("plus-minus", nested("+-", "1", "")),
        ("dots", nested("(1).", "^", "")),
        ("calls", nested("mean(", "1", ")")),
    ] {
        let mut games = Games::with_limit(4_000_000);
        soon(what, || match games.parse(&text) {
            Ok(value) => {
                assert!(!soon("  show", || games.show(value)).is_empty());
                assert!(!soon("  bars", || games.show_bars(value)).is_empty());
                let zero = games.zero();
                let _ = soon("  negative", || games.neg(value));
                let _ = soon("  sum", || games.add(value, value));
                let _ = soon("  order", || games.compare(value, zero));
                let _ = soon("  thermograph", || games.thermograph(value).is_ok());
                let _ = soon("  chill", || games.chill(value));
                let _ = soon("  birthday", || games.birthday(value).is_ok());
                let _ = soon("  weight", || games.atomic_weight(value));
            }
            Err(error) => println!("{what}: {error}"),
        });
    }
    let mut games = Games::with_limit(20_000_000);
    let integer = games.parse(&nested("{", "0", "|}")).unwrap();
    assert_eq!(games.number(integer), Some(&Dyadic::from(DEEP as i64)));
    let fraction = games.parse(&nested("{0|", "1", "}")).unwrap();
    assert_eq!(games.number(fraction), Some(&Dyadic::new(1, DEEP as u64)));
    for unclosed in ["{", "(", "{0|", "{|", "-", "mean(", "0||", "+_{"] {
        let text = unclosed.repeat(DEEP);
        assert!(soon(unclosed, || games.parse(&text)).is_err());
    }
}

#[test]
fn deep_games_that_are_no_numbers_have_values_and_order() {
    // n ups, up to a hundred thousand, built by hand.
    let mut games = Games::new();
    let many = games.up(DEEP as i32, 0).unwrap();
    let more = games.up(DEEP as i32 + 2, 1).unwrap();
    assert_eq!(soon("compare", || games.compare(many, more)).unwrap(), Order::Less);
    let minus = games.neg(many).unwrap();
    assert_eq!(soon("add", || games.add(many, minus)).unwrap(), games.zero());
    assert_eq!(games.show(minus), format!("v{DEEP}"));
}

#[test]
fn a_limit_ends_what_would_not_end() {
    let mut games = Games::with_limit(100_000);
    let parts = ["±1", "{3|0||v|-3}", "{4||2|-1}", "{5|||3||1|-6}", "{2||1|-7}"];
    let mut sum = games.zero();
    let mut reached = false;
    for round in 0..50 {
        let text = format!("{}+{}/64", parts[round % parts.len()], 2 * round + 1);
        match games.parse(&text).and_then(|part| Ok(games.add(sum, part)?)) {
            Ok(larger) => sum = larger,
            Err(error) => {
                assert!(error.to_string().contains("100000"), "{error}");
                reached = true;
                break;
            }
        }
    }
    assert!(reached || games.spent() <= 100_000);
    games.refill();
    assert!(games.parse("1+1").is_ok());
}

#[test]
fn numbers_have_no_largest_size() {
    let mut games = Games::new();
    let huge = format!("1{}", "0".repeat(5000));
    let value = games.parse(&format!("{huge}+1/4-{huge}")).unwrap();
    assert_eq!(games.show(value), "1/4");
    let edge = games.parse("9223372036854775807+1").unwrap();
    assert_eq!(games.show(edge), "9223372036854775808");
    let low = games.parse("-9223372036854775808-1").unwrap();
    assert_eq!(games.show(low), "-9223372036854775809");
    for (n, value) in [("1", "*"), ("2", "0")] {
        let many = games.parse(&format!("{n}{}{n}.*", "0".repeat(50))).unwrap();
        assert_eq!(games.show(many), value);
    }
    let switches = games.parse("-98765432109876543210987654321.{3|1}").unwrap();
    assert_eq!(
        games.show(switches),
        "{-197530864219753086421975308641|-197530864219753086421975308643}"
    );
    let one = games.parse("1/4611686018427387904").unwrap();
    let half = games.parse("{0|1/4611686018427387904}").unwrap();
    assert_eq!(games.add(half, half).unwrap(), one);
    assert_eq!(games.compare(half, one).unwrap(), Order::Less);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_reader(text in "[0-9{}()|,*^v+±_./<>=:a-h -]{0,40}") {
        let mut games = Games::with_limit(200_000);
        if let Ok(value) = games.parse(&text) {
            let shown = games.show(value);
            prop_assert_eq!(games.parse(&shown), Ok(value));
        }
        let mut session = hasami_cgt::notation::Session::new();
        let _ = session.run(&mut games, &text);
    }

    #[test]
    fn no_letters_break_the_reader(text in "\\PC{0,40}") {
        let mut games = Games::with_limit(200_000);
        let _ = games.parse(&text);
    }
}
