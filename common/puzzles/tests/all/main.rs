//! Analysts against one another, puzzles against the oracle, and sheets.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod analysts;
mod puzzles;
mod sheets;

use hasami_puzzles::{Generator, Made, Method, Order, Plies, Puzzle, Unique};
use hasami_spec::Params;

/// An order for puzzles of this many plies.
fn order<G: Puzzle>(plies: u32, method: Method, seed: u64) -> Order {
    Order {
        plies: Plies { least: plies, most: plies },
        unique: G::usual_unique(method),
        grade: None,
        rule_proof: false,
        method,
        seed,
        nodes: 500_000,
    }
}

fn parsed<G: Puzzle>(spelling: &str) -> Params {
    Params::parse(G::params(), spelling).unwrap()
}

/// The first puzzles found.
fn first<G: Puzzle>(spelling: &str, order: Order, count: usize) -> Vec<Made> {
    let mut generator = Generator::<G>::new(&parsed::<G>(spelling), order).unwrap();
    let mut made = Vec::new();
    while made.len() < count {
        assert!(generator.attempts() < 300_000, "{} {order:?}", G::NAME);
        made.extend(generator.attempt());
    }
    made
}

/// A puzzle of QUARTO!, and its solutions by any number of moves.
fn any_unique(order: Order) -> Order {
    Order { unique: Unique::Any, ..order }
}
