//! Figures of the documentation that are measured once, each with parameters of its own.

mod compare_rules;
mod exact_times;
mod polyomino_speed;
mod quarto_times;
mod simulate;

use clap::Subcommand;

use crate::figures::Failure;

/// The measurements.
#[derive(Clone, Debug, Subcommand)]
pub enum Once {
    /// Compare three databases of one board of Pyonpyon shogi: no-move=pass, loses, draw
    CompareRules(compare_rules::Args),
    /// Time exact values of random positions of Mancala or Pyonpyon shogi, by distance
    ExactTimes(exact_times::Args),
    /// Nodes a second of the polyomino winner search on one core
    PolyominoSpeed(polyomino_speed::Args),
    /// Time the exact solver of QUARTO! by pieces on the board
    QuartoTimes(quarto_times::Args),
    /// Split any search over simulated workers
    Simulate(simulate::Args),
}

/// Measures and prints.
pub fn run(what: &Once) -> Result<(), Failure> {
    match what {
        Once::CompareRules(args) => compare_rules::run(args),
        Once::ExactTimes(args) => exact_times::run(args),
        Once::PolyominoSpeed(args) => polyomino_speed::run(args),
        Once::Simulate(args) => simulate::run(args),
        Once::QuartoTimes(args) => {
            quarto_times::run(args);
            Ok(())
        }
    }
}
