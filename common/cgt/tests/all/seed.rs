//! Every value and relation of a paper on Go endgames and thermographs, as computed and
//! cross-checked by two other programs, errata included.

use hasami_cgt::{Convention, Dyadic, Games, Wall};
use serde_json::Value as Json;

fn data() -> Json {
    serde_json::from_str(include_str!("../data/seed-values.json")).unwrap()
}

fn text<'a>(entry: &'a Json, key: &str) -> Option<&'a str> {
    entry.get(key).and_then(Json::as_str)
}

fn corners(wall: &Wall) -> Vec<(Dyadic, Dyadic)> {
    wall.points().iter().map(|point| (point.t.clone(), point.v.clone())).collect()
}

fn listed(entry: &Json, key: &str) -> Vec<(Dyadic, Dyadic)> {
    let number = |point: &Json, key| text(point, key).unwrap().parse().unwrap();
    let points = entry[key].as_array().unwrap().iter();
    points.map(|point| (number(point, "t"), number(point, "v"))).collect()
}

#[test]
fn every_value_is_as_computed() {
    let data = data();
    let values = data["values"].as_array().unwrap();
    assert!(values.len() >= 39);
    let mut games = Games::new();
    for entry in values {
        let id = text(entry, "id").unwrap();
        let game = games.parse(text(entry, "expression").unwrap()).unwrap();
        for key in ["canonical", "expected", "canonical_options"] {
            if let Some(same) = text(entry, key) {
                assert_eq!(games.parse(same).unwrap(), game, "{id}: {key}");
            }
        }
        let zero = games.zero();
        assert_eq!(games.compare(game, zero).unwrap().sign(), text(entry, "vs_zero").unwrap());
        let number = |key| text(entry, key).unwrap().parse::<Dyadic>().unwrap();
        let (left, right) = games.stops(game);
        assert_eq!((left, right), (&number("left_stop"), &number("right_stop")), "{id}: stops");
        assert_eq!(games.mean(game).unwrap(), number("mean"), "{id}: mean");
        assert_eq!(
            games.temperature(game, Convention::Zero).unwrap(),
            number("temperature"),
            "{id}: temperature"
        );
        assert_eq!(
            games.temperature(game, Convention::Negative).unwrap(),
            number("temperature_subzero_convention"),
            "{id}: temperature below zero"
        );
        let thermograph = games.thermograph(game).unwrap();
        assert_eq!(corners(&thermograph.left), listed(entry, "left_wall"), "{id}: left wall");
        assert_eq!(corners(&thermograph.right), listed(entry, "right_wall"), "{id}: right wall");
        assert_eq!(*thermograph.mast(), number("mast"), "{id}: mast");
        let chilled = games.chill(game).unwrap();
        for key in ["chilled", "chilled_expected", "chilled_by_paper_def_1_16"] {
            if let Some(same) = text(entry, key) {
                assert_eq!(games.parse(same).unwrap(), chilled, "{id}: {key}");
            }
        }
    }
}

#[test]
fn every_relation_holds() {
    let data = data();
    let mut games = Games::new();
    for entry in data["relations"].as_array().unwrap() {
        let (Some(a), Some(b)) = (text(entry, "left"), text(entry, "right")) else {
            continue;
        };
        let (a, b) = (games.parse(a).unwrap(), games.parse(b).unwrap());
        assert_eq!(
            games.compare(a, b).unwrap().sign(),
            text(entry, "relation").unwrap(),
            "{entry}"
        );
    }
    // The two claims about a range of n.
    for n in 1..=8 {
        let ups = games.parse(&format!("{n}.^")).unwrap();
        let one = games.parse("1").unwrap();
        assert_eq!(games.compare(ups, one).unwrap().sign(), "<");
        let tinies = games.parse(&format!("{n}.tiny(1)")).unwrap();
        let up = games.parse("^").unwrap();
        assert_eq!(games.compare(tinies, up).unwrap().sign(), "<");
    }
}

#[test]
fn cooling_past_the_temperature_freezes_at_the_mean() {
    let data = data();
    let mut games = Games::new();
    for entry in data["cooling_literal_vs_conway"].as_array().unwrap() {
        let game = games.parse(text(entry, "expr").unwrap()).unwrap();
        let cooled = games.cool(game, &Dyadic::from(entry["t"].as_i64().unwrap())).unwrap();
        assert_eq!(games.parse(text(entry, "conway").unwrap()).unwrap(), cooled, "{entry}");
    }
}

#[test]
fn scaffolds_that_only_touch_give_no_temperature() {
    let mut games = Games::new();
    let game = games.parse("{3|0||v|-3}").unwrap();
    assert_eq!(games.temperature(game, Convention::Zero).unwrap(), Dyadic::ZERO);
    let cooled = games.cool(game, &"1/2".parse().unwrap()).unwrap();
    assert_eq!(cooled, games.zero());
}

#[test]
fn blocked_corridors_chill_to_their_formula_at_any_length() {
    // B(1) = *, B(n) = {n−1 | B(n−1)}; chilled, n − 2 + 2^(1−n).
    let mut games = Games::new();
    let mut corridor = games.star(1).unwrap();
    for n in 2..=200i64 {
        let kept = games.integer(n - 1).unwrap();
        corridor = games.make(&[kept], &[corridor]).unwrap();
        let chilled = games.chill(corridor).unwrap();
        let expected = Dyadic::from(n - 2) + Dyadic::new(1, n as u64 - 1);
        assert_eq!(games.number(chilled), Some(&expected));
        assert_eq!(games.mean(corridor).unwrap(), expected);
        let temperature = games.temperature(corridor, Convention::Zero).unwrap();
        assert_eq!(temperature, Dyadic::ONE - Dyadic::new(1, n as u64 - 1));
    }
}
