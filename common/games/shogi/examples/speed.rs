//! Measures the generators: nodes of check/evasion trees per second, and leaf probes.
//! `cargo run --release -p hasami-shogi --example speed -- FILE.sfen…`

use std::hint::black_box;
use std::time::Instant;

use hasami_andor::{Moves, Problem};
use hasami_game::Game;
use hasami_shogi::{Move, Position, Shogi, Side, sfen};
use hasami_spec::Params;

fn tree(position: &Position, attacker: Side, depth: u32, lists: &mut [Vec<Move>]) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    list.clear();
    if position.turn() == attacker {
        position.checks(list);
    } else {
        position.legal_moves(list);
    }
    if depth == 0 {
        return 1;
    }
    1 + list.iter().map(|&mv| tree(&position.play(mv), attacker, depth - 1, rest)).sum::<u64>()
}

fn collect(position: &Position, attacker: Side, depth: u32, all: &mut Vec<Position>) {
    all.push(*position);
    if depth == 0 || all.len() > 2_000_000 {
        return;
    }
    let mut list = Vec::new();
    if position.turn() == attacker {
        position.checks(&mut list);
    } else {
        position.legal_moves(&mut list);
    }
    list.iter().for_each(|&mv| collect(&position.play(mv), attacker, depth - 1, all));
}

fn main() {
    let mut roots = Vec::new();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("a file of SFENs");
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        roots.extend(lines.map(|line| {
            sfen::read(line.split('\t').next().expect("a position")).expect("an SFEN")
        }));
    }
    println!("{} positions, {} bytes each", roots.len(), size_of::<Position>());
    let mut lists = vec![Vec::new(); 12];
    let started = Instant::now();
    let nodes: u64 = roots.iter().map(|root| tree(root, root.turn(), 4, &mut lists)).sum();
    let took = started.elapsed();
    println!(
        "{nodes} nodes, moves of each listed: {:.2} M/s",
        nodes as f64 / took.as_secs_f64() / 1e6
    );

    let mut all = Vec::new();
    roots.iter().for_each(|root| collect(root, root.turn(), 4, &mut all));
    let attacker = roots.first().map_or(Side::Black, Position::turn);
    let (attack, defence): (Vec<Position>, Vec<Position>) =
        all.into_iter().partition(|position| position.turn() == attacker);
    let time = |name: &str, among: &[Position], f: &mut dyn FnMut(&Position)| {
        let started = Instant::now();
        among.iter().for_each(f);
        let took = started.elapsed().as_nanos() as f64 / among.len().max(1) as f64;
        println!("{name}: {took:.0} ns of {} positions", among.len());
    };
    let mut list = Vec::new();
    time("checks", &attack, &mut |position| {
        list.clear();
        position.checks(black_box(&mut list));
    });
    time("has_check", &attack, &mut |position| {
        black_box(position.has_check());
    });
    time("mate_in_one", &attack, &mut |position| {
        black_box(position.mate_in_one());
    });
    let game = |position: &Position| {
        let given = [("position", sfen::write(position))];
        let params = Params::new(Shogi::params(), &given).expect("parameters");
        Shogi::from_params(&params).expect("a question")
    };
    if let Some(game) = roots.first().map(game) {
        let mut moves = Moves::new();
        time("expand, attacker", &attack, &mut |position| {
            moves.clear();
            black_box(game.expand(position, &mut moves));
        });
        time("expand, defender", &defence, &mut |position| {
            moves.clear();
            black_box(game.expand(position, &mut moves));
        });
    }
    let mut list = Vec::new();
    time("evasions", &defence, &mut |position| {
        list.clear();
        position.legal_moves(black_box(&mut list));
    });
    time("can_answer", &defence, &mut |position| {
        black_box(position.can_answer());
    });
}
