//! Puzzles from the strong solution of a small board, against the exact search, which uses no
//! databases.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use hasami_andor::{Expansion, Key, Moves, Problem};
use hasami_database::{Build, build};
use hasami_game::Game;
use hasami_game::race::{Exact, ExactSolver, Outcome};
use hasami_puzzles::{Generator, Made, Method, Order, Plies, Puzzle, Unique};
use hasami_race::pyonpyon::{NoMove, Pyonpyon, Step, database::Solution, row::Rows};
use hasami_small::quarto::Quarto;
use hasami_spec::Params;

use crate::databases::all_rows;
use hasami_trials::made;

const BOARD: &str = "rows=2 columns=7 home=2";

fn built(rule: NoMove, directory: &Path) -> PathBuf {
    let path = directory.join(rule.word());
    let stop = AtomicBool::new(false);
    let plan = Solution::<2>::new(&Rows::new(7, 2), rule);
    build(&plan, &path, Build { threads: 1, stop: &stop, progress: &mut |_| {} }).unwrap();
    path
}

fn params(word: &str) -> Params {
    Params::parse(Pyonpyon::params(), &format!("{BOARD} no-move={word}")).unwrap()
}

fn order(plies: u32, unique: Unique, seed: u64) -> Order {
    Order {
        plies: Plies { least: plies, most: plies },
        unique,
        grade: None,
        rule_proof: false,
        method: Method::Free,
        seed,
        nodes: 1,
    }
}

fn generator(word: &str, files: &[PathBuf], order: Order) -> Generator<Pyonpyon> {
    let solved = Pyonpyon::solved(&params(word), &files[0], &files[1..]).unwrap();
    Generator::of_solution(&params(word), order, solved).unwrap()
}

/// All puzzles from this many attempts.
fn drawn(generator: &mut Generator<Pyonpyon>, attempts: u64) -> Vec<Made> {
    let mut made = Vec::new();
    while generator.attempts() < attempts {
        made.extend(generator.attempt());
        assert!(generator.trouble().is_none());
    }
    made
}

fn searched(game: &Pyonpyon, state: &<Pyonpyon as Problem>::State) -> Exact {
    game.solve_exact(state, 10_000_000).unwrap()
}

/// Every first move with the plies in which it wins, if it does.
fn first_moves(game: &Pyonpyon) -> Vec<(Step, Option<u32>)> {
    let mut moves = Moves::new();
    assert_eq!(game.expand(&game.root(), &mut moves), Expansion::Open);
    let value = |mv| searched(game, &game.play(&game.root(), mv));
    let lost = |value: Exact| value.plies.filter(|_| value.outcome == Outcome::Loss);
    moves.iter().map(|mv| (mv, lost(value(mv)).map(|plies| plies + 1))).collect()
}

/// First moves that do not win fast enough and that one of several replies refutes.
fn traps(game: &Pyonpyon, most: u32) -> u32 {
    let trapped = |&(mv, _): &(Step, Option<u32>)| {
        let state = game.play(&game.root(), mv);
        let mut replies = Moves::new();
        game.expand(&state, &mut replies);
        let refutes = |&reply: &Step| {
            let value = searched(game, &game.play(&state, reply));
            value.outcome != Outcome::Win || value.plies.unwrap() > most
        };
        replies.len() > 1 && replies.iter().filter(refutes).count() == 1
    };
    first_moves(game).iter().filter(|mv| trapped(mv)).count() as u32
}

#[test]
fn lengths_first_moves_and_traps_are_those_of_the_search() {
    let dir = tempfile::tempdir().unwrap();
    let draw = built(NoMove::Draw, dir.path());
    for (word, rule) in NoMove::WORDS {
        let file = if rule == NoMove::Draw { draw.clone() } else { built(rule, dir.path()) };
        let files = [file, draw.clone()];
        for (plies, unique) in [(5, Unique::Win), (11, Unique::Win), (9, Unique::Shortest)] {
            let puzzles = drawn(&mut generator(word, &files, order(plies, unique, 3)), 4_000);
            assert!(puzzles.len() > 5, "{word} {plies}: {}", puzzles.len());
            for puzzle in puzzles.iter().take(40) {
                let position = &puzzle.position;
                let game: Pyonpyon = made(&format!("{BOARD} no-move={word} position={position}"));
                assert_eq!(searched(&game, &game.root()), Exact::win(plies), "{position}");
                let most = if unique == Unique::Win { u32::MAX } else { plies };
                let wins: Vec<(String, u32)> = first_moves(&game)
                    .into_iter()
                    .filter_map(|(mv, length)| Some((mv, length.filter(|&l| l <= most)?)))
                    .map(|(mv, length)| (game.told(&game.root(), mv), length))
                    .collect();
                assert_eq!((wins.len(), &wins), (1, &puzzle.winning), "{position} {word}");
                assert_eq!(puzzle.line.len() as u32, plies);
                assert_eq!(puzzle.line[0], wins[0].0);
                assert_eq!(puzzle.difficulty.traps, traps(&game, most), "{position} {word}");
                let hardest: Pyonpyon = made(&format!("{BOARD} no-move=draw position={position}"));
                let proof = searched(&hardest, &hardest.root()).outcome == Outcome::Win;
                assert_eq!(puzzle.rule_proof, Some(proof), "{position} {word}");
            }
        }
    }
}

/// None is missing: random draws reach every position eventually.
#[test]
fn all_puzzles_of_a_small_board_are_found_and_each_once() {
    let dir = tempfile::tempdir().unwrap();
    let files = [built(NoMove::Pass, dir.path())];
    let rows: Vec<String> =
        all_rows(7, 2).into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
    let mut expected: HashMap<u32, HashSet<Key>> = HashMap::new();
    for (at, first) in rows.iter().enumerate() {
        for second in &rows[at..] {
            let spelled = format!("{BOARD} no-move=pass position={first}/{second}:first");
            let params = Params::parse(Pyonpyon::params(), &spelled).unwrap();
            let Ok(game) = Pyonpyon::from_params(&params) else { continue };
            let Exact { outcome: Outcome::Win, plies: Some(plies @ (7 | 15)) } =
                searched(&game, &game.root())
            else {
                continue;
            };
            let moves = first_moves(&game);
            if moves.len() > 1 && moves.iter().filter(|(_, wins)| wins.is_some()).count() == 1 {
                expected.entry(plies).or_default().insert(game.key(&game.root()));
            }
        }
    }
    for plies in [7, 15] {
        let puzzles = drawn(&mut generator("pass", &files, order(plies, Unique::Win, 1)), 500_000);
        let keys: HashSet<Key> = puzzles.iter().map(|puzzle| puzzle.key).collect();
        assert_eq!(keys.len(), puzzles.len());
        assert!(keys.len() > 20, "{plies}: {}", keys.len());
        assert_eq!(keys, expected[&plies]);
        assert!(puzzles.iter().all(|puzzle| puzzle.rule_proof.is_none()));
    }
}

#[test]
fn the_same_seed_gives_the_same_puzzles_and_names_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let files = [built(NoMove::Pass, dir.path())];
    let set = |seed| drawn(&mut generator("pass", &files, order(9, Unique::Win, seed)), 3_000);
    assert!(!set(1).is_empty());
    assert_eq!(set(1), set(1));
    assert_ne!(set(1), set(2));
    let sum = blake3::hash(&std::fs::read(&files[0]).unwrap()).to_hex().to_string();
    let origin = set(1)[0].origin.clone().unwrap();
    assert_eq!((origin.about, origin.blake3), (format!("pyonpyon {BOARD} no-move=pass"), sum));
}

#[test]
fn only_databases_of_the_rules_asked_about_are_taken() {
    let dir = tempfile::tempdir().unwrap();
    let [pass, loses] = [NoMove::Pass, NoMove::Loses].map(|rule| built(rule, dir.path()));
    let refused = |word: &str, files: &[PathBuf]| {
        let solved = Pyonpyon::solved(&params(word), &files[0], &files[1..]);
        solved.err().expect("another rule").to_string()
    };
    let wrong = refused("draw", std::slice::from_ref(&pass));
    assert!(wrong.contains(&format!("expected pyonpyon {BOARD} no-move=draw")), "{wrong}");
    // The second file is that of the hardest reading.
    let wrong = refused("pass", &[pass.clone(), loses]);
    assert!(wrong.contains("no-move=loses") && wrong.contains("no-move=draw"), "{wrong}");
    let quarto = Params::parse(Quarto::params(), "").unwrap();
    let wrong = Quarto::solved(&quarto, &pass, &[]).err().expect("another game").to_string();
    assert!(wrong.contains("puzzles of quarto are not drawn from a database"), "{wrong}");
    let solved = Pyonpyon::solved(&params("pass"), &pass, &[]).unwrap();
    let order = Order { rule_proof: true, ..order(5, Unique::Win, 1) };
    let wrong = Generator::of_solution(&params("pass"), order, solved).err().unwrap().to_string();
    assert!(wrong.contains("no-move=draw"), "{wrong}");
}

#[test]
fn a_damaged_block_is_told_and_makes_no_puzzle() {
    let dir = tempfile::tempdir().unwrap();
    let pass = built(NoMove::Pass, dir.path());
    let mut bytes = std::fs::read(&pass).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&pass, bytes).unwrap();
    let mut generator = generator("pass", &[pass], order(5, Unique::Win, 1));
    assert!(generator.attempt().is_none());
    let trouble = generator.trouble().expect("a damaged block").to_string();
    assert!(trouble.contains("damaged"), "{trouble}");
}
