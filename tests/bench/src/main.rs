//! `hasami-bench`: what this build does, beside a baseline in the same run, as a ratio, because
//! machines are noisy. Run by `make bench`; no part of the product.

mod calls;
mod cgt;
mod cluster;
mod figures;
mod kernels;
mod mates;
mod merge;
mod once;
mod paving;
mod polyomino;
mod puzzles;
mod simulation;
mod store;
mod sweeps;
mod verdicts;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, ValueEnum};

use figures::{Failure, Figures, Output};
use once::Once;

/// Measure this build of hasami against baselines, side by side in one run
#[derive(Debug, Parser)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example:\n  hasami-bench overhead threads --output json"
)]
struct Words {
    #[command(subcommand)]
    once: Option<Once>,
    #[command(flatten)]
    benches: BenchArgs,
}

/// The benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BenchName {
    /// Random graphs by every kernel, sum rule and table size, against the oracle
    Verdicts,
    /// Nodes a second of `dfpn` where expansion is free
    Overhead,
    /// `threads 2` beside `threads 1`
    Threads,
    /// Nodes of `sum`, `weak` and `hybrid` as lines of play meet more and more
    Sharing,
    /// Checking a certificate beside finding it
    Verify,
    /// Paving winners beside a SAT solver on the same questions
    Paving,
    /// Winners on the infinite board beside an earlier program, and nodes a second
    Polyomino,
    /// Values of games beside the `cgt` crate, where its program is there
    Cgt,
    /// Mates in shogi as a GUI asks for them, beside other engines
    Mates,
    /// Puzzles of every game beside the goals for one puzzle
    Puzzles,
    /// Batches in and out of the store beside RocksDB alone
    Store,
    /// Ten million records merged, every settled one kept
    Merge,
    /// Leases a second through the journal, and a sweep of a million items
    Leases,
    /// The calls of a worker to a real coordinator, in microseconds
    Calls,
    /// One search by worker processes beside `solve`
    Workers,
    /// Uneven sweeps by one, two and four worker processes, and how long they waited
    Sweeps,
    /// The partitioners on up to a thousand simulated workers; writes a table and a picture of each tree
    Simulation,
}

/// What is measured, and how thoroughly.
#[derive(Clone, Debug, Args)]
struct BenchArgs {
    /// Which ones [default: all]
    #[arg(value_enum)]
    names: Vec<BenchName>,
    /// A tenth of the work, for a first look
    #[arg(long)]
    quick: bool,
    /// Graphs for `verdicts`
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    graphs: u64,
    /// The strong solution of Pyonpyon shogi for `puzzles` [default: built for it, and removed]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    #[command(flatten)]
    mates: mates::MatesArgs,
    /// Form of the figures
    #[arg(long, value_enum, default_value = "human", value_name = "FORM")]
    output: Output,
}

fn main() -> ExitCode {
    let words = Words::parse();
    let result = match &words.once {
        Some(what) => once::run(what),
        None => run(&words.benches),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs them and prints the figures as they come.
fn run(options: &BenchArgs) -> Result<(), Failure> {
    let all = BenchName::value_variants();
    let names = if options.names.is_empty() { all } else { &options.names[..] };
    let mut figures = Figures::new(options.output);
    for &name in names {
        let title = name.to_possible_value().expect("every benchmark has a name");
        figures.begin(title.get_name());
        match name {
            BenchName::Verdicts => verdicts::run(options.graphs, &mut figures)?,
            BenchName::Overhead => kernels::overhead(options.quick, &mut figures),
            BenchName::Threads => kernels::threads(options.quick, &mut figures),
            BenchName::Sharing => kernels::sharing(options.quick, &mut figures),
            BenchName::Verify => kernels::verify(options.quick, &mut figures)?,
            BenchName::Paving => paving::run(options.quick, &mut figures)?,
            BenchName::Polyomino => polyomino::run(options.quick, &mut figures)?,
            BenchName::Cgt => cgt::run(options.quick, &mut figures)?,
            BenchName::Mates => mates::run(&options.mates, options.quick, &mut figures)?,
            BenchName::Puzzles => {
                puzzles::run(options.quick, options.database.as_deref(), &mut figures)?
            }
            BenchName::Store => {
                store::run(options.quick, &mut figures).map_err(|e| Failure(e.to_string()))?
            }
            BenchName::Merge => merge::run(options.quick, &mut figures)?,
            BenchName::Leases => cluster::leases(options.quick, &mut figures)?,
            BenchName::Calls => calls::run(options.quick, &mut figures)?,
            BenchName::Workers => cluster::workers(options.quick, &mut figures)?,
            BenchName::Sweeps => sweeps::run(options.quick, &mut figures)?,
            BenchName::Simulation => simulation::run(options.quick, &mut figures)?,
        }
    }
    figures.finish()
}
