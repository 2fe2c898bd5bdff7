//! Certificates of many small questions, proven and disproven, from tables of different sizes: all of
//! them are accepted.

use std::path::Path;

use crate::polyomino_reference::{on_two_cores, pictures, random_shapes};
use hasami_andor::certificate::{Strategy, Verified};
use hasami_andor::{Kernel, Problem, Table, Verdict};
use hasami_game::Game;
use hasami_game::achieve::{Rules, StoneGame, Tree};
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::Polyomino;
use hasami_polyomino::polyomino::shape::Shape;
use hasami_trials::certified::certify;
use hasami_trials::{made, settle};

/// From the table of a search, and from one that has lost most of it.
fn certified(spelling: &str, file: &Path) -> Verified {
    let game: Polyomino = made(spelling);
    let table = Table::with_entries(1 << 14, false);
    let outcome = settle(&game, &table, Kernel::Dfpn, Polyomino::ADVICE, game.root());
    let verdict = outcome.numbers.verdict().unwrap();
    println!("{spelling}: {verdict:?}");
    let verified = certify(&game, &table, verdict, file);
    let small = Table::with_entries(64, false);
    certify(&game, &small, verdict, file);
    let won = verdict == Verdict::Proven;
    assert_eq!(verified.length.is_some(), won, "{spelling}");
    assert!(verified.length.is_none_or(|length| length <= game.stones()), "{spelling}");
    verified
}

fn counts(verified: &[Verified]) -> [u64; 3] {
    let proven = verified.iter().filter(|one| one.header.verdict == Verdict::Proven);
    let nodes = verified.iter().map(|one| one.nodes).sum();
    [verified.len() as u64, proven.count() as u64, nodes]
}

#[test]
fn every_shape_on_small_boards_has_certificates() {
    let shapes: Vec<Shape> = (1..=5).flat_map(Shape::all_of_size).collect();
    let [all, proven, nodes] = on_two_cores(shapes.len() as u64, |number| {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("certificate");
        let picture = shapes[number as usize].picture();
        let mut verified = Vec::new();
        for board in ["1x1", "1x4", "2x3", "3x3", "3x4", "4x4", "5x4", "5x5"] {
            for game in ["strong", "weak"] {
                for stones in ["3", "5", "6", "any"] {
                    if stones == "any" && board == "5x5" && shapes[number as usize].size() > 4 {
                        continue;
                    }
                    let spelling =
                        format!("shapes={picture} board={board} game={game} stones={stones}");
                    verified.push(certified(&spelling, &file));
                }
            }
        }
        counts(&verified)
    });
    println!("{all} certificates, {proven} proven, {nodes} nodes");
    assert!(all > 1000 && proven > 150, "{all} {proven}");
}

#[test]
fn sets_of_shapes_have_certificates_on_boards_and_on_the_infinite_one() {
    let [all, proven, nodes] = on_two_cores(600, |number| {
        let random = &mut SplitMix::new(number ^ 0x6365_7274);
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("certificate");
        let shapes = random_shapes(random, 5);
        let pictures = pictures(&shapes);
        let game = ["strong", "weak"][random.below(2) as usize];
        let smallest = shapes.iter().map(|shape| shape.size() as u32).min().unwrap();
        let stones = smallest + random.below(4);
        let infinite = random.below(2) == 0;
        let place = if infinite {
            let window = ["3x3", "4x3", "5x5", "6x5", "7x7"][random.below(5) as usize];
            format!("window={window}")
        } else {
            let board = ["3x5", "4x4", "4x5", "6x4", "5x5"][random.below(5) as usize];
            format!("board={board}")
        };
        let spelling = format!("shapes={pictures} game={game} stones={stones} {place}");
        let question: Polyomino = made(&spelling);
        let table = Table::with_entries(1 << 14, false);
        let outcome = settle(&question, &table, Kernel::Dfpn, Polyomino::ADVICE, question.root());
        // That a window shows no win proves nothing, unless a paving does.
        let meaning = question.meaning(outcome.numbers.verdict().unwrap());
        if matches!(meaning, hasami_game::Meaning::Nothing(_)) {
            return [0; 3];
        }
        counts(&[certified(&spelling, &file)])
    });
    println!("{all} certificates, {proven} proven, {nodes} nodes");
    assert!(all > 350 && proven > 150, "{all} {proven}");
}

/// Questions of pairs, with the number of bytes that their certificates took in format 1, which stated
/// every position and left out the last stones.
const PAIRS: [(&str, u64); 27] = [
    ("shapes=Square,SS game=weak stones=11", 637),
    ("shapes=UU,SS game=weak stones=11", 20_084),
    ("shapes=Square,W stones=5", 407),
    ("shapes=T,ZZ stones=9", 10_734),
    ("shapes=Square,U stones=6", 685),
    ("shapes=Z,U stones=5", 242),
    ("shapes=T,I stones=8", 3406),
    ("shapes=W,UU stones=7", 4977),
    ("shapes=R,I stones=6", 380),
    ("shapes=U,SS stones=8", 25_049),
    ("shapes=U,I stones=7", 4918),
    ("shapes=Z,ZZ stones=9", 32_888),
    ("shapes=L,ZZ stones=8", 15_081),
    ("shapes=U,ZZ stones=8", 13_396),
    ("shapes=Square,ZZ stones=10", 1484),
    ("shapes=T,ZZ stones=8", 15_925),
    ("shapes=L,I stones=8", 9699),
    ("shapes=Square,SS game=weak stones=12", 703),
    ("shapes=R,U stones=6", 348),
    ("shapes=U,UU stones=8", 26_015),
    ("shapes=W,U stones=6", 1939),
    ("shapes=R,UU stones=7", 882),
    ("shapes=W,ZZ stones=7", 4630),
    ("shapes=Square,R stones=5", 409),
    ("shapes=Z,I stones=7", 6547),
    ("shapes=R,ZZ stones=6", 726),
    ("shapes=Z,ZZ stones=7", 52_638),
];

/// `cargo test --release … sizes_of_pairs -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; measures sizes and zones"]
fn sizes_of_pairs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate");
    let [mut all, mut before, mut cells, mut count, mut tree_bytes] = [0u64; 5];
    for (spelling, old) in PAIRS {
        let game: Polyomino = made(spelling);
        let table = Table::with_entries(1 << 22, false);
        let begin = std::time::Instant::now();
        settle(&game, &table, Kernel::Dfpn, Polyomino::ADVICE, game.root());
        let searched = begin.elapsed();
        let begin = std::time::Instant::now();
        let verified = certify(&game, &table, Verdict::Proven, &file);
        let written = begin.elapsed();
        let size = std::fs::metadata(&file).unwrap().len();
        let asked = hasami_trials::certified::asked(&game);
        let begin = std::time::Instant::now();
        hasami_andor::certificate::verify(&file, &game, &asked).unwrap();
        let checked = begin.elapsed();
        let strategy = Strategy::load(&file, &game, &asked).unwrap();
        let rules = Rules::new(&game.field());
        let tree = Tree::read(&rules, Verdict::Proven, strategy.tree()).unwrap();
        let root = tree.claim(tree.root.node);
        let zones: Vec<u32> = tree.claims().map(|claim| claim.zone.count_ones()).collect();
        let sum: u32 = zones.iter().sum();
        println!(
            "{spelling}: {size} bytes, {:.2} x; {} of the tree; {} nodes, {} leaves; zone {}, {:.1} on average; search {searched:.1?}, write {written:.1?}, check {checked:.1?}",
            size as f64 / old as f64,
            strategy.tree().len(),
            verified.nodes,
            verified.leaves,
            root.zone.count_ones(),
            f64::from(sum) / zones.len() as f64,
        );
        (all, before) = (all + size, before + old);
        (cells, count) = (cells + u64::from(sum), count + zones.len() as u64);
        tree_bytes += strategy.tree().len() as u64;
    }
    println!(
        "{all} bytes, {:.2} x; {tree_bytes} of trees; zones {cells} in {count} nodes",
        all as f64 / before as f64
    );
}
