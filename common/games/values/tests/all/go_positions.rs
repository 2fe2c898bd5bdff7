//! Go positions with known values (tests/data/go-positions.json, computed by two independent programs).

use hasami_cgt::{Convention, Dyadic, Games, Value, Wall};
use hasami_values::go::{Board, Endgames, Suicide};
use serde_json::Value as Json;

fn positions() -> Vec<Json> {
    serde_json::from_str(include_str!("../data/go-positions.json")).unwrap()
}

fn endgames() -> Endgames {
    Endgames::new(Suicide::Forbidden, 1_000_000, u64::MAX)
}

fn board(position: &Json) -> Board {
    let rows: Vec<&str> =
        position["board"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    Board::parse(&rows.join("\n")).unwrap()
}

/// The data writes `tiny(2)` as `+_{2}`.
fn expected(games: &mut Games, text: &str) -> Value {
    let text = match text.split_once("+_{") {
        Some((before, rest)) => {
            let (size, after) = rest.split_once('}').unwrap();
            let plus = if before.ends_with(|sign: char| sign.is_ascii_digit()) { "+" } else { "" };
            format!("{before}{plus}tiny({size}){after}")
        }
        None => text.to_string(),
    };
    games.parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn corners(wall: &Wall) -> Vec<(String, String)> {
    wall.points().iter().map(|point| (point.t.to_string(), point.v.to_string())).collect()
}

fn expected_corners(wall: &Json) -> Vec<(String, String)> {
    let text = |value: &Json| value.as_str().unwrap().to_string();
    wall.as_array().unwrap().iter().map(|point| (text(&point[0]), text(&point[1]))).collect()
}

#[test]
fn every_known_position_has_its_value_and_its_thermograph() {
    let mut endgames = endgames();
    for position in positions() {
        let name = position["name"].as_str().unwrap();
        let text = |key: &str| position[key].as_str().unwrap();
        let value = endgames.value(&board(&position)).unwrap();
        let games = &mut endgames.games;
        let raw = expected(games, text("raw_canonical"));
        assert_eq!(value, raw, "{name}: {} is not {}", games.show(value), games.show(raw));
        let chilled = expected(games, text("chilled"));
        assert_eq!(games.chill(value).unwrap(), chilled, "{name}");
        assert_eq!(games.mean(value).unwrap().to_string(), text("mean"), "{name}");
        let temperature = games.temperature(value, Convention::Zero).unwrap();
        assert_eq!(temperature.to_string(), text("temperature"), "{name}");
        let graph = games.thermograph(value).unwrap();
        assert_eq!(corners(&graph.left), expected_corners(&position["left_wall"]), "{name}");
        assert_eq!(corners(&graph.right), expected_corners(&position["right_wall"]), "{name}");
    }
}

#[test]
fn turned_and_reversed_positions_have_the_same_value() {
    let mut endgames = endgames();
    for position in positions() {
        let board = board(&position);
        let value = endgames.value(&board).unwrap();
        for turn in 0..8 {
            assert_eq!(endgames.value(&board.turned(turn)).unwrap(), value);
            let reversed = endgames.value(&board.turned(turn).reversed()).unwrap();
            assert_eq!(endgames.games.neg(reversed).unwrap(), value);
        }
    }
}

/// n - 2 + 2^(1-n) (Berlekamp and Wolfe, *Mathematical Go*, 1994).
#[test]
fn blocked_corridors_chill_to_their_formula_up_to_64_points() {
    use hasami_values::go::{Corridor, corridor};
    let mut endgames = endgames();
    for length in 1..=64_usize {
        let value = endgames.value(&corridor(Corridor::Blocked, length)).unwrap();
        let chilled = endgames.games.chill(value).unwrap();
        let number = endgames.games.number(chilled).unwrap().clone();
        let expected = &Dyadic::from(length as i64 - 2) + &Dyadic::new(1, length as u64 - 1);
        assert_eq!(number, expected, "{length}");
    }
}

/// Neither player gains by moving there: the part is worth its territory, not its value in normal
/// play.
#[test]
fn two_living_eyes_are_worth_their_points() {
    let mut endgames = endgames();
    let white = "XXXXXXX/XoooooX/Xo.o.oX/XoooooX/XXXXXXX";
    let black = "OOOOOOO/OxxxxxO/Ox.x.xO/OxxxxxO/OOOOOOO";
    for (rows, points) in [(white, "-2"), (black, "2")] {
        let board = Board::parse(&rows.replace('/', "\n")).unwrap();
        let value = endgames.value(&board).unwrap();
        assert_eq!(endgames.games.show(value), points, "{rows}");
    }
}
