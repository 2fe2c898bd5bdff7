//! `hasami bench`: what this build does, beside a baseline in the same run, as a ratio, because
//! machines are noisy.

mod kernels;
mod merge;
mod paving;
mod store;
mod verdicts;

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{self, Output};

/// The benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BenchName {
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
    /// Batches in and out of the store beside RocksDB alone
    Store,
    /// Ten million records merged, every settled one kept
    Merge,
}

/// Options of `bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Which ones [default: all]
    #[arg(value_enum)]
    pub names: Vec<BenchName>,
    /// A tenth of the work, for a first look
    #[arg(long)]
    pub quick: bool,
    /// Graphs for `verdicts`
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    pub graphs: u64,
    /// Form of the answer
    #[arg(long, value_enum, default_value = "human", value_name = "FORM")]
    pub output: Output,
}

/// One figure.
pub struct Figure {
    /// What was measured.
    pub what: String,
    /// Ours and the baseline's, with units.
    pub values: String,
    /// Ours to the baseline's.
    pub ratio: f64,
    /// What the ratio should be, in words, and whether it is.
    pub goal: Option<(&'static str, bool)>,
}

/// Runs them and prints the figures as they come.
pub fn run(options: &BenchArgs) -> Result<(), Failure> {
    let all = BenchName::value_variants();
    let names = if options.names.is_empty() { all } else { &options.names[..] };
    let mut human = String::new();
    let mut values = Vec::new();
    for &name in names {
        let title = name.to_possible_value().expect("every benchmark has a name");
        let title = title.get_name().to_string();
        eprintln!("bench {title} …");
        let figures = match name {
            BenchName::Verdicts => verdicts::run(options.graphs)?,
            BenchName::Overhead => kernels::overhead(options.quick),
            BenchName::Threads => kernels::threads(options.quick),
            BenchName::Sharing => kernels::sharing(options.quick),
            BenchName::Verify => kernels::verify(options.quick)?,
            BenchName::Paving => paving::run(options.quick)?,
            BenchName::Store => {
                store::run(options.quick).map_err(|e| Failure::Failed(e.to_string()))?
            }
            BenchName::Merge => merge::run(options.quick)?,
        };
        let _ = writeln!(human, "{title}");
        for figure in figures {
            let goal = match figure.goal {
                None => String::new(),
                Some((goal, true)) => format!("  (goal {goal}: met)"),
                Some((goal, false)) => format!("  (goal {goal}: missed)"),
            };
            let _ = writeln!(
                human,
                "  {:<44} {:<44} {:>8.3}{goal}",
                figure.what, figure.values, figure.ratio
            );
            values.push(json!({
                "bench": title, "what": figure.what, "values": figure.values,
                "ratio": figure.ratio, "goal": figure.goal.map(|(goal, _)| goal),
                "met": figure.goal.map(|(_, met)| met),
            }));
        }
    }
    output::print(options.output, &human, &values.into(), "")
}
