//! What positions of QUARTO! cost the exact solver, by pieces on the board: the estimate of docs/quarto.md.
//! Positions are random; a fresh table for each, so that none helps another. Those that take more nodes are given up.

use std::time::Instant;

use hasami_game::random::SplitMix;
use hasami_small::quarto::{Position, Solver, Value};

/// Which positions.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// On the board
    #[arg(default_value_t = 5)]
    pieces: u32,
    /// Positions
    #[arg(default_value_t = 10)]
    count: u64,
    /// Size of each table
    #[arg(default_value_t = 64)]
    mib: usize,
    /// Nodes after which a position is given up
    #[arg(default_value_t = u64::MAX)]
    nodes: u64,
    /// Which positions
    #[arg(default_value_t = 1)]
    seed: u64,
}

/// Random pieces on random cells and one in hand, without a line and without a cell that wins.
fn random_position(pieces: u32, random: &mut SplitMix) -> Position {
    loop {
        let mut position = Position::START;
        for _ in 0..pieces {
            let nth = |set: u16, n: u32| (0..16).filter(|at| set >> at & 1 == 1).nth(n as usize);
            let empty = position.empty();
            let cell = nth(empty, random.below(empty.count_ones())).expect("an empty cell");
            position = position.place(cell);
            let left = position.left();
            let piece = nth(left, random.below(left.count_ones())).expect("a piece that is left");
            position = position.give(piece);
        }
        if !position.has_line() && position.winning_cells() == 0 {
            return position;
        }
    }
}

/// Prints what they cost.
pub fn run(&Args { pieces, count, mib, nodes, seed }: &Args) {
    let mut random = SplitMix::new(seed);
    let mut found: Vec<(u64, f64)> = Vec::new();
    let (mut given_up, mut draws) = (0, 0);
    for _ in 0..count {
        let position = random_position(pieces, &mut random);
        let mut solver = Solver::new(mib);
        solver.allow(nodes);
        let started = Instant::now();
        match solver.value(&position) {
            Err(_) => given_up += 1,
            Ok(value) => {
                draws += usize::from(value == Value::Draw);
                found.push((solver.nodes(), started.elapsed().as_secs_f64()));
            }
        }
    }
    found.sort_by_key(|&(nodes, _)| nodes);
    let Some(&(least, _)) = found.first() else {
        println!("{pieces} pieces: all {count} given up after {nodes} nodes");
        return;
    };
    let of = found.len() as f64;
    let mean = found.iter().map(|&(nodes, _)| nodes as f64).sum::<f64>() / of;
    let spread = found.iter().map(|&(nodes, _)| (nodes as f64 - mean).powi(2)).sum::<f64>() / of;
    let seconds = found.iter().map(|&(_, seconds)| seconds).sum::<f64>();
    println!(
        "{pieces} pieces: {} of {count} settled ({draws} draws, {given_up} given up)\n  nodes    mean \
         {mean:.0}, standard deviation {:.0}, median {}, {least} to {}\n  seconds  mean {:.3}, {:.2} \
         million nodes a second",
        found.len(),
        spread.sqrt(),
        found[found.len() / 2].0,
        found[found.len() - 1].0,
        seconds / of,
        mean * of / seconds / 1e6,
    );
}
