//! Domineering boards whose values are in Winning Ways, chapter 5, or follow from its rules.

use hasami_cgt::rules::domineering::{Board, Domineering};
use hasami_cgt::{Games, Rules, Unvalued, Value, Valuer, evaluate};

fn value(games: &mut Games, rows: &str) -> Value {
    let board = Board::parse(rows.split('/')).unwrap();
    evaluate(games, &Domineering, &board).unwrap()
}

#[test]
fn small_boards_have_their_known_values() {
    let mut games = Games::new();
    for (rows, expected) in [
        (".", "0"),
        ("./.", "1"),
        ("..", "-1"),
        ("././.", "1"),
        ("./././.", "2"),
        ("../..", "±1"),
        ("../.#", "*"),
    ] {
        let found = value(&mut games, rows);
        assert_eq!(games.parse(expected).unwrap(), found, "{rows} is {}", games.show(found));
    }
}

#[test]
fn turned_boards_are_negatives_and_mirrored_ones_equal() {
    let mut games = Games::new();
    let rules = Domineering;
    let mut valuer = Valuer::new(&rules);
    for width in 1..=5 {
        for height in 1..=4 {
            let flat = Board::rectangle(width, height).unwrap();
            let tall = Board::rectangle(height, width).unwrap();
            let a = valuer.value(&mut games, &flat).unwrap();
            let b = valuer.value(&mut games, &tall).unwrap();
            assert_eq!(games.add(a, b).unwrap(), games.zero());
        }
    }
    let row = Board::rectangle(64, 1).unwrap();
    let value = valuer.value(&mut games, &row).unwrap();
    assert_eq!(games.show(value), "-32");
    assert!(Board::rectangle(13, 5).is_err());
}

/// The value without parts, mirror images or memory.
fn by_definition(games: &mut Games, cells: &mut [Vec<bool>]) -> Value {
    let mut sides = [Vec::new(), Vec::new()];
    for (side, (down, right)) in [(1, 0), (0, 1)].into_iter().enumerate() {
        for y in 0..cells.len() - down {
            for x in 0..cells[0].len() - right {
                if cells[y][x] && cells[y + down][x + right] {
                    cells[y][x] = false;
                    cells[y + down][x + right] = false;
                    sides[side].push(by_definition(games, cells));
                    cells[y][x] = true;
                    cells[y + down][x + right] = true;
                }
            }
        }
    }
    games.make(&sides[0], &sides[1]).unwrap()
}

#[test]
fn boards_have_the_values_of_their_definition() {
    let mut games = Games::new();
    let rules = Domineering;
    let mut valuer = Valuer::new(&rules);
    for bits in 0..1u32 << 9 {
        let mut cells: Vec<Vec<bool>> =
            (0..3).map(|y| (0..3).map(|x| bits >> (3 * y + x) & 1 == 1).collect()).collect();
        let rows: Vec<String> = cells
            .iter()
            .map(|row| row.iter().map(|&free| if free { '.' } else { '#' }).collect())
            .collect();
        let board = Board::parse(rows.iter().map(String::as_str)).unwrap();
        let found = valuer.value(&mut games, &board).unwrap();
        assert_eq!(found, by_definition(&mut games, &mut cells), "{rows:?}");
    }
}

/// A counter that Left may move round a circle of three.
struct Circle;

impl Rules for Circle {
    type Position = u8;

    fn left_moves(&self, &at: &u8) -> Vec<u8> {
        vec![(at + 1) % 3]
    }

    fn right_moves(&self, &at: &u8) -> Vec<u8> {
        if at == 0 { vec![7] } else { Vec::new() }
    }
}

#[test]
fn a_position_that_can_come_back_has_no_value() {
    let mut games = Games::new();
    assert_eq!(evaluate(&mut games, &Circle, &0), Err(Unvalued::Loopy));
    let mut valuer = Valuer::new(&Circle);
    assert_eq!(valuer.value(&mut games, &1), Err(Unvalued::Loopy));
    assert_eq!(valuer.value(&mut games, &1), Err(Unvalued::Loopy));
}

/// A heap that shrinks by one, a hundred thousand times.
struct Long;

impl Rules for Long {
    type Position = u32;

    fn left_moves(&self, &at: &u32) -> Vec<u32> {
        at.checked_sub(1).into_iter().collect()
    }

    fn right_moves(&self, _: &u32) -> Vec<u32> {
        Vec::new()
    }
}

#[test]
fn long_play_does_not_overflow_the_stack() {
    let mut games = Games::new();
    let value = evaluate(&mut games, &Long, &100_000).unwrap();
    assert_eq!(games.show(value), "100000");
}
