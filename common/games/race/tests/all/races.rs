//! Exact values of Pyonpyon shogi and Mancala: against positions whose values two other programs agree
//! on (tests/data), and against the reference on random endings.

use hasami_andor::problem::all_moves;
use hasami_andor::{Moves, Problem};
use hasami_game::race::{Exact, ExactSolver, Outcome};
use hasami_game::random::SplitMix;
use hasami_race::mancala::Mancala;
use hasami_race::pyonpyon::Pyonpyon;
use serde_json::Value;

use crate::races_reference::{mancala, pyonpyon};
use hasami_trials::made;

const ENOUGH: u64 = 100_000_000;
const RULES: [&str; 3] = ["pass", "loses", "draw"];

fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn expected(of: &Value) -> Exact {
    let plies = || of["distance"].as_u64().unwrap() as u32;
    match of["outcome"].as_str().unwrap() {
        "mover_win" | "first_win" => Exact::win(plies()),
        "mover_loss" | "second_win" => Exact::loss(plies()),
        "draw" => Exact::DRAW,
        other => panic!("{other}"),
    }
}

fn numbers(of: &Value) -> Vec<u64> {
    of.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// The value after each move for the mover, by the name of the move.
fn moves<G: ExactSolver>(game: &G) -> Vec<(u64, Exact)> {
    let root = game.root();
    let mut list = Moves::new();
    all_moves(game, &root, &mut list);
    let value = |mv| {
        let next = game.play(&root, mv);
        let value = game.solve_exact(&next, ENOUGH).unwrap();
        match game.length(&root, mv) {
            Some(0) => value,
            _ => value.after_a_ply(),
        }
    };
    list.iter().map(|mv| (game.show_move(&root, mv).parse().unwrap(), value(mv))).collect()
}

fn good(moves: &[(u64, Exact)], is_good: impl Fn(Exact) -> bool) -> Vec<u64> {
    moves.iter().filter(|&&(_, value)| is_good(value)).map(|&(name, _)| name).collect()
}

#[test]
fn every_known_position_of_pyonpyon_has_its_value_and_its_winning_moves() {
    let file = data(include_str!("../data/pyonpyon.json"));
    for position in file["positions"].as_array().unwrap() {
        let rows: Vec<&str> =
            position["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        let mover = position["to_move"].as_str().unwrap();
        for (rule, key) in RULES.into_iter().zip(["no_move_pass", "no_move_lose", "no_move_draw"]) {
            let spelling = format!("no-move={rule} position={}:{mover}", rows.join("/"));
            let game: Pyonpyon = made(&spelling);
            let truth = &position[key];
            let value = game.solve_exact(&game.root(), ENOUGH);
            assert_eq!(value, Some(expected(truth)), "{spelling}");
            let wins = good(&moves(&game), |value| value.outcome == Outcome::Win);
            assert_eq!(wins, numbers(&truth["winning_first_cells"]), "{spelling}");
        }
    }
}

#[test]
fn every_known_position_of_mancala_has_its_value_and_its_winning_moves() {
    known_positions_of_mancala(|plies| plies < 50);
}

#[test]
#[ignore = "takes minutes: a loss in 58 plies"]
fn the_longest_known_position_of_mancala_has_its_value() {
    known_positions_of_mancala(|plies| plies >= 50);
}

fn known_positions_of_mancala(wanted: impl Fn(u32) -> bool) {
    let file = data(include_str!("../data/mancala.json"));
    for position in file["positions"].as_array().unwrap() {
        let seeds: Vec<String> =
            numbers(&position["pockets"]).iter().map(ToString::to_string).collect();
        let mover = position["to_move"].as_str().unwrap();
        for (rules, key) in [
            ("goal=own", "extra_turn_own_goal"),
            ("goal=either", "extra_turn_either_goal"),
            ("replies=pass", "opponent_passes"),
        ] {
            let Some(truth) = position.get(key) else { continue };
            if !expected(truth).plies.is_some_and(&wanted) {
                continue;
            }
            let spelling = format!("{rules} position={}:{mover}", seeds.join(","));
            let game: Mancala = made(&spelling);
            let value = game.solve_exact(&game.root(), ENOUGH).unwrap();
            assert_eq!(value, expected(truth), "{spelling}");
            if truth.get("winning_first_pockets").is_some() {
                let moves = moves(&game);
                let wins = good(&moves, |value| value.outcome == Outcome::Win);
                assert_eq!(wins, numbers(&truth["winning_first_pockets"]), "{spelling}");
                let shortest = good(&moves, |after| after == value && !wins.is_empty());
                assert_eq!(shortest, numbers(&truth["shortest_first_pockets"]), "{spelling}");
            }
        }
    }
    for start in file["initial_position_variants"].as_array().unwrap() {
        let goal = start["extra_turn"].as_str().unwrap();
        let (pits, seeds) = (&start["pits_per_side"], &start["seeds_per_pit"]);
        let game: Mancala = made(&format!("pits={pits} seeds={seeds} goal={goal}"));
        assert_eq!(game.solve_exact(&game.root(), ENOUGH), Some(expected(start)), "{start}");
    }
}

/// Steps back from the end of a random game.
fn random_ending(random: &mut SplitMix, rules: &pyonpyon::Reference) -> pyonpyon::Position {
    let row = b"SSS...GGG".to_vec();
    let mut game = vec![(vec![row; 3], true)];
    loop {
        let (rows, first) = game.last().unwrap();
        let moves = rules.moves(game.last().unwrap());
        let next = match moves.len() {
            0 => (rows.clone(), !first),
            many => moves[random.below(many as u32) as usize].1.clone(),
        };
        let over = |piece: u8, goal: std::ops::Range<usize>| {
            next.0.iter().all(|row| row[goal.clone()].iter().all(|&cell| cell == piece))
        };
        if over(b'S', 6..9) || over(b'G', 0..3) {
            break;
        }
        game.push(next);
    }
    let back = 1 + random.below(7) as usize;
    game[game.len().saturating_sub(back)].clone()
}

fn try_endings_of_pyonpyon(count: u64) {
    let mut random = SplitMix::new(6);
    for number in 0..count {
        let rule = RULES[number as usize % 3];
        let mut reference = pyonpyon::Reference::new(3, rule);
        let position = random_ending(&mut random, &reference);
        let spelling = format!("no-move={rule} position={}", pyonpyon::spell(&position));
        let game: Pyonpyon = made(&spelling);
        let value = game.solve_exact(&game.root(), ENOUGH);
        assert_eq!(value, Some(reference.value(&position)), "{spelling}");
        reference.forget();
    }
}

fn try_endings_of_mancala(count: u64) {
    let mut random = SplitMix::new(7);
    let mut references = [false, true].map(|either| mancala::Reference::new(6, either));
    for number in 0..count {
        let either = number % 2 == 1;
        let mut seeds = vec![0; 14];
        let mut side = |from: u32| {
            for _ in 0..=random.below(3) {
                seeds[(from + random.below(6)) as usize] += 1;
            }
            if random.below(4) == 0 {
                seeds[(from + random.below(6)) as usize] += random.below(4);
            }
        };
        side(0);
        side(7);
        let position = (seeds, random.below(2) == 0);
        let goal = if either { "either" } else { "own" };
        let spelling = format!("goal={goal} position={}", mancala::spell(&position));
        let game: Mancala = made(&spelling);
        let value = game.solve_exact(&game.root(), ENOUGH);
        let reference = &mut references[usize::from(either)];
        assert_eq!(value, Some(reference.value(&position)), "{spelling}");
        if number % 1000 == 0 {
            reference.forget();
        }
    }
}

#[test]
fn random_endings_have_the_value_of_the_reference() {
    try_endings_of_pyonpyon(300);
    try_endings_of_mancala(600);
}

#[test]
#[ignore = "takes minutes; a hundred thousand endings of each game"]
fn a_hundred_thousand_random_endings_have_the_value_of_the_reference() {
    try_endings_of_pyonpyon(100_000);
    try_endings_of_mancala(100_000);
}
