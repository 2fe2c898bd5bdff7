use hasami_andor::*;
use hasami_games::graph::*;
use hasami_games::random::SplitMix;
use hasami_games::trial::*;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let floor: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut worst = std::collections::BTreeMap::new();
    for seed in 0..n {
        let mut random = SplitMix::new(seed);
        let config = draw_graph(&mut random);
        let graph = Graph::new(config.clone()).unwrap();
        let truth = oracle::solve(&graph, 1 << 20).unwrap();
        for setup in setups(&mut random) {
            let states = truth.verdicts.len();
            let table = Table::with_entries((states * setup.table / 100).max(floor), setup.options.sum == SumRule::Hybrid);
            let control = Control::with_budget(2_000_000);
            let mut search = Search::new(setup.kernel, &graph, &table, setup.options, Job::settle(graph.root()));
            let out = search.run(&control);
            let e = worst.entry((setup.kernel.name(), format!("{:?}", setup.options.sum), setup.table)).or_insert((0u64, 0u64, 0u64));
            e.0 = e.0.max(out.counts.nodes);
            e.1 += out.counts.nodes;
            if out.stopped != Stopped::Settled {
                if e.2 < 2 { println!("seed {seed} states {states} {:?} {:?} {} {:?}", setup.kernel, setup.options, setup.table, config); }
                e.2 += 1;
            }
        }
    }
    for (k, v) in worst { println!("{k:?} max {} total {} fails {}", v.0, v.1, v.2); }
}
