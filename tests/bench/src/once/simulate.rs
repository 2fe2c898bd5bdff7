//! Any question on simulated workers: for trying partitioners.

use hasami_spec::Partitioner;

use crate::figures::{Failure, Figures, Output};
use crate::simulation::{Means, Tree, tell};

/// What is simulated.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Questions, each one word on the command line, as in 'polyomino U UU stones=10'
    #[arg(required = true)]
    questions: Vec<String>,
    /// How many workers
    #[arg(long, value_delimiter = ',', default_value = "16", value_name = "N,N")]
    workers: Vec<usize>,
    /// Which partitioners, by their names in sweep files
    #[arg(long, value_delimiter = ',', default_value = "frontier", value_name = "NAME,NAME")]
    partitioners: Vec<String>,
    /// Runs of each, which differ in the order of messages
    #[arg(long, default_value_t = 1, value_name = "N")]
    runs: u64,
}

/// Prints a line for each run, and geometric means.
pub fn run(args: &Args) -> Result<(), Failure> {
    let kind = |name: &String| {
        let known = Partitioner::NAMES.iter().find(|(known, _)| known == name);
        known.map(|(_, kind)| *kind).ok_or_else(|| Failure(format!("{name}: no partitioner")))
    };
    let partitioners = args.partitioners.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
    let mut figures = Figures::new(Output::Human);
    let mut means = Means::default();
    for words in &args.questions {
        let (workers, runs) = (&args.workers[..], args.runs);
        let tree = Tree { words, partitioners: &partitioners, workers, runs };
        tree.measure(|point, alone| {
            tell(words, point, alone, &mut figures);
            means.add(point, alone);
        })?;
    }
    means.tell(&mut figures);
    figures.finish()
}
