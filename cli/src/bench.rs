//! `hasami bench`: what this build does, beside a baseline in the same run, as a ratio, because
//! machines are noisy.

mod calls;
mod cgt;
mod cluster;
mod kernels;
mod merge;
mod paving;
mod polyomino;
mod puzzles;
mod simulation;
mod store;
mod verdicts;

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, Output, OutputArgs};

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
    /// Winners on the infinite board beside an earlier program, and nodes a second
    Polyomino,
    /// Values of games beside the `cgt` crate, where its program is there
    Cgt,
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
    /// The partitioners on up to a thousand simulated workers; writes a table and a picture of each tree
    Simulation,
}

/// Measure this build against baselines, side by side in one run
#[derive(Clone, Debug, Parser)]
#[command(name = "bench", after_help = "Example:\n  hasami bench overhead threads --output json")]
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
    /// The strong solution of Pyonpyon shogi for `puzzles` [default: built for it, and removed]
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
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

/// Where figures go. For people each is printed at once, so that a run cut short keeps what it has
/// measured; JSON is one value at the end.
pub struct Figures {
    output: Output,
    bench: String,
    values: Vec<Value>,
    trouble: Result<(), Failure>,
}

impl Figures {
    fn new(output: Output) -> Self {
        Self { output, bench: String::new(), values: Vec::new(), trouble: Ok(()) }
    }

    /// What follows belongs to this benchmark.
    fn begin(&mut self, bench: &str) {
        eprintln!("bench {bench} …");
        self.bench = bench.to_string();
        self.show(bench);
    }

    /// One more is known.
    pub fn push(&mut self, figure: Figure) {
        let goal = match figure.goal {
            None => String::new(),
            Some((goal, true)) => format!("  (goal {goal}: met)"),
            Some((goal, false)) => format!("  (goal {goal}: missed)"),
        };
        self.show(&format!(
            "  {:<44} {:<44} {:>8.3}{goal}",
            figure.what, figure.values, figure.ratio
        ));
        self.values.push(json!({
            "bench": self.bench, "what": figure.what, "values": figure.values,
            "ratio": figure.ratio, "goal": figure.goal.map(|(goal, _)| goal),
            "met": figure.goal.map(|(_, met)| met),
        }));
    }

    /// Prints a line for people. A benchmark is not stopped for what cannot be printed: that is
    /// told at the end.
    fn show(&mut self, line: &str) {
        if self.output == Output::Human && self.trouble.is_ok() {
            self.trouble = output::print(self.output, line, &Value::Null, "");
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self.output {
            Output::Human => self.trouble,
            other => output::print(other, "", &self.values.into(), ""),
        }
    }
}

impl crate::tree::Verb for BenchArgs {
    fn run(self) -> Result<(), Failure> {
        run(&self)
    }
}

/// Runs them and prints the figures as they come.
fn run(options: &BenchArgs) -> Result<(), Failure> {
    let all = BenchName::value_variants();
    let names = if options.names.is_empty() { all } else { &options.names[..] };
    let mut figures = Figures::new(options.answer.output);
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
            BenchName::Puzzles => {
                puzzles::run(options.quick, options.database.as_deref(), &mut figures)?
            }
            BenchName::Store => store::run(options.quick, &mut figures)
                .map_err(|e| Failure::Failed(e.to_string()))?,
            BenchName::Merge => merge::run(options.quick, &mut figures)?,
            BenchName::Leases => cluster::leases(options.quick, &mut figures)?,
            BenchName::Calls => calls::run(options.quick, &mut figures)?,
            BenchName::Workers => cluster::workers(options.quick, &mut figures)?,
            BenchName::Simulation => simulation::run(options.quick, &mut figures)?,
        }
    }
    figures.finish()
}
