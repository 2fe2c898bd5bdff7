//! Nodes a second of the polyomino winner search on one core: the figures of docs/performance.md.

use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Problem, Search, Table};
use hasami_game::Game;
use hasami_polyomino::polyomino::Polyomino;
use hasami_spec::Params;

use crate::figures::Failure;

/// Which search.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Size of the table
    mib: usize,
    /// The question, as in `shapes=UU,ZZ stones=9`
    #[arg(required = true)]
    spelling: Vec<String>,
    /// Nodes after which it stops
    #[arg(long, default_value_t = u64::MAX)]
    nodes: u64,
}

/// Prints nodes a second.
pub fn run(args: &Args) -> Result<(), Failure> {
    let params = Params::parse(Polyomino::params(), &args.spelling.join(" "))?;
    let game = Polyomino::from_params(&params)?;
    let table = Table::with_mib(args.mib, false)?;
    let control = Control::with_budget(args.nodes);
    let job = Job::settle(game.root());
    let mut search = Search::new(Kernel::Dfpn, &game, &table, Polyomino::ADVICE, job);
    let start = Instant::now();
    let outcome = search.run(&control);
    let seconds = start.elapsed().as_secs_f64();
    let rate = outcome.counts.nodes as f64 / seconds / 1e6;
    println!("{:?} {:?}: {rate:.3} M nodes/s", outcome.stopped, outcome.counts);
    Ok(())
}
