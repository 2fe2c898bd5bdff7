//! Nodes per second of the depth-first search on games whose rules cost next to nothing, to see
//! what a change of the kernel costs: `cargo run --release -p hasami-graphs --example speed`.

use std::time::Instant;

use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, SumRule, Table};
use hasami_game::Game;
use hasami_small::graph::Graph;
use hasami_small::mnk::Mnk;
use hasami_small::synthetic::Synthetic;
use hasami_spec::Params;

fn run<P: Problem>(name: &str, problem: &P, nodes: u64, sum: SumRule) {
    let table = Table::with_entries(1 << 20, sum == SumRule::Hybrid);
    table.touch();
    let control = Control::with_budget(nodes);
    let options = Options { sum, ..Options::default() };
    let job = Job::settle(problem.root());
    let start = Instant::now();
    let outcome = Search::new(Kernel::Dfpn, problem, &table, options, job).run(&control);
    let seconds = start.elapsed().as_secs_f64();
    let nodes = outcome.counts.nodes;
    println!("{name} {sum:?}: {nodes} nodes, {:.0} k/s", nodes as f64 / seconds / 1000.0);
}

fn game<G: Game + Problem>(name: &str, spelling: &str, nodes: u64) {
    let params = Params::parse(G::params(), spelling).expect("parameters");
    let game = G::from_params(&params).expect("a game");
    for sum in [SumRule::Sum, SumRule::Hybrid] {
        run(name, &game, nodes, sum);
    }
}

fn main() {
    let scale = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    game::<Synthetic>("synthetic", "depth=200 branching=4 width=1000000000", scale);
    game::<Mnk>("mnk", "width=6 height=6 line=4", scale / 2);
    game::<Graph>("graph", "nodes=300000 shape=cyclic sharing=0.4 seed=1", scale / 2);
}
